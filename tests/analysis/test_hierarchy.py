"""Reading order and first places of a tree, against a walk by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.analysis import trees
from app.analysis.table import Column, Table
from app.analysis.trees import UNREACHED, Hierarchy, walk
from app.profile.arrays import Ragged

shapes = st.integers(1, 25).flatmap(
    lambda count: st.tuples(
        st.lists(st.lists(st.integers(0, count - 1), max_size=4), min_size=count, max_size=count),
        st.lists(st.integers(-1, count), min_size=1, max_size=3),
    )
)


def ragged(children: list[list[int]]) -> Ragged:
    lengths = np.array([len(row) for row in children], np.int64)
    return Ragged.of(lengths, np.array([item for row in children for item in row], np.int64))


def by_hand(children: list[list[int]], roots: list[int]) -> tuple[dict[int, int], list[int]]:
    """First parents level by level, then the order of a depth-first walk over them."""
    parent: dict[int, int] = {}
    level = []
    for root in roots:
        if 0 <= root < len(children) and root not in parent:
            parent[root] = -1
            level.append(root)
    tops = list(level)
    while level:
        following = []
        for owner in level:
            for kid in children[owner]:
                if kid not in parent:
                    parent[kid] = owner
                    following.append(kid)
        level = following
    order: list[int] = []

    def visit(item: int) -> None:
        order.append(item)
        for kid in dict.fromkeys(children[item]):
            if parent.get(kid) == item:
                visit(kid)

    for top in tops:
        visit(top)
    return parent, order


@given(shapes)
def test_walk(shape: tuple[list[list[int]], list[int]]) -> None:
    children, roots = shape
    found = walk(np.array(roots), ragged(children))
    parent, order = by_hand(children, roots)
    assert found.parent.tolist() == [parent.get(item, UNREACHED) for item in range(len(children))]
    reached = [item for item in range(len(children)) if item in parent]
    assert sorted(reached, key=lambda item: int(found.place[item])) == order
    assert all(found.place[item] == -1 for item in range(len(children)) if item not in parent)


def test_paths_and_order() -> None:
    below = ragged([[2, 1], [3], [], [], []])
    tree = Hierarchy(Table("t", "T", (Column("n", "N", np.arange(5)),)), np.array([0]), ("top",), below)
    assert tree.path(3) == [0, 1, 3]
    assert tree.path(4) == []
    assert tree.path(99) == []
    assert tree.in_order(np.array([3, 4, 1, 2])).tolist() == [2, 1, 3]


def test_a_chain_without_end_is_cut() -> None:
    count = trees.MOST_LEVELS + 50
    found = walk(np.array([0]), ragged([[min(item + 1, count - 1)] for item in range(count)]))
    assert found.parent[trees.MOST_LEVELS - 1] == trees.MOST_LEVELS - 2
    assert found.parent[count - 1] == UNREACHED
