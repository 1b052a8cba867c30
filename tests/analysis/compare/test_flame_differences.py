"""The flame graph of two trees against a calculation by recursion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE
from app.analysis.compare.trees import FlameDifferences, TreeDifferences, flame_differences, tree_differences
from app.analysis.trees import step_tree
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    folder: Path = tmp_path_factory.mktemp("run")
    (made,) = read(FORMAT, poplar.write_pair(folder, poplar.Scale(compute_sets=20, loops=3)))
    return made


def without(profile: Profile, compute_set: int) -> Profile:
    """The same without the steps of one compute set."""
    steps = profile.steps
    assert steps is not None
    cycles, name = steps.cycles.copy(), steps.name.copy()
    cycles[steps.compute_set == compute_set] = 0
    other = int(name[np.flatnonzero(steps.compute_set == compute_set + 1)[0]])
    name[steps.compute_set == compute_set] = other
    return replace(profile, steps=replace(steps, cycles=cycles, name=name))


def slower(profile: Profile, compute_set: int, more: int) -> Profile:
    steps = profile.steps
    assert steps is not None
    cycles = steps.cycles.copy()
    cycles[steps.compute_set == compute_set] += more
    return replace(profile, steps=replace(steps, cycles=cycles))


def both(before: Profile, after: Profile) -> TreeDifferences:
    one, other = step_tree(before), step_tree(after)
    assert one is not None
    assert other is not None
    return tree_differences(Comparison(before, after), one.hierarchy, other.hierarchy)


def graph(before: Profile, after: Profile, *, baseline: bool = False) -> FlameDifferences:
    made = both(after, before) if baseline else both(before, after)
    return flame_differences(made, "cycles", baseline=baseline)


def check_against_recursion(made: FlameDifferences, differences: TreeDifferences) -> None:
    """Widths and places, worked out frame by frame from the tree."""
    column = differences.compared.column("cycles")
    assert column is not None
    sides = [differences.compared.cells(column, after=after).values for after in (False, True)]
    status = differences.compared.status
    place = {int(item): number for number, item in enumerate(made.item)}
    assert len(place) == len(made)

    def width(item: int) -> float:
        elided = status[item] == ONLY_BEFORE
        return float(sides[0 if elided else 1][item]) + (0.0 if elided else more(item))

    def more(item: int) -> float:
        kids = [int(kid) for kid in differences.merged.below.row(item)]
        return sum(width(kid) if status[kid] == ONLY_BEFORE else more(kid) for kid in kids)

    def check(item: int, left: float) -> None:
        assert made.left[place[item]] == pytest.approx(left)
        assert made.width[place[item]] == pytest.approx(width(item))
        for kid in differences.merged.below.row(item):
            check(int(kid), left)
            left += width(int(kid))

    left = 0.0
    for root in differences.merged.roots:
        check(int(root), left)
        left += width(int(root))


def test_itself_against_itself_differs_nowhere(profile: Profile) -> None:
    made = graph(profile, profile)
    assert len(made) == len(step_tree(profile).hierarchy.below)  # type: ignore[union-attr]
    assert (made.status == BOTH).all()
    assert not made.elided.any()
    assert not np.nan_to_num(made.difference).any()
    check_against_recursion(made, both(profile, profile))


def test_a_slower_compute_set_is_that_frame_and_those_above(profile: Profile) -> None:
    after = slower(profile, 3, 1000)
    made = graph(profile, after)
    check_against_recursion(made, both(profile, after))
    differing = np.flatnonzero(np.nan_to_num(made.difference))
    assert len(set(made.difference[differing].tolist())) == 1
    assert made.difference[differing[0]] % 1000 == 0
    levels = np.searchsorted(made.first, differing, "right") - 1
    assert levels.tolist() == list(range(len(differing)))
    inside = (made.left[differing][1:] >= made.left[differing][:-1]).all()
    assert inside


def test_what_only_one_side_has_is_elided_on_the_other(profile: Profile) -> None:
    less = without(profile, 3)
    gone, new = graph(profile, less), graph(less, profile)
    check_against_recursion(gone, both(profile, less))
    frames = np.flatnonzero(gone.status == ONLY_BEFORE)
    assert len(frames)
    assert gone.elided[frames].all()
    assert (gone.width[frames] == gone.before[frames]).all()
    assert (gone.width[frames] == -gone.difference[frames]).all()
    assert np.isnan(gone.after[frames]).all()
    added = np.flatnonzero(new.status == ONLY_AFTER)
    assert len(added) == len(frames)
    assert not new.elided.any()
    assert (new.width[added] == new.after[added]).all()
    assert (new.width[added] == new.difference[added]).all()


def test_widths_of_the_baseline_are_those_of_the_comparison_swapped(profile: Profile) -> None:
    less = without(profile, 3)
    made, other = graph(less, profile, baseline=True), graph(profile, less)
    assert made.width.tolist() == other.width.tolist()
    assert np.flatnonzero(made.status == ONLY_AFTER).tolist() == np.flatnonzero(other.status == ONLY_BEFORE).tolist()
    assert np.array_equal(made.difference, -other.difference, equal_nan=True)
