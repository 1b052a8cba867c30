"""What takes a tile, or several: against loops over the values of the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.poplar.tile_amounts import covered, rows_on
from app.analysis.poplar.tile_content import CONTENTS, TileContents
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.analysis.tables.poplar_exchanges import KINDS
from app.analysis.tables.poplar_tile_content import table_of
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.poplar import EXCHANGE_KINDS, Variables
from app.profile.profile import Profile
from app.profile.selection import Kind
from generators import poplar
from generators.poplar_variables import variables_of
from generators.trees import plain
from oracles import poplar_tile as by_hand

SCALE = poplar.Scale(seed=4, ipus=2, tiles_per_ipu=24, compute_sets=14, over=2, spread=0.6)
ONE, SIXTEEN = [7], [1, 2, 3, 7, 11, 12, 20, 23, 24, 25, 30, 31, 40, 41, 44, 47]


@pytest.fixture(scope="module")
def graph() -> Any:
    return plain(poplar.graph(SCALE))


@pytest.fixture(scope="module")
def vars_(graph: Any) -> Any:
    return variables_of(graph)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory, graph: Any, vars_: Any) -> Profile:
    folder = tmp_path_factory.mktemp("content")
    (folder / "graph.json").write_text(json.dumps(graph))
    (folder / "vars.json").write_text(json.dumps(vars_))
    (found,) = read(FORMAT, [folder / "graph.json", folder / "vars.json"])
    return found


def shown(profile: Profile, kind: Kind, tiles: list[int]) -> Table:
    table = table_of(TileContents(profile), kind, np.array(tiles, np.int64))
    assert table is not None
    assert table.id == CONTENTS[kind].table
    return table


def test_kinds_of_exchanges_are_called_the_same_in_all_tables(
    profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in EXCHANGE_KINDS:
        monkeypatch.setitem(KINDS, kind, f"{kind} in another language")
    tables = shown(profile, "exchange", ONE), by_id(profile, "exchanges")
    for table in tables:
        assert table is not None
        assert all(str(kind).endswith("language") for kind in cells(table, "kind") if kind is not None)


def cells(table: Table, key: str) -> list[Any]:
    (column,) = (column for column in table.columns if column.key == key)
    return [column.value(row) for row in range(table.rows)]


def things(table: Table) -> list[int]:
    """The rows that stand for things."""
    return [row for row in range(table.rows) if table.key(row) >= 0]


def rests(table: Table) -> dict[str, int]:
    names, bytes_ = cells(table, "name"), cells(table, "bytes")
    return {names[row]: bytes_[row] for row in range(table.rows) if table.key(row) < 0}


def check_amounts(table: Table, wanted: dict[Any, list[int]], tiles: list[int], by: str) -> None:
    """``wanted``: bytes on each of ``tiles`` by what ``by`` calls the thing."""
    rows = things(table)
    called = [table.key(row) for row in rows] if by == "key" else [cells(table, by)[row] for row in rows]
    wanted = {name: own for name, own in wanted.items() if any(own)}
    assert sorted(called) == sorted(wanted)
    bytes_ = [cells(table, "bytes")[row] for row in rows]
    assert bytes_ == sorted(bytes_, reverse=True)
    for row, name in zip(rows, called, strict=True):
        own = wanted[name]
        assert cells(table, "bytes")[row] == sum(own)
        if len(tiles) > 1:
            assert cells(table, "most")[row] == max(own)
            assert own[tiles.index(cells(table, "tile")[row])] == max(own)
            assert cells(table, "tiles")[row] == sum(bytes_ > 0 for bytes_ in own)


@pytest.mark.parametrize("tiles", [ONE, SIXTEEN, list(range(SCALE.tiles))])
@pytest.mark.parametrize("kind", CONTENTS)
def test_bytes_and_shares_add_up_to_what_is_used(profile: Profile, graph: Any, kind: Kind, tiles: list[int]) -> None:
    table = shown(profile, kind, tiles)
    assert sum(bytes_ or 0 for bytes_ in cells(table, "bytes")) == by_hand.used(graph, tiles)
    assert sum(share or 0 for share in cells(table, "share")) == pytest.approx(100)
    assert table.selects == kind
    assert all(table.key(row) == -1 for row in range(len(things(table)), table.rows))


@pytest.mark.parametrize("tiles", [ONE, SIXTEEN])
def test_categories_by_hand(profile: Profile, graph: Any, tiles: list[int]) -> None:
    table = shown(profile, "category", tiles)
    own = by_hand.categories(graph, tiles, "nonOverlapped")
    shared = by_hand.categories(graph, tiles, "overlapped")
    rows = [row for row in things(table) if cells(table, "bytes")[row]]
    assert {cells(table, "name")[row]: cells(table, "bytes")[row] for row in rows} == {
        name: sum(own[name]) for name in own if any(own[name])
    }
    assert {cells(table, "name")[row]: cells(table, "overlapped")[row] for row in things(table)} == {
        name: sum(shared[name]) for name in own if any(own[name]) or any(shared[name])
    }
    by_tile = graph["memory"]["byTile"]
    plain_bytes = sum(by_tile["total"][tile] for tile in tiles)
    wide = sum(by_tile[f"{region}IncludingGaps"][tile] for region in by_hand.REGIONS for tile in tiles)
    assert rests(table) == {
        "Gaps in the regions": wide - plain_bytes,
        "Between the regions": by_hand.used(graph, tiles) - wide,
    }


@pytest.mark.parametrize("tiles", [ONE, SIXTEEN])
@pytest.mark.parametrize(("kind", "key"), [("compute_set", "byComputeSet"), ("vertex_type", "byVertexType")])
def test_compute_sets_and_vertex_types_by_hand(
    profile: Profile, graph: Any, kind: Kind, key: str, tiles: list[int]
) -> None:
    table = shown(profile, kind, tiles)
    wanted = by_hand.rows(graph["memory"][key]["totalBytes"], tiles)
    check_amounts(table, wanted, tiles, "key")
    assert cells(table, "number")[: len(wanted)] == [table.key(row) for row in things(table)]
    code = by_hand.rows(graph["memory"][key]["codeBytes"], tiles)
    assert {table.key(row): cells(table, "code")[row] for row in things(table)} == {
        number: sum(code.get(number, [0])) for number in wanted
    }
    (rest,) = rests(table).items()
    left = by_hand.used(graph, tiles) - sum(map(sum, wanted.values()))
    assert rest[1] == left
    assert rest[0].startswith("Not in" if left >= 0 else "Code counted in several")
    assert rest[0].endswith("at least")


@pytest.mark.parametrize("tiles", [ONE, SIXTEEN])
def test_exchanges_by_hand(profile: Profile, graph: Any, tiles: list[int]) -> None:
    table = shown(profile, "exchange", tiles)
    lists = ("exchanges", "externalExchanges", "hostExchanges")
    wanted: dict[int, dict[str, int | None]] = {}
    first = 0
    for name in lists:
        own = graph[name]
        for number in range(len(own["bytesSentByTile"])):
            figures: dict[str, int | None] = {
                key: sum(own[per_tile][number][tile] for tile in tiles) if per_tile in own else None
                for key, per_tile in (
                    ("bytes", "codeBytesByTile"),
                    ("sent", "bytesSentByTile"),
                    ("received", "bytesReceivedByTile"),
                )
            }
            if any(figures.values()):
                wanted[first + number] = figures
        first += len(own["bytesSentByTile"])
    rows = things(table)
    assert {table.key(row): {key: cells(table, key)[row] for key in ("bytes", "sent", "received")} for row in rows} == (
        wanted
    )
    assert None in cells(table, "bytes")  # of the code of host exchanges the file says nothing
    assert [cells(table, "share")[row] is None for row in rows] == [cells(table, "bytes")[row] is None for row in rows]
    assert list(rests(table)) == ["Not code of internal exchanges"]
    kinds = [range(len(graph[name]["bytesSentByTile"])) for name in lists]
    places = [(kind, number) for kind, own in zip(EXCHANGE_KINDS, kinds, strict=True) for number in own]
    assert [(cells(table, "kind")[row], cells(table, "number")[row]) for row in rows] == [
        places[table.key(row)] for row in rows
    ]


def test_each_variable_of_a_tile(profile: Profile, vars_: Any, graph: Any) -> None:
    table = shown(profile, "variable", ONE)
    on = [entry["info"] for entry in vars_["vars"] if entry["info"].get("tile") == ONE[0]]
    assert sorted(zip(cells(table, "name"), cells(table, "bytes"), strict=True)) == sorted(
        [*((info["name"], info["sizeBytes"]) for info in on), *rests(table).items()]
    )
    for row in things(table):
        info = vars_["vars"][table.key(row)]["info"]
        assert [cells(table, key)[row] for key in ("name", "category", "offset")] == [
            info[key] for key in ("name", "category", "offset")
        ]
    room, sizes = by_hand.room(vars_, ONE), sum(info["sizeBytes"] for info in on)
    assert room < sizes
    assert rests(table) == {"Shared addresses": room - sizes, "Not in variables": by_hand.used(graph, ONE) - room}


def test_variables_of_several_tiles_by_name(profile: Profile, vars_: Any, graph: Any) -> None:
    table = shown(profile, "variable", SIXTEEN)
    wanted = by_hand.variables(vars_, SIXTEEN)
    check_amounts(table, wanted, SIXTEEN, "name")
    for row in things(table)[:5]:
        name = cells(table, "name")[row]
        sizes = [
            entry["info"]["sizeBytes"]
            for entry in vars_["vars"]
            if entry["info"]["name"] == name and entry["info"].get("tile") in SIXTEEN
        ]
        assert vars_["vars"][table.key(row)]["info"]["sizeBytes"] == max(sizes)
    room = by_hand.room(vars_, SIXTEEN)
    assert rests(table)["Not in variables"] == by_hand.used(graph, SIXTEEN) - room


def test_code_that_several_share_is_no_room_left(profile: Profile, graph: Any, tmp_path: Path) -> None:
    """More code than the tile has in use: it can only be the same code."""
    tree = json.loads(json.dumps(graph))
    for key in ("codeBytes", "totalBytes"):
        tree["memory"]["byComputeSet"][key] = [
            [cell + 500_000 for cell in row] for row in tree["memory"]["byComputeSet"][key]
        ]
    (tmp_path / "graph.json").write_text(json.dumps(tree))
    (found,) = read(FORMAT, [tmp_path / "graph.json"])
    table = shown(found, "compute_set", ONE)
    (rest,) = rests(table).items()
    assert rest[0] == "Code counted in several compute sets, at least"
    assert rest[1] < 0
    assert sum(cells(table, "bytes")) == by_hand.used(graph, ONE)


def test_sums_that_the_file_contradicts_are_named(tmp_path: Path, graph: Any) -> None:
    """More in the categories than in the tile, and less; overlapped bytes take room; regions larger than the whole."""
    tree = json.loads(json.dumps(graph))
    contents, tile = tree["memory"]["byCategory"]["message"]["nonInterleaved"], ONE[0]

    def found(name: str) -> dict[str, int]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "graph.json").write_text(json.dumps(tree))
        (profile,) = read(FORMAT, [tmp_path / name / "graph.json"])
        table = shown(profile, "category", ONE)
        assert sum(cells(table, "bytes")) == by_hand.used(graph, ONE)
        return rests(table)

    contents["nonOverlapped"][tile] += 40
    assert found("more")["Counted in several categories"] == -40
    contents["nonOverlapped"][tile] -= 100
    assert found("less")["Space shared by variables"] == 60
    for regions in tree["memory"]["byCategory"].values():
        for region in by_hand.REGIONS:
            regions[region]["overlapped"][tile] = 0
    assert found("plain")["In no category"] == 60
    tree["memory"]["byTile"]["interleavedIncludingGaps"][tile] += 10**6
    assert "Gaps" in found("wide")


def test_what_the_file_lacks_is_not_zero(tmp_path: Path, graph: Any) -> None:
    tree = json.loads(json.dumps(graph))
    del tree["memory"]["byCategory"], tree["memory"]["byComputeSet"], tree["memory"]["byTile"]["totalIncludingGaps"]
    del tree["exchanges"]["codeBytesByTile"], tree["memory"]["byTile"]["total"], tree["memory"]["byVertexType"]
    (tmp_path / "graph.json").write_text(json.dumps(tree))
    (found,) = read(FORMAT, [tmp_path / "graph.json"])
    contents, tiles = TileContents(found), np.array(ONE)
    missing = [kind for kind in CONTENTS if table_of(contents, kind, tiles) is None]
    assert missing == ["category", "variable", "compute_set", "vertex_type"]
    table = shown(found, "exchange", ONE)
    assert set(cells(table, "bytes")) == {None}
    assert any(cells(table, "sent"))
    assert "share" not in {column.key for column in table.columns}


@pytest.mark.parametrize("tiles", [ONE, SIXTEEN])
def test_a_category_given_as_a_total_alone_is_listed(tmp_path: Path, graph: Any, tiles: list[int]) -> None:
    tree = json.loads(json.dumps(graph))
    for category in list(tree["memory"]["byCategory"])[::2]:
        whole = tree["memory"]["byCategory"][category]["total"]
        tree["memory"]["byCategory"][category] = {"total": whole}
    (tmp_path / "graph.json").write_text(json.dumps(tree))
    (profile,) = read(FORMAT, [tmp_path / "graph.json"])
    table = shown(profile, "category", tiles)
    figures = {cells(table, "name")[row]: (cells(table, "bytes")[row], row) for row in things(table)}
    for category, own in tree["memory"]["byCategory"].items():
        if len(own) == 1 and any(own["total"][tile] for tile in tiles):
            bytes_, row = figures[category]
            assert bytes_ == sum(own["total"][tile] for tile in tiles)
            assert cells(table, "overlapped")[row] is None
    assert None in cells(table, "overlapped")[: len(figures)]
    assert sum(cells(table, "bytes")) == by_hand.used(tree, tiles)


@given(st.data())
def test_addresses_are_counted_once(data: st.DataObject) -> None:
    """Against a set of all addresses, with variables whose tile, address or size is not in the file."""
    number = st.integers(-1, 12)
    drawn = data.draw(st.lists(st.tuples(st.integers(-1, 3), number, number), max_size=12))
    tile, offset, size = (np.array([row[place] for row in drawn], np.int64) for place in range(3))
    columns = dict.fromkeys(Variables.__struct_fields__)
    made = Variables(
        **{**columns, "tile": tile.astype(np.int32), "offset": offset, "size": size}  # type: ignore[arg-type]
        | {"by_tile": np.lexsort((-size, tile)).astype(np.int64)}
    )
    tiles = data.draw(st.lists(st.integers(-1, 4), unique=True))
    rows, on = rows_on(made, np.array(tiles, np.int64))
    wanted = [row for row in np.lexsort((-size, tile)).tolist() if tile[row] in tiles and tile[row] >= 0]
    assert rows.tolist() == wanted
    assert on.tolist() == [tile[row] for row in wanted]
    taking = [row for row in wanted if size[row] > 0]
    addresses = {(int(tile[row]), at) for row in taking for at in range(offset[row], offset[row] + size[row])}
    known = all(offset[row] >= 0 for row in taking)
    assert covered(made, rows, on) == (len(addresses) if known else None)
