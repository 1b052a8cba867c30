"""Lanes belong together by what they do, whatever ids the system gave them; slices lane by lane."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.compare.changes import changes
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matched import Matches
from app.analysis.compare.matching import pair_of
from app.analysis.compare.names import core, named, role
from app.analysis.compare.plans import plan_of
from app.analysis.compare.ranking import ranking
from app.analysis.compare.timelines import lane_matches, slice_matches
from app.analysis.timeline.times import slice_lanes
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from generators import torch_trace
from generators.reading import profile_of
from generators.timeline_pairs import lanes, profile

Lane = tuple[str, str, list[str]]
"""Process, thread, names of slices one after another."""


def made(lanes_: Sequence[Lane]) -> Profile:
    rows = [
        (process, thread, [[(3.0 * at, 2.0, name, "") for at, name in enumerate(names)]])
        for process, thread, names in lanes_
    ]
    return profile(rows)


def pairs(matches: Matches) -> list[tuple[int, int]]:
    return list(zip(*(side.tolist() for side in matches.pairs), strict=True))


def shifted(value: Any) -> Any:
    """An id with 7 more, written as it was."""
    if isinstance(value, (int, float)):
        return value + 7
    return str(int(value) + 7) if isinstance(value, str) and value.lstrip("-").isdecimal() else value


@pytest.mark.parametrize("seed", range(8))
def test_a_copy_with_other_ids_has_no_difference(seed: int) -> None:
    events = torch_trace.events(6, seed)
    copy = [{**event, **{key: shifted(event[key]) for key in ("pid", "tid") if key in event}} for event in events]
    before, after = (profile_of(FORMAT, torch_trace.text(one)) for one in (events, copy))
    comparison = Comparison(before, after)
    for table in comparison.tables():
        assert table.matches.whole, table.id
        assert not table.changed.any(), table.id
    assert slice_matches(comparison).whole
    assert ranking(comparison).same
    assert not any(figure.changed for figure in comparison.figures if isinstance(figure.after, (int, float)))


def test_published_traces_of_two_versions_of_a_program(shared_samples: Path) -> None:
    """Bound by equal names in matched lanes: 40,844 with numbers in names, of 74,939."""
    sides = []
    for name in ("control", "test"):
        jobs, _ = plan([shared_samples / "traces" / f"{name}.json.gz"])
        sides += read(jobs[0].format, jobs[0].paths)
    comparison = Comparison(sides[0], sides[1])
    assert lane_matches(comparison).whole
    assert len(slice_matches(comparison).pairs[0]) >= 40_562


NAMES = st.lists(st.sampled_from(["load", "mmad", "add 1", "add 2", "store"]), max_size=12)
LANES = st.lists(
    st.tuples(st.sampled_from(["host", "device"]), st.sampled_from(["thread", "stream"]), NAMES), max_size=7
)


def with_ids(rows: Sequence[Lane], start: int) -> list[Lane]:
    return [
        (f"{process} ({start + at})", f"{thread} {start + 3 * at}", names)
        for at, (process, thread, names) in enumerate(rows)
    ]


@settings(deadline=None)
@given(LANES, st.integers(0, 999), st.integers(0, 999), st.randoms(use_true_random=False))
def test_other_ids_and_another_order_leave_the_matching_complete(
    rows: list[Lane], first: int, second: int, dice: random.Random
) -> None:
    moved = list(rows)
    dice.shuffle(moved)
    comparison = Comparison(made(with_ids(rows, first)), made(with_ids(moved, second)))
    assert lane_matches(comparison).whole
    assert slice_matches(comparison).whole


@settings(deadline=None)
@given(LANES, LANES)
def test_no_slice_is_matched_twice_and_the_order_of_a_name_is_kept(before: list[Lane], after: list[Lane]) -> None:
    comparison = Comparison(made(with_ids(before, 10)), made(with_ids(after, 200)))
    own, other = comparison.before.timeline, comparison.after.timeline
    assert own is not None
    assert other is not None
    matches, of_lanes = slice_matches(comparison), lane_matches(comparison).of_before
    rows, partners = matches.pairs
    assert len(set(partners.tolist())) == len(partners)
    last: dict[tuple[int, str], int] = {}
    lane, lane_after = slice_lanes(own), slice_lanes(other)
    for row, partner in zip(rows.tolist(), partners.tolist(), strict=True):
        name, name_after = (side.strings[side.slices.name[at]] for side, at in ((own, row), (other, partner)))
        assert role(name) == role(name_after)
        if of_lanes[lane[row]] == lane_after[partner] and name == name_after:
            assert last.get((int(lane[row]), name), -1) < partner
            last[int(lane[row]), name] = partner


@settings(deadline=None)
@given(LANES, st.randoms(use_true_random=False))
def test_of_what_is_left_out_nothing_else_loses_its_partner(rows: list[Lane], dice: random.Random) -> None:
    """Slices are removed from each lane: as many of every name are matched as are left of it."""
    fewer = [(process, thread, [name for name in names if dice.random() < 0.8]) for process, thread, names in rows]
    comparison = Comparison(made(with_ids(rows, 1)), made(with_ids(fewer, 1)))
    if lane_matches(comparison).of_before.tolist() == list(range(len(rows))):
        assert not len(slice_matches(comparison).only_after)


def test_a_removed_slice_leaves_the_others_of_its_name_with_theirs() -> None:
    names = ["load", "add", "add", "store"] * 5
    matches = slice_matches(Comparison(made([("p", "t", names)]), made([("p", "t", names[:9] + names[10:])])))
    assert len(matches.only_after) == 0
    assert pairs(matches) == [(at, at - (at > 9)) for at in range(20) if at != matches.only_before[0]]
    assert matches.only_before[0] in (9, 10)


def test_lanes_are_matched_by_their_slices_where_several_have_one_role() -> None:
    before = made([("p (1)", "stream 7", ["a"] * 9), ("p (1)", "stream 8", ["b"] * 9)])
    after = made([("p (4)", "stream 3", ["b"] * 9), ("p (4)", "stream 9", ["a"] * 8)])
    assert pairs(lane_matches(Comparison(before, after))) == [(0, 1), (1, 0)]


def test_a_name_outweighs_one_slice_more() -> None:
    after = made([("p", "lane 1", ["a"] * 13), ("p", "lane 2", ["a"] * 12)])
    before = made([("p", "lane 1", ["a"] * 12), ("p", "lane 2", ["a"] * 13)])
    assert pairs(lane_matches(Comparison(before, after))) == [(0, 0), (1, 1)]


def test_very_many_lanes_of_a_role_are_matched_by_name() -> None:
    """More pairs than are weighed: one lane that is gone shifts no other."""
    every = [("p", f"worker {number}", ["a", "b"]) for number in range(1100)]
    comparison = Comparison(made(every), made([*every[:3], *every[4:]]))
    assert lane_matches(comparison).of_before.tolist() == [0, 1, 2, -1, *range(3, 1099)]
    later = [(process, f"worker {number + 7}", names) for number, (process, _, names) in enumerate(every)]
    assert lane_matches(Comparison(made(every), made(later))).whole


def test_a_renamed_lane_is_known_by_its_slices_and_shown_as_renamed() -> None:
    comparison = Comparison(made([("p", "compute", ["a", "b"])]), made([("p", "queue", ["a", "b"])]))
    table = comparison.table("lanes")
    assert table is not None
    assert table.matches.counts() == {"role": 1}
    assert table.changed.all()
    assert [(change.how, change.before, change.after) for change in changes(table, plan_of("lanes", table.after))] == [
        ("renamed", "p · compute", "p · queue")
    ]
    slices = comparison.table("slices")
    assert slices is not None
    assert slices.matches.whole


def test_slices_that_went_to_another_lane_of_the_role_are_found_there() -> None:
    before = made([("p", "worker 1", ["a"] * 6 + ["x"]), ("p", "worker 2", ["b"] * 6)])
    after = made([("p", "worker 1", ["a"] * 6), ("p", "worker 2", ["b"] * 6 + ["x"])])
    matches = slice_matches(Comparison(before, after))
    assert matches.whole
    assert matches.counts()["role"] == 1


def test_cores_belong_to_the_core_of_their_number_only() -> None:
    before = made([("core0.veccore0", "MTE2", ["a"] * 4), ("core0.veccore1", "MTE2", ["b"] * 4)])
    after = made([("core0.veccore1", "MTE2", ["a"] * 4), ("core1.veccore1", "MTE2", ["b"] * 4)])
    assert pairs(lane_matches(Comparison(before, after))) == [(1, 0)]


def test_slices_follow_lanes_that_are_paired_by_hand() -> None:
    before = made([("p", "t 1", ["a"] * 4), ("p", "t 2", ["a"] * 4)])
    plain = Comparison(before, before)
    table = plain.table("lanes")
    assert table is not None
    assert table.before is not None
    pair = pair_of("lanes", (table.before, 0), (table.before, 1))
    matches = slice_matches(Comparison(before, before, pairs=(pair,)))
    assert pairs(matches)[:4] == [(0, 4), (1, 5), (2, 6), (3, 7)]


def test_exact_names_are_not_ignored_if_the_setting_says_so() -> None:
    before, after = (made([("p", "t", [f"step {number}", "b"])]) for number in (1, 2))
    assert slice_matches(Comparison(before, after)).counts() == {"name": 1, "similar-name": 1}
    assert slice_matches(Comparison(before, after, names="exact")).counts() == {"name": 1}


@pytest.mark.parametrize(
    ("text", "bare", "without"),
    [
        ("python3.8 (3113936) [CPU]", "python3.8 [CPU]", "python# [CPU]"),
        ("thread 3113936 (python3.8)", "thread 3113936 (python3.8)", "thread # (python#)"),
        ("-1029147072", "", ""),
        ("VECTOR", "VECTOR", "VECTOR"),
    ],
)
def test_what_the_system_gave_is_no_part_of_a_name(text: str, bare: str, without: str) -> None:
    assert (named(text), role(text)) == (bare, without)


@pytest.mark.parametrize(
    "process", ["core0.veccore1", "warp.core0.veccore1", "replay1.group0.veccore0", "veccore", "core3"]
)
def test_what_is_a_core(process: str) -> None:
    assert core(process) is not None
    assert core(f"{process} of something") is None


def test_copies_of_lanes_have_no_difference_in_busy_time() -> None:
    comparison = Comparison(profile(lanes()), profile(lanes()[::-1]))
    table = comparison.table("lanes")
    assert table is not None
    assert not table.changed.any()
    assert np.array_equal(lane_matches(comparison).of_before, [2, 1, 0])
