"""Orders by several columns."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.time.graph import predecessors
from app.profile.arrays import by_values

FEW = st.integers(0, 4)
ROWS = st.lists(st.tuples(FEW, FEW, FEW), max_size=40)


@given(ROWS)
def test_ties_are_sorted_by_the_next_column(rows: list[tuple[int, int, int]]) -> None:
    one, two, three = np.array(rows, np.float64).reshape(-1, 3).T
    assert by_values(one, two, three).tolist() == np.lexsort((three, two, one)).tolist()
    assert by_values(one).tolist() == np.argsort(one, kind="stable").tolist()


@given(ROWS)
def test_what_a_lane_did_before(rows: list[tuple[int, int, int]]) -> None:
    """By the definition, in lanes that lie in any order, with nodes that follow one another."""
    lane = np.array([row[0] for row in rows], np.int32)
    arrival = np.array([10.0 * place + row[1] for place, row in enumerate(rows)])
    end = arrival + np.array([row[2] for row in rows], np.float64)
    order = np.argsort(-arrival * (lane % 2) + lane, kind="stable")  # some lanes backwards
    lane, arrival, end = lane[order], arrival[order], end[order]
    found = predecessors(lane, arrival, end)
    for node, before in enumerate(found.tolist()):
        earlier = [one for one in range(len(lane)) if lane[one] == lane[node] and arrival[one] < arrival[node]]
        assert before == max(earlier, key=lambda one: end[one], default=-1)
