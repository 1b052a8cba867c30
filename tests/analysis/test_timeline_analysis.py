"""Timelines against loops over their slices."""

from __future__ import annotations

from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from app.analysis.matching import BadPattern
from app.analysis.relations import translate
from app.analysis.tables import by_id
from app.analysis.tables.timeline import lanes as lane_table
from app.analysis.timeline import statistics
from app.analysis.timeline.intervals import busy
from app.analysis.timeline.statistics import by_name, named, self_time
from app.analysis.timeline.times import extent, flow_counts, lane_counts, slice_lanes, within
from app.formats.timeline_build import Events, build
from app.profile.profile import Origin, Profile
from app.profile.selection import Selection, TimeRange
from app.profile.strings import Strings
from app.profile.timeline import Flows, Lanes, Timeline

NAMES = ("VADD", "MOV_OUT", "mov", "")
LANES = 3
Slice = tuple[int, int, int, int]  # lane, start, duration, name


def made(slices: list[Slice]) -> Timeline:
    lane, start, duration, name = (np.array([s[k] for s in slices]) for k in range(4))
    count = len(slices)
    built = build(
        Events(
            lane.astype(np.int32),
            start.astype(float),
            duration.astype(float),
            name.astype(np.int32),
            np.full(count, -1, np.int32),
            np.arange(count),
            np.full(count, -1, np.int64),
        ),
        LANES,
    )
    lanes = Lanes(np.array([4, 4, 5], np.int32), np.array([6, 7, 8], np.int32), built.first_row)
    texts = Strings.of([*NAMES, "core0", "core1", "MTE2", "VECTOR", "SCALAR"])
    return Timeline("µs", 1e-6, texts, lanes, built.slices)


def back(timeline: Timeline, slices: list[Slice]) -> list[Slice]:
    """The slices in the timeline's order."""
    return [slices[i] for i in timeline.slices.record]


def clipped(slices: list[Slice], stretch: TimeRange | None) -> list[tuple[int, float, float, int]]:
    """(lane, start, end, name) of what lies inside."""
    if stretch is None:
        return [(lane, start, start + duration, name) for lane, start, duration, name in slices]
    found = []
    for lane, start, duration, name in slices:
        a, b = max(start, stretch.start), min(start + duration, stretch.end)
        if b > a or (duration == 0 and a == b == start):
            found.append((lane, a, b, name))
    return found


many = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(0, 12), st.integers(0, 3)), max_size=25)
stretches = st.none() | st.tuples(st.integers(-2, 30), st.integers(1, 20)).map(lambda p: TimeRange(p[0], p[0] + p[1]))


@settings(max_examples=200, deadline=None)
@given(many, stretches)
def test_busy_is_the_union(slices: list[Slice], stretch: TimeRange | None) -> None:
    timeline = made(slices)
    parts = clipped(slices, stretch)
    units = [{t for lane, a, b, _ in parts if lane == wanted for t in range(int(a), int(b))} for wanted in range(LANES)]
    assert busy(timeline, stretch).tolist() == [len(covered) for covered in units]
    table = lane_table(Profile(name="p", origin=Origin("x", ()), timeline=timeline), stretch)
    assert table is not None
    whole = extent(timeline)
    length = stretch.end - stretch.start if stretch else (whole[1] - whole[0] if whole else 0)
    share = next(column.values for column in table.columns if column.key == "busy_share")
    assert isinstance(share, np.ndarray)
    assert np.all(np.isnan(share)) if not length else np.allclose(share, [100 * len(u) / length for u in units])


@settings(max_examples=200, deadline=None)
@given(many, stretches, st.booleans())
def test_statistics_by_name(slices: list[Slice], stretch: TimeRange | None, some: bool) -> None:
    timeline = made(slices)
    chosen = np.arange(0, len(slices), 2) if some else None
    taken = back(timeline, slices)[::2] if some else slices
    found = by_name(timeline, stretch, chosen)
    expected: dict[int, list[float]] = {}
    whole: dict[int, list[float]] = {}
    for one in taken:
        for _, a, b, name in clipped([one], stretch):
            expected.setdefault(name, []).append(b - a)
            if (a, b) == (one[1], one[1] + one[2]):
                whole.setdefault(name, []).append(b - a)
    everything = found.self_total.sum()
    assert sorted(found.name.tolist()) == sorted(expected)
    assert found.total.tolist() == sorted(found.total.tolist(), reverse=True)
    for row, name in enumerate(found.name.tolist()):
        values = expected[name]
        assert found.count[row] == len(values)
        assert found.total[row] == sum(values)
        each, own = found.each, whole.get(name, [])
        assert (found.cut[row], each.count[row]) == (len(values) - len(own), len(own))
        if own:
            assert each.mean[row] == pytest.approx(sum(own) / len(own))
            assert (each.least[row], each.median[row], each.most[row]) == (min(own), median(own), max(own))
        else:
            assert np.isnan([each.mean[row], each.least[row], each.median[row], each.most[row]]).all()
        assert (
            np.isnan(found.share[row])
            if not everything
            else found.share[row] == pytest.approx(found.self_total[row] / everything)
        )
    if some:
        mask = np.zeros(len(slices), np.bool_)
        mask[::2] = True
        assert by_name(timeline, stretch, mask).total.tolist() == found.total.tolist()


