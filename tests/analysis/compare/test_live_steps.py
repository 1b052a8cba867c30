"""Program steps side by side: all of both, each once, in the order of the run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare.codes import interleaved
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.timelines import live_steps
from fakes.poplar_pairs import Tree, changed, profile_of, tree_of
from generators import poplar


@given(st.data())
def test_rows_of_both_stand_in_one_order(data: st.DataObject) -> None:
    count, other = data.draw(st.integers(0, 8)), data.draw(st.integers(0, 8))
    rows = data.draw(st.lists(st.integers(0, max(count - 1, 0)), unique=True, max_size=min(count, other)))
    of_before = np.full(other, -1, np.int32)
    for place, row in zip(sorted(data.draw(st.permutations(range(other)))[: len(rows)]), rows, strict=True):
        of_before[place] = row
    before, after = interleaved(of_before, count)
    expected: list[tuple[int, int]] = [(-1, row) for row in range(count)]
    for place, row in enumerate(of_before.tolist()):
        if row >= 0:
            expected[expected.index((-1, row))] = (place, row)
    for place, row in enumerate(of_before.tolist()):
        if row < 0:
            ahead = [step for step in range(place) if of_before[step] >= 0]
            same = {step for step in range(place) if of_before[step] < 0 and (not ahead or step > ahead[-1])}
            at = 1 + next((n for n, pair in enumerate(expected) if ahead and pair[0] == ahead[-1]), -1)
            expected.insert(at + len(same), (place, -1))
    assert list(zip(before.tolist(), after.tolist(), strict=True)) == expected


def add_step(made: Tree) -> None:
    """A program step of the liveness tree is inserted, and another grows."""
    node = made["memory"]["liveness"]["notAlwaysLive"]["byProgram"][0]
    while any(child["children"] for child in node["children"]):
        node = next(child for child in node["children"] if child["children"])
    node["children"].insert(1, {"bytes": 5, "children": [], "name": "planted/by/hand"})


def test_a_step_that_is_inserted_stands_alone_in_its_place(tmp_path: Path) -> None:
    tree = tree_of(poplar.Scale(compute_sets=4, loops=2, named_liveness=True))
    own, other = profile_of(tmp_path, tree), profile_of(tmp_path, changed(tree, add_step))
    for before, after in ((own, other), (other, own)):
        steps = live_steps(Comparison(before, after))
        assert steps is not None
        alone = np.flatnonzero((steps.steps_before < 0) | (steps.steps_after < 0))
        assert len(alone) == 1
        assert np.array_equal(steps.steps_after[steps.steps_after >= 0], np.arange(len(steps.after.nodes)))
        assert np.array_equal(steps.steps_before[steps.steps_before >= 0], np.arange(len(steps.before.nodes)))
        curve, place = (steps.after, steps.steps_after) if after is other else (steps.before, steps.steps_before)
        assert curve.besides[place[alone[0]]] == 5
    same = live_steps(Comparison(own, own))
    assert same is not None
    assert np.array_equal(same.steps_before, same.steps_after)
    assert same.nodes_before(same.after.nodes).tolist() == same.after.nodes.tolist()
