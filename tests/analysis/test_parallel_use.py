"""Slices that run side by side: busy times are unions, sums and counts of them are kept apart. Against a count of every
unit of time."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.table import Table
from app.analysis.tables import timeline as tables
from app.analysis.timeline.intervals import busy, lane_spans, most_at_once, parallel, union_lengths
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.timeline import Timeline
from generators.ascend_hostile import trace
from generators.reading import profile_of

Interval = tuple[int, int, int]  # group, start, length

INTERVALS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 30), st.integers(0, 12)), max_size=40)
END = 50


def by_counting(intervals: list[Interval], group: int, low: int = 0, high: int = END) -> tuple[int, int, int]:
    """(covered, summed, most at once) from ``low`` to ``high``."""
    running = np.zeros(END, np.int64)
    for of, start, length in intervals:
        if of == group:
            running[start : start + length] += 1
    running = running[low:high]
    return int(np.count_nonzero(running)), int(running.sum()), int(running.max(initial=0))


@given(INTERVALS)
def test_unions_are_what_counting_gives(intervals: list[Interval]) -> None:
    group, start, length = (np.array([one[k] for one in intervals], np.int64) for k in range(3))
    expected = [by_counting(intervals, number) for number in range(4)]
    assert union_lengths(start, start + length, group, 4).tolist() == [covered for covered, _, _ in expected]
    floats = start / 4.0, (start + length) / 4.0
    assert union_lengths(*floats, group, 4).tolist() == [covered / 4 for covered, _, _ in expected]
    assert most_at_once(*floats, group, 4).tolist() == [most for _, _, most in expected]


def made(intervals: list[Interval]) -> Profile:
    events = [
        {"ph": "X", "pid": "p", "tid": f"t{lane}", "name": "s", "ts": start, "dur": length}
        for lane, start, length in intervals
    ]
    return profile_of(FORMAT, trace(events))


def line_of(profile: Profile) -> Timeline:
    assert profile.timeline is not None
    return profile.timeline


@given(INTERVALS.filter(bool), st.integers(0, 20), st.integers(1, 20))
def test_all_of_them_agree_in_a_timeline(intervals: list[Interval], low: int, length: int) -> None:
    line = line_of(made(intervals))
    lanes = [int(line.strings[int(name)][1:]) for name in line.lanes.thread]
    for stretch, ends in ((None, (0, END)), (TimeRange(low, low + length), (low, low + length))):
        expected = [by_counting(intervals, lane, *ends) for lane in lanes]
        beside = parallel(line, stretch)
        assert busy(line, stretch).tolist() == [covered for covered, _, _ in expected]
        assert beside.summed.tolist() == [summed for _, summed, _ in expected]
        assert beside.at_once.tolist() == [most for _, _, most in expected]
        assert [lane_spans(line, lane, stretch).total for lane in range(len(lanes))] == busy(line, stretch).tolist()


def test_rounded_times_are_not_at_once() -> None:
    """Slices that follow one another overlap by rounding, in single precision."""
    cycles = np.arange(0, 4_000, 7)
    lasts = float(np.float32(7 / 1850))
    events = [
        {"ph": "X", "pid": "p", "tid": lane, "name": "s", "ts": float(np.float32(at / 1850)), "dur": lasts}
        for at in cycles.tolist()
        for lane in ("one", "two", "two")
    ]
    line = line_of(profile_of(FORMAT, trace(events)))
    assert np.diff(line.lanes.first_row).tolist() == [1, 2]
    beside = parallel(line)
    assert beside.at_once.tolist() == [1, 2]
    share = beside.summed / busy(line)
    assert share.tolist() == pytest.approx([1, 2], rel=1e-4)


def test_the_table_of_lanes_explains_more_than_all_of_the_time() -> None:
    profile = made([(0, 0, 10), (0, 2, 8), (0, 4, 6), (1, 0, 5)])
    table = tables.lanes(profile)
    assert table is not None
    shown = {column.key: [column.value(row) for row in range(2)] for column in table.columns}
    assert shown["busy_share"] == [100.0, 50.0]
    assert shown["at_once"] == [3, 1]
    assert shown["summed_share"] == [240.0, 50.0]
    within = tables.lanes(profile, TimeRange(0, 4))
    assert within is not None
    assert _value(within, "at_once") == 2
    assert _value(within, "summed_share") == 150.0


def _value(table: Table, key: str) -> object:
    return next(column for column in table.columns if column.key == key).value(0)


def test_a_table_of_lanes_without_overlaps_does_not_speak_of_them() -> None:
    table = tables.lanes(made([(0, 0, 10), (1, 2, 8)]))
    assert table is not None
    assert not {"at_once", "summed_share"} & {column.key for column in table.columns}


def test_a_million_overlapping_slices_cost_little() -> None:
    rng = np.random.default_rng(2)
    start = np.sort(rng.integers(0, 10_000_000, 1_000_000)).astype(float)
    end = start + rng.integers(1, 8_000, len(start))
    group = np.zeros(len(start), np.int64)
    before = time.process_time()
    covered, most = union_lengths(start, end, group, 1), most_at_once(start, end, group, 1)
    assert time.process_time() - before < 5
    assert covered[0] <= 10_008_000
    assert most[0] > 300


def test_the_busy_times_of_a_real_program_are_those_of_the_format_page() -> None:
    path = Path(__file__).parents[3] / "shared" / "samples" / "ascend-ffn-dense.trace.json"
    if not path.exists():
        pytest.skip("the real trace (../shared/samples) is not on this machine")
    line = line_of(read(FORMAT, [path])[0])
    threads = [line.strings[int(thread)] for thread in line.lanes.thread]
    used = busy(line)
    for kind, total in (("AIC", 1501.02), ("AIV", 261.12)):
        lanes = [lane for lane, thread in enumerate(threads) if thread.startswith(kind)]
        assert used[lanes].sum() == pytest.approx(total, abs=0.005)
    assert (len(threads), len(line.slices.start)) == (58, 114)
    assert parallel(line).at_once.tolist() == [1] * 58
