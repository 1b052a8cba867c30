"""A timeline of slices alone: a format says what it has, and nothing of what it lacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.analysis.tables import by_id
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from app.profile.timeline import Counters, Flows, Instants, Lanes, Slices, Timeline
from app.store.codec import write_section


def slices_alone() -> Timeline:
    ids, numbers = np.zeros(1, np.int32), np.zeros(1, np.int64)
    return Timeline(
        unit="µs",
        seconds_per_unit=1e-6,
        strings=Strings.of(["core0"]),
        lanes=Lanes(ids, ids, np.array([0, 1], np.int32)),
        slices=Slices(np.zeros(1), np.ones(1), ids, ids, numbers, numbers, np.array([0, 1])),
    )


def test_what_a_format_does_not_say_is_empty() -> None:
    line = slices_alone()
    assert (len(line.flows.category), len(line.counters.name), len(line.instants.slice)) == (0, 0, 0)
    assert line.counters.first.tolist() == [0]
    profile = Profile(name="p", origin=Origin("x", ()), timeline=line)
    assert [by_id(profile, table) for table in ("flows", "flow-statistics", "instants", "counters")] == [None] * 4
    slices = by_id(profile, "slices")
    assert slices is not None
    assert slices.rows == 1


def test_empty_columns_have_their_types_and_are_read_only() -> None:
    line = slices_alone()
    ids, times, numbers = np.int32, np.float64, np.int64
    expected = {
        Flows: (ids, times, ids, numbers, times, ids, numbers),
        Counters: (ids, ids, ids, numbers, times, times),
        Instants: (numbers,),
    }
    for part in (line.flows, line.counters, line.instants):
        columns = [getattr(part, name) for name in part.__struct_fields__]
        assert [column.dtype for column in columns] == [np.dtype(kind) for kind in expected[type(part)]]
        assert not any(column.flags.writeable for column in columns)


def test_the_store_gives_back_empty_parts(tmp_path: Path) -> None:
    after = write_section(slices_alone(), tmp_path / "columns").section(tmp_path)
    assert isinstance(after, Timeline)
    assert (len(after.flows.to_slice), after.counters.first.tolist(), len(after.instants.slice)) == (0, [0], 0)
