"""Sums over all below a node, each thing once: against a walk by hand over small graphs, and large ones in time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.poplar import graph
from app.analysis.poplar.graph import MISSING, Dominators, Heights, distinct_sums, dominators, heights, reaching
from app.profile.arrays import Ragged, reverse

Children = list[list[int]]

trees = st.integers(1, 14).flatmap(
    lambda count: st.tuples(*(st.lists(st.integers(n + 1, count), max_size=3) for n in range(count))).map(
        lambda rows: [*map(list, rows), []]
    )
)
circles = st.integers(1, 9).flatmap(
    lambda count: st.lists(st.lists(st.integers(0, count - 1), max_size=3), min_size=count, max_size=count)
)


def ragged(children: Children) -> Ragged:
    lengths = np.array([len(row) for row in children], np.int64)
    return Ragged.of(lengths, np.array([item for row in children for item in row], np.int64))


def built(children: Children, roots: list[int]) -> tuple[Ragged, Heights, Dominators]:
    below = ragged(children)
    above = reverse(below)
    found = heights(below, above)
    return below, found, dominators(below, above, found, np.array(roots, np.int64))


def reached(children: Children, start: int, without: int = -1) -> set[int]:
    seen: set[int] = set()
    stack = [start] if start != without else []
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack += [child for child in children[node] if child != without]
    return seen


def endless(children: Children, node: int) -> bool:
    return any(other in reached(children, child) for other in reached(children, node) for child in children[other])


@settings(max_examples=150, deadline=None)
@given(st.one_of(trees, circles), st.data())
def test_sums_are_those_of_a_walk(children: Children, data: st.DataObject) -> None:
    count = len(children)
    roots = data.draw(st.lists(st.integers(0, count - 1), max_size=2))
    weights = np.array(data.draw(st.lists(st.integers(0, 1000), min_size=count, max_size=count)), np.int64)
    below, found, dominated = built(children, roots)
    sums = distinct_sums(below, dominated, weights)
    opened = dominated.open_to(below, np.ones(count, np.bool_))
    named = {child for row in children for child in row}
    entries = {*roots, *(node for node in range(count) if node not in named)}
    for node in range(count):
        if endless(children, node):
            assert found.height[node] == -1
            assert sums[node] == MISSING
            entries |= set(children[node])
    for node in np.flatnonzero(found.ends).tolist():
        all_below = reached(children, node)
        assert sums[node] == weights[sorted(all_below)].sum()
        past = set().union(*(reached(children, entry, without=node) for entry in entries))
        assert bool(opened[node]) == bool(past & (all_below - {node}))


@settings(max_examples=60, deadline=None)
@given(trees, st.data())
def test_reaching(children: Children, data: st.DataObject) -> None:
    below, found, _ = built(children, [0])
    wanted = data.draw(st.sets(st.integers(0, len(children) - 1)))
    nodes = np.isin(np.arange(len(children)), sorted(wanted))
    expected = [bool(wanted & reached(children, node)) for node in range(len(children))]
    assert reaching(below, found, nodes).tolist() == expected


def test_too_much_work_leaves_figures_out_but_makes_none_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    children = [[1, 2], [3, 4], [3, 4], [5, 6], [6], [], []]
    weights = np.arange(1, 8)
    right = [28, 24, 25, 17, 12, 6, 7]
    assert distinct_sums(*_two(children), weights).tolist() == right
    monkeypatch.setattr(graph, "MOST_WORK", 0)
    assert distinct_sums(*_two(children), weights).tolist() == [28, MISSING, MISSING, 17, 12, 6, 7]
    monkeypatch.setattr(graph, "MOST_ROUNDS", 0)
    unsure = distinct_sums(*_two(children), weights).tolist()
    assert all(figure in (whole, MISSING) for figure, whole in zip(unsure, right, strict=True))


def _two(children: Children) -> tuple[Ragged, Dominators]:
    below, _, dominated = built(children, [0])
    return below, dominated


def test_too_high_is_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "MOST_LEVELS", 5)
    chain: Children = [[node + 1] for node in range(9)] + [[]]
    sums = distinct_sums(*_two(chain), np.ones(10, np.int64))
    assert sums.tolist() == [MISSING] * 5 + [5, 4, 3, 2, 1]


@pytest.mark.parametrize("fan", [3, 100])
def test_many_nodes_that_share(fan: int) -> None:
    """A hundred thousand nodes in a tree, each leaf above one of 500 shared nodes."""
    count, shared = 100_000, 500
    random = np.random.default_rng(5)
    parents = -(-(count - 1) // fan)
    lengths = np.zeros(count + shared, np.int64)
    lengths[:parents] = fan
    lengths[parents - 1] -= int(lengths.sum()) - (count - 1)
    leaves = np.arange(parents, count)
    lengths[leaves] = 1
    items = np.concatenate((np.arange(1, count), random.integers(count, count + shared, len(leaves))))
    below = Ragged.of(lengths, items)
    above = reverse(below)
    weights = np.zeros(count + shared, np.int64)
    weights[count:] = random.integers(1, 10**6, shared)
    sums = distinct_sums(below, dominators(below, above, heights(below, above), np.zeros(1, np.int64)), weights)
    assert (sums >= 0).all()
    assert sums[0] == weights.sum()
    for node in (1, 2, 57, parents - 2):
        level, found = np.array([node]), set[int]()
        while len(level):
            level = np.concatenate([below.row(int(one)) for one in level])
            found |= set(level[level >= count].tolist())
        assert sums[node] == weights[sorted(found)].sum()
