"""Variables of program steps: every way to list them, and what is wrong in a list."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.tables.poplar_live import live_variables
from app.formats.collect import read
from app.formats.poplar import FORMAT, memory
from app.profile.poplar import LiveVariables
from app.profile.profile import Profile
from app.store.codec import write_section
from fakes.same import same
from generators import poplar
from generators.poplar_memory import LISTED
from generators.trees import plain, write_cbor
from oracles.poplar_live import Live, Variable, live

SMALL = poplar.Scale(tiles_per_ipu=2, compute_sets=12, loops=2, vertex_types=2, categories=2)


@cache
def written(how: str) -> str:
    return json.dumps(plain(poplar.graph(replace(SMALL, live_variables=how))))


def tree(how: str) -> Any:
    return json.loads(written(how))


def opened(path: Path, values: Any) -> Profile:
    if path.suffix == ".cbor":
        write_cbor(path, values)
    else:
        path.write_text(json.dumps(values))  # of any size of number
    return read(FORMAT, [path])[0]


def variable(own: LiveVariables, index: int) -> Variable:
    name, number, size = int(own.name[index]), int(own.number[index]), int(own.size[index])
    return (
        own.strings.get(name) if name >= 0 else None,
        number if number >= 0 else None,
        size if size >= 0 else None,
    )


def compare(own: LiveVariables, wanted: Live) -> None:
    assert [variable(own, int(index)) for index in np.flatnonzero(own.always)] == wanted.always
    assert len(own.at) == len(wanted.at)
    for node, listed in enumerate(wanted.at):
        assert bool(own.stated[node]) == (listed is not None)
        assert sorted(map(repr, (variable(own, int(i)) for i in own.at.row(node)))) == sorted(map(repr, listed or []))
    for index in range(len(own)):
        first, last, steps = wanted.life(variable(own, index))
        found = (int(own.first[index]), int(own.last[index]), int(own.steps[index]))
        assert found == (-1 if first is None else first, -1 if last is None else last, steps)


@pytest.mark.parametrize("ending", ["json", "cbor"])
@pytest.mark.parametrize("how", LISTED)
def test_every_way_to_list_them(tmp_path: Path, how: str, ending: str) -> None:
    values = tree(how)
    profile = opened(tmp_path / f"graph.{ending}", values)
    assert profile.issues == ()
    own, wanted = profile.live_variables, live(values["memory"]["liveness"])
    assert own is not None
    compare(own, wanted)
    assert wanted.steps
    assert same(own, write_section(own, tmp_path / "s").section(tmp_path))


def test_a_tree_too_large_for_one_piece_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = tree("records")
    whole = opened(tmp_path / "graph.json", values).live_variables
    monkeypatch.setattr(memory, "WHOLE", 2000)
    pieces = opened(tmp_path / "graph.json", values).live_variables
    assert whole is not None
    assert pieces is not None
    compare(pieces, live(values["memory"]["liveness"]))
    assert len(whole) == len(pieces)


def test_without_lists_there_is_no_section(tmp_path: Path) -> None:
    assert opened(tmp_path / "graph.json", tree("")).live_variables is None


def test_equal_ones_in_one_list_are_different_variables(tmp_path: Path) -> None:
    values = tree("")
    anonymous = {"name": "<anon>", "size": 4}
    leaf = values["memory"]["liveness"]["notAlwaysLive"]["byProgram"][0]
    leaf["variables"] = [anonymous, {"name": "x", "size": 4}, anonymous]
    own = opened(tmp_path / "graph.json", values).live_variables
    assert own is not None
    assert [variable(own, int(index)) for index in own.at.row(0)] == [
        ("<anon>", None, 4),
        ("x", None, 4),
        ("<anon>", None, 4),
    ]
    assert len(own) == 3


def bad_id(nodes: Any) -> None:
    nodes["variables"] = [0, 99_999, -4]


def twice(nodes: Any) -> None:
    nodes["variables"] = [1, 1, 0]


def not_an_id(nodes: Any) -> None:
    nodes["variables"] = [1, 0.5, "x", True, None]


def immense(nodes: Any) -> None:
    nodes["variables"] = [0, 2**63, 2**70]


def size_of_words(nodes: Any) -> None:
    nodes["variables"] = [{"name": "a", "size": "big"}, {"name": "b", "size": -1}, {"name": "c", "size": 1e300}]


def nameless(nodes: Any) -> None:
    nodes["variables"] = [{"size": 3}, [1], 7.5]


def lengths(nodes: Any) -> None:
    nodes["variables"] = {"names": ["a", "b"], "sizes": [1]}


def no_list(nodes: Any) -> None:
    nodes["variables"] = "many"


DAMAGE: list[tuple[Callable[[Any], None], str, int]] = [
    (bad_id, "error graph.json: memory.liveness: variables: 2 ids are not ids of a variable", 1),
    (twice, "warning graph.json: memory.liveness: variables: 1 id appears twice in a list", 2),
    (not_an_id, "warning graph.json: memory.liveness: variables: 4 values are not variables", 1),
    (immense, "variables: 2 values are not variables", 1),
    (size_of_words, "variables: 3 values are not variables or sizes of variables", 3),
    (nameless, "variables: 3 values are not variables", 0),
    (lengths, "variables: 2 values are not variables", 0),
    (no_list, "variables: 1 value is not a variable", 0),
]


@pytest.mark.parametrize(("damage", "issue", "left"), DAMAGE, ids=[damage.__name__ for damage, _, _ in DAMAGE])
def test_what_is_wrong_in_a_list_is_told(tmp_path: Path, damage: Callable[[Any], None], issue: str, left: int) -> None:
    values = tree("ids")
    damage(values["memory"]["liveness"]["notAlwaysLive"]["byProgram"][0])
    profile = opened(tmp_path / "graph.json", values)
    told = [f"{one.severity} {one.where}: {one.text}" for one in profile.issues]
    assert [text for text in told if issue in text], told
    own = profile.live_variables
    assert own is not None
    assert len(own.at.row(0)) == left
    assert all(table.columns for table in live_variables(profile))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.sampled_from(["", "a", "b"]),
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(
            st.sampled_from(["name", "names", "size", "sizes", "id", "ids", "variables", "children", "bytes", "x"]),
            below,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=80, deadline=None)
@given(always=VALUES, table=VALUES, lists=st.lists(VALUES, min_size=3, max_size=3), inner=VALUES)
def test_whatever_the_lists_hold_the_rest_is_read(
    tmp_path_factory: pytest.TempPathFactory, always: Any, table: Any, lists: list[Any], inner: Any
) -> None:
    leaves = [{"bytes": 5 * place, "children": [], "variables": one} for place, one in enumerate(lists)]
    liveness = {
        "alwaysLive": {"bytesByTile": [1, 2], "variables": always},
        "notAlwaysLive": {"byProgram": [{"bytes": 9, "children": leaves, "vars": inner}], "maxBytesByTile": [3, 4]},
        "variables": table,
    }
    graph = {"target": {"numTiles": 2, "bytesPerTile": 100}, "memory": {"liveness": liveness}}
    folder = tmp_path_factory.mktemp("lists")
    for ending in ("json", "cbor"):
        profile = opened(folder / f"graph.{ending}", graph)
        assert profile.liveness is not None
        assert len(profile.liveness) == 4
        own = profile.live_variables
        if own is not None:
            assert np.all((own.at.items >= 0) & (own.at.items < len(own)))
            assert np.all(own.name < len(own.strings))
            assert all(len(set(own.at.row(node).tolist())) == len(own.at.row(node)) for node in range(4))
        made = live_variables(profile)
        assert all(len(column.values) == table.rows for table in made for column in table.columns)
