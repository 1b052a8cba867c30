"""When each tile was at work, against a count of single cycles."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.poplar.tile_time import WIDE, Frame, Part, Sums, offered, shares, tile_time
from app.analysis.tables import by_id
from app.analysis.tables.poplar_steps import tiles
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.steps.tiles_view import words_of
from app.profile.arrays import F32
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from generators import poplar

SCALE = poplar.Scale(mode="COMPUTE_SETS", ipus=2, tiles_per_ipu=8, loops=2, compute_sets=6)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("tiles"), SCALE))
    return profile


def parts_of(profile: Profile) -> dict[str, Part]:
    found = tile_time(profile)
    assert found is not None
    return {part.type: part for part in found.parts}


def drawn_of(part: Part, frame: Frame) -> F32:
    found = shares(part, frame, Sums())
    assert found is not None
    return found


def counted(part: Part, frame: Frame) -> F32:
    """Every cycle of every tile."""
    begin, end = int(frame.begin), int(frame.end)
    busy = np.zeros((part.matrix.shape[1], end - begin), np.int64)
    for place, start in enumerate(part.start.astype(int).tolist()):
        for tile in range(part.matrix.shape[1]):
            stop = start + int(part.cycles(place, tile))
            busy[tile, max(start - begin, 0) : max(stop - begin, 0)] += 1
    edges = frame.edges()
    rows = np.array([busy[low:high].mean(axis=0) for low, high in pairwise(edges.tolist())], np.float32)
    means: F32 = rows.reshape(frame.height, frame.width, -1).mean(axis=2)
    return means


def test_sums_of_one_part_are_never_those_of_another(profile: Profile) -> None:
    """What is kept holds on to the part it belongs to: its place in memory may be that of another one later."""
    frame, sums = Frame(0.0, 100.0, 4, 0, 16, 4), Sums()
    part = parts_of(profile)["OnTileExecute"]
    first = sums.of(part, frame)
    for factor in (2, 3):
        more = replace(part, matrix=part.matrix.astype(np.int64) * factor)
        np.testing.assert_allclose(sums.of(more, frame), first * factor)
        del more
    assert sums.of(part, frame) is first


def test_each_type_says_where_its_cycles_come_from(profile: Profile) -> None:
    parts = parts_of(profile)
    assert list(parts) == ["OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy"]
    words = {kind: part.words for kind, part in parts.items()}
    assert words["OnTileExecute"].startswith("measured, last execution")
    assert words["DoExchange"] == "from the graph"
    assert words["GlobalExchange"] == words["StreamCopy"] == "estimate"
    assert offered(profile)


def test_types_of_which_nothing_is_drawn_are_named(profile: Profile) -> None:
    complete = tile_time(profile)
    assert complete is not None
    assert complete.without == ()
    bare = replace(profile, measured_cycles=None, compute_sets=None)
    found = tile_time(bare)
    assert found is not None
    assert found.without == ("OnTileExecute",)
    assert words_of(found).startswith("OnTileExecute: not drawn, the file has no cycles per tile · DoExchange: ")


def test_sums_of_all_executions_are_drawn_as_their_mean(profile: Profile) -> None:
    measured = profile.measured_cycles
    assert measured is not None
    assert measured.compute_sets is not None
    last = parts_of(profile)["OnTileExecute"]
    runs = np.bincount(last.row, minlength=len(last.matrix))
    total = measured.compute_sets.astype(np.int64) * runs[:, None]
    found = parts_of(replace(profile, measured_cycles=replace(measured, compute_sets=total)))["OnTileExecute"]
    assert "sum of all executions" in found.words
    assert found.stop.tolist() == last.stop.tolist()
    assert [found.cycles(3, tile) for tile in range(16)] == [last.cycles(3, tile) for tile in range(16)]


@pytest.mark.parametrize("height", [16, 5, 1])
def test_wide_steps_are_drawn_cycle_by_cycle(profile: Profile, height: int) -> None:
    part = parts_of(profile)["OnTileExecute"]
    place = int(np.argmax(part.stop - part.start))
    first = int(part.start[place])
    column = int(part.stop[place] - first) // 40
    frame = Frame(first - 3 * column, first + 57 * column, 60, 0, 16, height)
    assert (part.stop[place] - first) / column >= WIDE
    drawn, expected = drawn_of(part, frame), counted(part, frame)
    here = slice(3, 43)
    assert np.allclose(drawn[:, here], expected[:, here], atol=1e-4)


def test_no_work_is_lost_where_steps_are_narrow(profile: Profile) -> None:
    part = parts_of(profile)["OnTileExecute"]
    end = (int(part.reach[-1]) // 12 + 1) * 12
    frame = Frame(0, end, 12, 0, 16, 4)
    drawn, expected = drawn_of(part, frame), counted(part, frame)
    assert np.allclose(drawn.sum(axis=1), expected.sum(axis=1), rtol=1e-3)


def test_some_tiles_of_a_part_of_the_run(profile: Profile) -> None:
    part = parts_of(profile)["OnTileExecute"]
    middle = int(part.start[5])
    frame = Frame(middle, middle + 400, 400, 3, 9, 6)
    assert np.allclose(drawn_of(part, frame), counted(part, replace(frame, first=0, after=16, height=16))[3:9])
    assert shares(part, Frame(-900, -100, 8, 0, 16, 4), Sums()) is None


def test_what_a_tile_does_at_a_moment(profile: Profile) -> None:
    part = parts_of(profile)["OnTileExecute"]
    place = int(np.argmax(part.stop - part.start))
    tile = int(np.argmax(part.matrix[part.row[place]]))
    assert part.at(tile, float(part.start[place])) == place
    assert part.at(tile, float(part.start[place]) + part.cycles(place, tile)) != place
    assert part.at(tile, float(part.reach[-1]) + 5) == -1


def test_without_cycles_per_tile_there_is_nothing(profile: Profile, tmp_path: Path) -> None:
    bare = replace(profile, measured_cycles=None, exchanges=None)
    assert tile_time(bare) is None
    assert not offered(bare)
    assert tile_time(replace(profile, steps=None)) is None
    (alone,) = read(FORMAT, [poplar.write(tmp_path / "execution.json", poplar.execution(SCALE))])
    assert [part.type for part in parts_of(alone).values()] == ["OnTileExecute"]


@pytest.mark.parametrize("part", [None, (0.3, 0.6)])
def test_the_table_is_that_of_a_loop_over_steps(profile: Profile, part: tuple[float, float] | None) -> None:
    steps = profile.steps
    assert steps is not None
    end = float(steps.cycles_to.max())
    stretch = None if part is None else TimeRange(part[0] * end, part[1] * end)
    table = tiles(profile, stretch)
    assert table is not None
    cells = {column.key: column for column in table.columns}
    for kind, own in parts_of(profile).items():
        for tile in (0, 5, 15):
            expected = 0.0
            for place, step in enumerate(own.step.tolist()):
                low, high = float(steps.cycles_from[step]), float(steps.cycles_to[step])
                begin, after = (0.0, end) if stretch is None else (stretch.start, stretch.end)
                inside = max(0.0, min(high, after) - max(low, begin)) / (high - low)
                expected += inside * own.cycles(place, tile)
            assert cells[kind].value(tile) == pytest.approx(expected)
    assert by_id(profile, "tile-time") is not None
