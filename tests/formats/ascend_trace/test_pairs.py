"""Begins and ends that overlap or have lost their partner, against a search of everything that is open."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.ascend_trace import FORMAT, slices
from app.formats.collect import read
from app.profile.profile import Profile

NAMELESS = 0
Point = tuple[int, int, bool, int]  # lane, time, begins, name

points = st.tuples(st.integers(0, 2), st.integers(0, 12), st.booleans(), st.integers(0, 3))


@settings(max_examples=300, deadline=None)
@given(st.lists(points, max_size=40))
def test_each_end_closes_the_last_open_begin_of_its_name(events: list[Point]) -> None:
    made = by_stack(events)
    assert sorted(zip(made.first.tolist(), made.second.tolist(), strict=True)) == sorted(by_search(events))
    both = {*made.first.tolist(), *made.second.tolist()}
    assert len(both) == 2 * len(made.first)
    assert made.alone.tolist() == [index for index in range(len(events)) if index not in both]


def by_stack(events: list[Point]) -> slices.Pairs:
    lane, moment, begins, name = (
        (np.array(column) for column in zip(*events, strict=True)) if events else [np.empty(0)] * 4
    )
    return slices.by_stack(
        lane.astype(np.int32), moment.astype(float), begins.astype(bool), name.astype(np.int32), NAMELESS
    )


def by_search(events: list[Point]) -> list[tuple[int, int]]:
    """The pairs, by looking through all begins of the lane that are open."""
    made, open_ = [], dict[int, list[int]]()
    passed: list[int] = []
    for index in sorted(range(len(events)), key=lambda index: (*events[index][:2], index)):
        lane, _, begins, name = events[index]
        here = open_.setdefault(lane, [])
        if begins:
            here.append(index)
            continue
        nested = [begin for begin in here if begin not in passed]
        if name == NAMELESS:
            late = [begin for begin in passed if begin in here]
            begin = nested[-1] if nested else late[-1] if late else None
        else:
            begin = next((begin for begin in reversed(here) if events[begin][3] == name), None)
            if begin in nested:
                passed += reversed(nested[nested.index(begin) + 1 :])
        if begin is not None:
            here.remove(begin)
            made.append((begin, index))
    return made


keyed = st.tuples(st.integers(0, 2), st.booleans(), st.integers(0, 12))


@settings(max_examples=300, deadline=None)
@given(st.lists(keyed, max_size=30))
def test_pairs_by_id_never_end_before_they_begin(events: list[tuple[int, bool, int]]) -> None:
    group, first, moment = (np.array([event[k] for event in events]) for k in range(3))
    made = slices.by_key(group.astype(np.int64), first.astype(bool), moment.astype(float))
    assert np.all(moment[made.second] >= moment[made.first])
    assert np.all(group[made.second] == group[made.first])
    for key in range(3):
        open_, count = 0, 0
        for _, ends, _ in sorted((at, not begins, k) for k, begins, at in events if k == key):
            count += ends and open_ > 0
            open_ += -1 if ends and open_ else 0 if ends else 1
        assert np.count_nonzero(group[made.first] == key) == count


def test_very_many_open_begins_cost_no_look_at_each() -> None:
    count = 100_000
    begins = np.concatenate((np.ones(count, bool), np.zeros(count, bool)))
    name = np.concatenate((1 + np.arange(count), 1 + np.arange(count))).astype(np.int32)  # the first ends first
    moment, zero = np.arange(2.0 * count), np.zeros(2 * count, np.int32)
    before = time.process_time()
    made = slices.by_stack(zero, moment, begins, name, NAMELESS)
    assert time.process_time() - before < 5
    assert np.all(made.second - made.first == count)
    assert not len(made.alone)


def opened(path: Path, events: list[dict[str, Any]]) -> Profile:
    path.write_bytes(orjson.dumps([{"pid": "core0.veccore0", "tid": "VECTOR", **event} for event in events]))
    (profile,) = read(FORMAT, [path])
    return profile


def spans(profile: Profile) -> list[tuple[str, str, float, float]]:
    """(process, name, start, end) of each slice, by row."""
    made = profile.timeline
    assert made is not None
    lane = np.repeat(
        np.repeat(np.arange(len(made.lanes.process)), np.diff(made.lanes.first_row)), np.diff(made.slices.first)
    )
    return [
        (made.strings[int(made.lanes.process[on])], made.strings[int(name)], float(start), float(start + length))
        for on, name, start, length in zip(lane, made.slices.name, made.slices.start, made.slices.duration, strict=True)
    ]


def test_begins_and_ends_that_cross_are_slices_that_overlap(tmp_path: Path) -> None:
    events = [("B", "a", 0), ("B", "b", 2), ("E", "a", 5), ("E", "b", 9)]
    profile = opened(tmp_path / "t.json", [{"ph": ph, "name": name, "ts": ts} for ph, name, ts in events])
    assert [entry[1:] for entry in spans(profile)] == [("a", 0, 5), ("b", 2, 9)]
    assert profile.issues == ()


def test_what_has_no_partner_is_an_issue_and_spoils_no_other_pair(tmp_path: Path) -> None:
    events = [("E", "lost", 1), ("B", "a", 2), ("B", "open", 3), ("B", "c", 4), ("E", "c", 5), ("E", "a", 6)]
    profile = opened(tmp_path / "t.json", [{"ph": ph, "name": name, "ts": ts} for ph, name, ts in events])
    assert [entry[1:] for entry in spans(profile)] == [("a", 2, 6), ("c", 4, 5)]
    assert [(issue.severity, "2 × begin or end without its partner" in issue.text) for issue in profile.issues] == [
        ("info", True)
    ]


def test_flags_whose_ids_count_in_each_core_pair_in_their_core(tmp_path: Path) -> None:
    flags = [("B", "core0", 0), ("B", "core1", 1), ("E", "core1", 2), ("E", "core0", 9)]
    profile = opened(
        tmp_path / "t.json", [{"ph": ph, "name": "SET_FLAG", "id": 3, "pid": core, "ts": ts} for ph, core, ts in flags]
    )
    assert spans(profile) == [("core0", "SET_FLAG", 0, 9), ("core1", "SET_FLAG", 1, 2)]
    assert profile.issues == ()


def test_an_end_that_lost_its_begin_does_not_shift_the_flags_after_it(tmp_path: Path) -> None:
    flags = [("E", 1), ("B", 2), ("E", 4), ("B", 5), ("E", 8)]
    profile = opened(tmp_path / "t.json", [{"ph": ph, "name": "WAIT_FLAG", "id": "x_1", "ts": ts} for ph, ts in flags])
    assert [entry[2:] for entry in spans(profile)] == [(2, 4), (5, 8)]
    assert len(profile.issues) == 1
