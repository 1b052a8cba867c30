"""What panels ask the analysis: verdicts, details, the source view, twins of heat maps, rows inside a range."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.details import Described
from app.analysis.kinds import KINDS
from app.analysis.matching import rows_within
from app.analysis.matrices import Matrix, available, columns_table, rows_table
from app.analysis.part import Amount
from app.analysis.relations import route
from app.analysis.source_view import NO_FIGURES, NO_TEXT, instruction_view, source_paths, source_view
from app.analysis.table import Column, Table
from app.analysis.tables import by_id
from app.analysis.verdicts import verdicts
from app.formats import collect, registry
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile
from app.profile.selection import Ranges, Selection, TileRange, TimeRange
from app.profile.strings import Strings
from app.resources import resource

BARE = Profile(name="bare", origin=Origin("test", (Path("x"),)))


def read(name: str) -> Profile:
    jobs, _ = registry.plan([resource("samples", name)])
    return collect.read(jobs[0].format, jobs[0].paths)[0]


@pytest.fixture(scope="module")
def poplar() -> Profile:
    return read("resnet-1472-tiles")


@pytest.fixture(scope="module")
def ascend() -> Profile:
    return read("matmul_leakyrelu.bin")


def said(profile: Profile) -> list[str]:
    return [
        "".join(str(word.value) if isinstance(word, Amount) else word for word in verdict.text)
        for verdict in verdicts(profile)
    ]


def test_verdicts(poplar: Profile, ascend: Profile) -> None:
    assert said(BARE) == []
    assert said(poplar)[0] == "Fits in memory"
    assert said(poplar)[1].startswith("Runs ")
    assert said(ascend)[0].startswith("Mix operator on Ascend910B4 takes ")
    assert said(replace(BARE, issues=(Issue("error", "", "x"), Issue("warning", "", "y")))) == [
        "1 error while reading: see Issues",
        "1 warning: see Issues",
    ]


def test_without_the_memory_of_a_tile_nothing_is_said_to_fit(poplar: Profile) -> None:
    assert poplar.target is not None
    unknown = replace(poplar, target=replace(poplar.target, bytes_per_tile=None))
    (first, *_) = verdicts(unknown)
    assert first.state == "plain"
    assert said(unknown)[0] == "It is unknown whether the program fits in memory"
    assert first.pointers[0].selection.indices == (int(_used(poplar).argmax()),)
    assert said(replace(unknown, tile_memory=None))[0].startswith("Runs ")


def test_a_graph_that_overflows_does_not_fit(poplar: Profile) -> None:
    assert poplar.target is not None
    assert poplar.tile_memory is not None
    tight = replace(poplar, target=replace(poplar.target, bytes_per_tile=1000))
    (first, *_) = verdicts(tight)
    assert first.state == "bad"
    assert said(tight)[0] == f"Does not fit: {np.count_nonzero(_used(poplar) > 1000):,} tiles are out of memory"
    over = np.zeros(poplar.tile_memory.tiles, np.int64)
    over[3] = 8
    spilt = replace(poplar, tile_memory=replace(poplar.tile_memory, overflowed=over))
    assert said(spilt)[0] == "Does not fit: variables overflow the regions"


def _used(profile: Profile) -> np.ndarray:
    assert profile.tile_memory is not None
    values = profile.tile_memory.total_with_gaps
    assert values is not None
    return np.asarray(values)


def test_details_of_one_thing(poplar: Profile) -> None:
    described = Described(poplar)
    (row,) = described.rows("tile", 17)
    assert row.table.id == "tiles"
    assert row.row == 17
    assert described.rows("tile", 10**9) == []
    assert described.rows("blob", 0) == []
    assert KINDS["tile"].name(poplar, 17) == "tile 17"
    assert KINDS["program"].name(poplar, -5) == "program -5"


def test_details_of_several_things(poplar: Profile) -> None:
    found = {several.column.key: several for several in Described(poplar).several(Selection("tile", (0, 1, 2)))}
    used = found["used"] if "used" in found else next(iter(found.values()))
    values = np.asarray(used.column.values)[:3]
    assert used.total == values.sum()
    assert (used.least, used.most) == (values.min(), values.max())
    shares = [several for several in found.values() if several.column.unit == "%"]
    assert all(several.total is None for several in shares)


def test_moments_are_neither_added_nor_averaged(poplar: Profile) -> None:
    found = {several.column.key: several for several in Described(poplar).several(Selection("step", (3, 4, 5)))}
    first = np.asarray(found["from"].column.values)[3:6]
    assert (found["from"].total, found["from"].mean) == (None, None)
    assert (found["from"].least, found["from"].most) == (first.min(), first.max())
    assert found["to"].total is None
    assert found["cycles"].total == np.asarray(found["cycles"].column.values)[3:6].sum()


def test_what_holds_the_same_twice_is_not_added(poplar: Profile) -> None:
    described = Described(poplar)
    programs = {several.column.key: several for several in described.several(Selection("program", (0, 1, 2)))}
    assert programs["total_cycles"].total is None
    assert programs["total_cycles"].mean is not None
    types = {several.column.key: several for several in described.several(Selection("vertex_type", (0, 1)))}
    assert (types["code_bytes"].total, types["max_code_bytes"].total) == (None, None)
    assert types["copy_pointer_bytes"].total is not None


def test_the_verdict_says_whose_tiles_and_whose_waiting_it_tells(poplar: Profile) -> None:
    assert poplar.target is not None
    four = replace(poplar, target=replace(poplar.target, ipus=4, tiles=4 * 1472))
    details = [[str(part[0]) for part in verdict.detail] for verdict in verdicts(four)]
    assert "Tiles are those of one of 4 identical replicas" in details[0]
    assert any(
        "sync (including waiting and idle tiles) " in str(verdict.detail[0])
        for verdict in verdicts(four)
        if verdict.about == "run"
    )


def test_links_lead_to_what_belongs_together(poplar: Profile) -> None:
    related = {entry.selection.kind: entry for entry in Described(poplar).related(Selection("program", (20,)))}
    assert {"step", "slice"} <= set(related)
    assert all(len(route("program", kind)) <= 3 for kind in related)
    many = Selection("tile", tuple(range(1472)) * 2)
    assert list(Described(poplar).related(many)) == []


def test_the_source_view_lays_figures_beside_the_text(ascend: Profile) -> None:
    path = source_paths(ascend)[0]
    view = source_view(ascend, path, "core0.cubecore0")
    keys = view.table.keys
    assert keys is not None
    assert view.table.rows == view.text.count("\n") + (not view.text.endswith("\n"))
    assert [column.key for column in view.table.columns][:3] == ["line", "cycles", "text"]
    assert ascend.lines is not None
    for row in np.flatnonzero(keys >= 0).tolist():
        assert ascend.lines.line[keys[row]] == row + 1
        assert ascend.lines.paths.get(int(ascend.lines.file[keys[row]])) == path
    cycles = view.table.columns[1]
    assert cycles.value(int(np.flatnonzero(keys < 0)[0])) is None
    assert cycles.value(view.hottest) == view.bars[1]


def test_without_text_only_measured_lines_are_listed(ascend: Profile) -> None:
    bare = replace(ascend, sources=None)
    view = source_view(bare, source_paths(bare)[0])
    assert view.table.note == NO_TEXT
    assert view.table.keys is not None
    assert (view.table.keys >= 0).all()
    numbers = np.asarray(view.table.columns[0].values)
    assert (np.diff(numbers) >= 0).all()


def test_a_text_that_was_opened_stands_beside_the_figures(ascend: Profile) -> None:
    path = source_paths(ascend)[0]
    whole = source_view(ascend, path)
    bare = replace(ascend, sources=None)
    view = source_view(bare, path, more=whole.text, place="/disk/me/a.cpp")
    assert [str(view.table.columns[2].value(row)) for row in range(view.table.rows)] == [
        str(whole.table.columns[2].value(row)) for row in range(whole.table.rows)
    ]
    assert view.table.note == "Current text of /disk/me/a.cpp; the profile does not contain it."
    assert source_view(ascend, path, more="other", place="/x").table.note == whole.table.note  # its own text wins


def test_lines_beyond_the_end_of_a_text_are_shown_and_said(ascend: Profile) -> None:
    bare = replace(ascend, sources=None)
    path = source_paths(bare)[0]
    measured = source_view(bare, path).table.keys
    view = source_view(bare, path, more="one\ntwo\n", place="/disk/me/a.cpp")
    assert measured is not None
    assert view.table.keys is not None
    assert set(measured.tolist()) <= set(view.table.keys.tolist())
    assert view.table.columns[2].value(1) == "two"
    assert view.table.columns[2].value(2) is None
    assert (
        f"possibly another version: {view.table.rows - 2} lines with figures are beyond its 2 lines" in view.table.note
    )


def test_without_a_line_table_the_text_stands_alone(ascend: Profile) -> None:
    bare = replace(ascend, lines=None)
    view = source_view(bare, source_paths(bare)[0])
    assert view.table.note == NO_FIGURES
    assert [column.key for column in view.table.columns] == ["line", "text"]
    assert view.hottest == -1
    assert source_view(bare, "no such file").table.rows == 0


def test_instructions_have_the_figure_that_decides_in_front(ascend: Profile) -> None:
    found = instruction_view(ascend, "core0.veccore0")
    assert found is not None
    table, bars = found
    assert [column.key for column in table.columns][:2] == ["address", "cycles"]
    assert bars[1] == np.asarray(table.columns[1].values).max()
    assert instruction_view(BARE) is None


def test_twins_of_a_heat_map_agree_with_its_cells(poplar: Profile) -> None:
    for matrix in available(poplar):
        if not matrix.values.size:
            continue
        table = rows_table(matrix)
        columns = {column.key: np.asarray(column.values) for column in table.columns if column.numeric}
        assert (columns["max"] == matrix.values.max(axis=1)).all()
        at = columns["at"]
        assert (matrix.values[np.arange(len(at)), at] == columns["max"]).all()
        assert (columns["active"] == (matrix.values > 0).sum(axis=1)).all()
        assert (columns["sum"] == matrix.values.sum(axis=1, dtype=np.int64)).all()
        across = columns_table(matrix)
        assert across.rows == matrix.values.shape[1]
        assert across.selects == matrix.columns
        assert across.columns[1].key == ("sum" if matrix.column_summary == "sum" else "max")


def test_a_matrix_without_columns_has_a_twin() -> None:
    empty = Matrix("m", "M", "G", np.zeros((3, 0), np.int64), "B", "", "compute_set", Strings.of("abc"))
    assert rows_table(empty).rows == 3


def test_rows_inside_a_range(poplar: Profile) -> None:
    tiles = Table("t", "T", (Column("tile", "Tile", np.array([5, 9, 7])),), "tile", np.array([5, 9, 7]))
    nothing = Ranges()
    assert rows_within(poplar, tiles, nothing) is None
    within = rows_within(poplar, tiles, Ranges(tiles=TileRange((7, 9))))
    assert within is not None
    assert within.tolist() == [False, True, True]
    slices = by_id(poplar, "slices")
    assert slices is not None
    assert poplar.timeline is not None
    start, length = poplar.timeline.slices.start, poplar.timeline.slices.duration
    stretch = TimeRange(float(start[10]), float(start[10] + length[10]))
    inside = rows_within(poplar, slices, Ranges(time=stretch))
    assert inside is not None
    assert inside[10]
    assert (inside == ((start <= stretch.end) & (start + length >= stretch.start))).all()
    assert rows_within(BARE, slices, Ranges(time=stretch)) is None
