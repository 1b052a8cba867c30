"""Lanes and stretches of a timeline, against slices that are counted one by one."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.parts import timelines
from app.analysis.timeline.times import slice_lanes
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from generators.timelines import counter, random_timeline, timeline, with_flows


def listed(line: Timeline) -> list[tuple[str, str, float, float]]:
    """(process, name, start, duration) of all slices."""
    lanes = slice_lanes(line)
    return [
        (
            line.strings.get(int(line.lanes.process[lane])),
            line.strings.get(int(name)),
            round(start, 9),
            round(duration, 9),
        )
        for lane, name, start, duration in zip(
            lanes.tolist(), line.slices.name, line.slices.start.tolist(), line.slices.duration.tolist(), strict=True
        )
    ]


@pytest.mark.parametrize("ends", [(0.0, 1e9), (100.0, 100.5), (250.25, 700.0), (999.0, 2000.0), (-5.0, 0.5)])
def test_a_stretch_has_what_lies_in_it_cut_at_its_ends(ends: tuple[float, float]) -> None:
    line = random_timeline(3000, 12)
    part = timelines.of_stretch(line, TimeRange(*ends))
    wanted = []
    for process, name, start, duration in listed(line):
        low, high = max(start, ends[0]), min(start + duration, ends[1])
        if high > low:
            wanted.append((process, name, low - ends[0], high - low))
    made = listed(part)
    assert [one[:2] for one in made] == [one[:2] for one in wanted]
    assert np.allclose([one[2:] for one in made], [one[2:] for one in wanted], atol=1e-6, rtol=0)
    assert part.slices.first[-1] == len(part.slices.start)
    assert part.lanes.first_row[-1] == len(part.slices.first) - 1
    assert part.origin == line.origin + Decimal(repr(ends[0]))


def test_what_has_no_length_belongs_to_the_stretch_that_begins_with_it() -> None:
    line = timeline([("p", "t", [[(0.0, 1.0, "a", ""), (1.0, 0.0, "mark", ""), (1.0, 2.0, "b", "")]])])
    before, after = (timelines.of_stretch(line, TimeRange(*ends)) for ends in ((0.0, 1.0), (1.0, 3.0)))
    assert [name for _, name, _, _ in listed(before)] == ["a"]
    assert [name for _, name, _, _ in listed(after)] == ["mark", "b"]


def test_lanes_keep_their_rows_counters_and_the_arrows_between_them() -> None:
    rows = [[(0.0, 4.0, "outer", "")], [(1.0, 1.0, "inner", "")]]
    line = timeline(
        [("left", "t", rows), ("right", "u", [[(5.0, 1.0, "x", ""), (7.0, 1.0, "y", "")]])],
    )
    line = with_flows(line, [(0, 2), (2, 3)])
    process = int(line.lanes.process[1])
    line = replace(line, counters=counter(process, process, np.array([0.0, 6.0]), np.array([1.0, 2.0])))
    known = np.array([False, True])
    part = timelines.of_lanes(line, known)
    assert listed(part) == [("right", "x", 5.0, 1.0), ("right", "y", 7.0, 1.0)]
    assert (part.flows.from_slice.tolist(), part.flows.to_slice.tolist()) == ([0], [1])
    assert part.flows.from_lane.tolist() == [0]
    assert part.strings.get(int(part.counters.process[0])) == "right"
    other = timelines.of_lanes(line, ~known)
    assert listed(other) == [("left", "outer", 0.0, 4.0), ("left", "inner", 1.0, 1.0)]
    assert other.lanes.first_row.tolist() == [0, 2]
    assert not len(other.counters.name)
    assert not len(other.flows.category)


def test_a_counter_begins_with_the_value_that_held_at_the_start() -> None:
    line = timeline([("p", "t", [[(0.0, 10.0, "a", "")]])])
    process = int(line.lanes.process[0])
    line = replace(line, counters=counter(process, process, np.array([1.0, 3.0, 8.0]), np.array([5.0, 6.0, 7.0])))
    part = timelines.of_stretch(line, TimeRange(2.0, 8.0))
    assert (part.counters.time.tolist(), part.counters.value.tolist()) == ([0.0, 1.0], [5.0, 6.0])
    exact = timelines.of_stretch(line, TimeRange(3.0, 9.0))
    assert (exact.counters.time.tolist(), exact.counters.value.tolist()) == ([0.0, 5.0], [6.0, 7.0])
    assert not len(timelines.of_stretch(line, TimeRange(0.0, 1.0)).counters.name)
