"""Which rows lie inside the range: tiles by number, slices and steps by time."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.matching import rows_within
from app.analysis.table import Column, Table
from app.analysis.tables import by_id
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from app.profile.selection import Ranges, TileRange, TimeRange
from generators import poplar


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("run"), poplar.Scale(loops=3)))
    return profile


def within(profile: Profile, table_id: str, ranges: Ranges) -> list[int] | None:
    table = by_id(profile, table_id)
    assert table is not None
    found = rows_within(profile, table, ranges)
    return None if found is None else np.flatnonzero(found).tolist()


def test_no_range_concerns_no_table(profile: Profile) -> None:
    for table in ("steps", "slices", "tiles", "programs"):
        assert within(profile, table, Ranges()) is None
    assert within(profile, "programs", Ranges(TimeRange(0, 5), TileRange((1,)))) is None


def test_tiles_are_those_of_the_range(profile: Profile) -> None:
    assert within(profile, "tiles", Ranges(tiles=TileRange((2, 3, 7)))) == [2, 3, 7]
    assert within(profile, "tiles", Ranges(TimeRange(0, 5))) is None


def test_steps_follow_their_slices(profile: Profile) -> None:
    """Sync has no cycles of its own; it stands on the timeline where all before it has ended."""
    steps, line = profile.steps, profile.timeline
    assert steps is not None
    assert line is not None
    sync = steps.of_type("Sync")
    assert len(sync) > 2
    assert bool(np.all(steps.cycles_from[sync] < 0))
    slices = line.slices
    place = int(np.flatnonzero(slices.record == sync[2])[0])
    at = float(slices.start[place])
    found = within(profile, "steps", Ranges(TimeRange(at - 1, at + 1)))
    assert found is not None
    assert int(sync[2]) in found
    assert int(sync[-1]) not in found
    touching = (slices.start <= at + 1) & (slices.start + slices.duration >= at - 1)
    assert found == sorted(slices.record[touching].tolist())
    whole = within(profile, "steps", Ranges(TimeRange(-1.0, float("inf"))))
    assert whole == list(range(len(steps)))


def test_slices_that_touch_the_stretch(profile: Profile) -> None:
    assert profile.timeline is not None
    slices = profile.timeline.slices
    stretch = TimeRange(100.0, 2000.0)
    found = within(profile, "slices", Ranges(stretch))
    want = np.flatnonzero((slices.start <= 2000) & (slices.start + slices.duration >= 100))
    table = by_id(profile, "slices")
    assert table is not None
    keys = np.arange(table.rows) if table.keys is None else table.keys
    assert found is not None
    assert sorted(keys[found].tolist()) == want.tolist()


def test_steps_of_another_clock_are_left_alone(profile: Profile) -> None:
    assert profile.timeline is not None
    other = replace(profile, timeline=replace(profile.timeline, unit="µs"))
    assert within(other, "steps", Ranges(TimeRange(0, 5))) is None
    assert within(replace(profile, timeline=None), "steps", Ranges(TimeRange(0, 5))) is None


def test_keys_say_what_rows_stand_for(profile: Profile) -> None:
    steps = profile.steps
    assert steps is not None
    keys = np.array([len(steps) - 1, 0], np.int64)
    table = Table("some", "Some", (Column("a", "A", np.arange(2)),), "step", keys)
    found = rows_within(profile, table, Ranges(TimeRange(0.0, 1.0)))
    assert found is not None
    assert found.tolist() == [False, True]
