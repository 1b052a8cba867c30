"""Slices that are called otherwise are matched at their places; what was removed and what was added are not."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from app.analysis.compare.changes import changes
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.plans import plan_of
from app.analysis.compare.timelines import slice_matches
from app.profile.profile import Profile
from app.profile.timeline import TimeUnit
from generators.schedules import as_timeline, pipeline
from generators.timeline_pairs import of, profile

Slice = tuple[str, float]
"""Name and duration; slices of a lane run one after the other."""


def lane(*slices: Slice) -> Profile:
    rows, at = [], 0.0
    for name, duration in slices:
        rows.append((at, duration, name, ""))
        at += duration + 1.0
    return profile([("p", "t", [rows])])


def renamed(before: Profile, after: Profile) -> list[tuple[str, str]]:
    """Names of the slices that are matched by their places."""
    own, other = before.timeline, after.timeline
    assert own is not None
    assert other is not None
    matches = slice_matches(Comparison(before, after))
    pairs = zip(*(side.tolist() for side in matches.pairs), strict=True)
    texts = ((own.strings[own.slices.name[one]], other.strings[other.slices.name[two]]) for one, two in pairs)
    return [(one, two) for one, two in texts if one != two]


LOOP: tuple[Slice, ...] = (("load", 4.0), ("gemm", 9.0), ("store", 3.0)) * 6


def named(slices: Sequence[Slice], old: str, new: str, factor: float = 1.0) -> list[Slice]:
    return [(new, time * factor) if name == old else (name, time) for name, time in slices]


def test_a_name_at_the_same_places_is_renamed() -> None:
    after = named(LOOP, "gemm", "matmul", 1.5)
    assert renamed(lane(*LOOP), lane(*after)) == [("gemm", "matmul")] * 6
    comparison = Comparison(lane(*LOOP), lane(*after))
    assert slice_matches(comparison).counts() == {"name": 12, "place": 6}
    table = comparison.table("slice-statistics")
    assert table is not None
    assert table.matches.counts() == {"name": 2, "place": 1}
    told = [(change.how, change.before, change.after) for change in changes(table, plan_of(table.id, table.after))]
    assert told == [("renamed", "gemm", "matmul")]
    slices = comparison.table("slices")
    assert slices is not None
    assert list(changes(slices, plan_of(slices.id, slices.after))) == []  # not once more for each


def test_all_names_of_a_program_may_have_been_changed() -> None:
    assert len(renamed(lane(*LOOP), lane(*((f"new_{name}", time) for name, time in LOOP)))) == len(LOOP)


def test_numbers_in_names_do_not_count() -> None:
    before = [(f"{name}_{at}" if name == "gemm" else name, time) for at, (name, time) in enumerate(LOOP)]
    after = [(f"matmul_{3 * at}" if name == "gemm" else name, time) for at, (name, time) in enumerate(LOOP)]
    assert len(renamed(lane(*before), lane(*after))) == 6


def test_one_slice_is_renamed_beside_its_neighbours() -> None:
    before: list[Slice] = [*LOOP[:3], ("epilogue", 5.0), *LOOP]
    assert renamed(lane(*before), lane(*named(before, "epilogue", "finish"))) == [("epilogue", "finish")]
    assert renamed(lane(("a", 5.0)), lane(("b", 5.0))) == []  # nothing says so


OTHER_PLACE: list[Slice] = [one for one in LOOP if one[0] != "gemm"]


@pytest.mark.parametrize(
    "after",
    [
        [*OTHER_PLACE, *[("added", 9.0)] * 6],
        [*OTHER_PLACE[:1], *[("added", 9.0)] * 6, *OTHER_PLACE[1:]],
        named(LOOP, "gemm", "added", 2.5),
        named(LOOP, "gemm", "added", 0.3),
        [*named(LOOP[:12], "gemm", "added"), *OTHER_PLACE[8:]],
        [*named(LOOP, "gemm", "added"), ("added", 9.0), ("added", 9.0)],
        [*named(LOOP[:9], "gemm", "added"), *LOOP[9:]],
        [*named(LOOP[:9], "gemm", "added"), *named(LOOP[9:], "gemm", "another")],
    ],
    ids=["behind", "together", "longer", "shorter", "fewer", "more", "some of a name", "two names"],
)
def test_what_was_removed_and_what_was_added_are_not_joined(after: list[Slice]) -> None:
    assert renamed(lane(*LOOP), lane(*after)) == []
    assert renamed(lane(*after), lane(*LOOP)) == []


@pytest.mark.parametrize("seed", range(40))
def test_runs_of_different_programs_are_not_joined(seed: int) -> None:
    """As many slices, some names in common."""
    dice = random.Random(seed)
    sides = [
        lane(*((dice.choice(["copy", f"{side}{dice.randrange(9)}x"]), dice.uniform(1.0, 3.0)) for _ in range(60)))
        for side in "ab"
    ]
    assert renamed(sides[0], sides[1]) == []


def test_durations_are_compared_in_one_unit() -> None:
    def alternating(other: str, unit: TimeUnit, seconds: float | None) -> Profile:
        rows = [(3.0 * at, 2.0, f"a{other}"[at % 2], "") for at in range(12)]
        return profile([("p", "t", [rows])], unit=unit, seconds=seconds)

    after = alternating("c", "µs", 1e-6)
    assert len(renamed(alternating("b", "cycles", 1e-6), after)) == 6
    assert renamed(alternating("b", "cycles", None), after) == []


def test_arrows_follow_the_slices_at_their_ends() -> None:
    tasks = pipeline(8)
    other = [replace(task, name="WRITE", late=0.5) if task.name == "STORE" else task for task in tasks]
    before, after = (of(as_timeline(own)) for own in (tasks, other))
    comparison = Comparison(before, after)
    table = comparison.table("flows")
    assert table is not None
    assert table.matches.counts() == {"slices": len(table.matches.of_before)}
    assert before.timeline is not None
    assert after.timeline is not None
    partner = comparison.slices().of_before
    one, two = before.timeline.flows, after.timeline.flows
    rows, partners = table.matches.pairs
    assert (partner[one.from_slice[rows]] == two.from_slice[partners]).all()
    assert (partner[one.to_slice[rows]] == two.to_slice[partners]).all()


def test_an_arrow_whose_other_end_is_new_follows_the_slice_to_which_it_leads() -> None:
    """Each store waits for another load."""
    tasks = pipeline(8)
    moved = [replace(task, after=(max(at - 4, 0),)) if task.name == "STORE" else task for at, task in enumerate(tasks)]
    comparison = Comparison(of(as_timeline(tasks)), of(as_timeline(moved)))
    table = comparison.table("flows")
    assert table is not None
    assert table.matches.whole
    assert table.matches.counts() == {"slices": len(table.matches.of_before)}