@settings(max_examples=100, deadline=None)
@given(many, stretches)
def test_slices_in_a_range(slices: list[Slice], stretch: TimeRange | None) -> None:
    timeline = made(slices)
    if stretch is None:
        return
    ordered = back(timeline, slices)
    inside = [i for i, s in enumerate(ordered) if clipped([s], stretch)]
    assert np.flatnonzero(within(timeline, stretch)).tolist() == inside


@settings(max_examples=100, deadline=None)
@given(many)
def test_lanes_of_slices(slices: list[Slice]) -> None:
    timeline = made(slices)
    ordered = back(timeline, slices)
    assert slice_lanes(timeline).tolist() == [s[0] for s in ordered]
    assert lane_counts(timeline).tolist() == [sum(s[0] == lane for s in slices) for lane in range(LANES)]
    profile = Profile(name="p", origin=Origin("x", ()), timeline=timeline)
    lanes = sorted({s[0] for s in slices})
    if lanes:
        chosen = translate(profile, Selection("lane", (lanes[0],)), "slice")
        assert chosen.tolist() == [i for i, s in enumerate(ordered) if s[0] == lanes[0]]
        assert translate(profile, Selection("slice", tuple(chosen.tolist())), "lane").tolist() == [lanes[0]]


def test_self_time_of_nested_slices() -> None:
    #  0: main 0-20, 1: f 2-8 with g 3-5, h 10-12; another lane does not count
    slices = [(0, 0, 20, 0), (0, 2, 6, 1), (0, 3, 2, 2), (0, 10, 2, 2), (1, 4, 4, 0)]
    timeline = made(slices)
    by_record = dict(zip(timeline.slices.record.tolist(), self_time(timeline).tolist(), strict=True))
    assert by_record == {0: 12, 1: 4, 2: 2, 3: 2, 4: 4}


@given(
    slices=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(0, 12), st.integers(0, 3)), min_size=1, max_size=60
    )
)
def test_self_times_by_a_sweep_are_those_by_looking_at_each_row(slices: list[Slice]) -> None:
    timeline = made(slices)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "MANY_ROWS", 1)
        swept = self_time(timeline)
        patch.setattr(statistics, "MANY_ROWS", 10**9)
        looked = self_time(timeline)
    assert swept.tolist() == looked.tolist()


def test_search_of_names() -> None:
    timeline = made([(0, 0, 1, 0), (0, 1, 1, 1), (0, 2, 1, 2), (0, 3, 1, 3)])

    def found(text: str, **how: bool) -> list[str]:
        mask = named(timeline, text, **how)
        return [timeline.strings[int(n)] for n in timeline.slices.name[mask]]

    assert found("mov") == ["MOV_OUT", "mov"]
    assert found("mov", case=True) == ["mov"]
    assert found("mov", whole=True) == ["mov"]
    assert found("^[VM].*D$", regex=True) == ["VADD"]
    assert found("a|mov", regex=True, whole=True) == ["mov"]
    assert found("") == []
    assert found("core0") == []
    with pytest.raises(BadPattern):
        found("(", regex=True)


def test_tables_show_units_and_missing_figures() -> None:
    timeline = made([(0, 0, 10, 0), (0, 20, 10, 1), (2, 5, 5, 0)])
    profile = Profile(name="p", origin=Origin("x", ()), timeline=timeline)
    lanes = by_id(profile, "lanes")
    assert lanes is not None
    cells = {column.key: [column.value(row) for row in range(lanes.rows)] for column in lanes.columns}
    assert cells["process"] == ["core0", "core0", "core1"]
    assert cells["busy"] == [20, None, 5]
    assert cells["busy_share"] == [pytest.approx(100 * 20 / 30), None, pytest.approx(100 * 5 / 30)]
    assert cells["end"] == [30, None, 10]
    slices = by_id(profile, "slices")
    assert slices is not None
    assert slices.selects == "slice"
    assert [slices.columns[0].value(row) for row in range(3)] == ["VADD", "MOV_OUT", "VADD"]
    assert "address" not in {column.key for column in slices.columns}
    assert by_id(profile, "flows") is None
    assert by_id(profile, "counters") is None


def test_a_timeline_without_slices() -> None:
    timeline = made([])
    profile = Profile(name="p", origin=Origin("x", ()), timeline=timeline)
    assert extent(timeline) is None
    assert busy(timeline).tolist() == [0, 0, 0]
    assert len(by_name(timeline)) == 0
    assert self_time(timeline).tolist() == []
    assert by_id(profile, "slices") is None


def test_categories_of_flows_by_how_many_there_are() -> None:
    timeline = made([(0, 0, 10, 0), (0, 20, 10, 1)])
    assert flow_counts(timeline) == {}
    ids = np.array([1, 0, 1, -1, 1], np.int32)
    zeros, lanes, slices = np.zeros(5), np.zeros(5, np.int32), np.zeros(5, np.int64)
    flows = Flows(ids, zeros, lanes, slices, zeros, lanes, slices)
    assert list(flow_counts(replace(timeline, flows=flows)).items()) == [("MOV_OUT", 3), ("", 1), ("VADD", 1)]
