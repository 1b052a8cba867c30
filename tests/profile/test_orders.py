"""Orders by several columns, and what relies on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.time.graph import predecessors
from app.profile import orders
from app.profile.orders import by_groups, by_integers, by_values, in_steps, stable_order

FEW = st.integers(0, 4)
ROWS = st.lists(st.tuples(FEW, FEW, FEW), max_size=40)


@given(ROWS)
def test_ties_are_sorted_by_the_next_column(rows: list[tuple[int, int, int]]) -> None:
    one, two, three = np.array(rows, np.float64).reshape(-1, 3).T
    assert by_values(one, two, three).tolist() == np.lexsort((three, two, one)).tolist()
    assert by_values(one).tolist() == np.argsort(one, kind="stable").tolist()


@given(ROWS)
def test_few_ties_are_sorted_by_the_next_column(rows: list[tuple[int, int, int]]) -> None:
    one, two, three = np.array(rows, np.float64).reshape(-1, 3).T
    one = np.append(np.arange(10 * len(one), dtype=np.float64), one)  # at most one of eleven is equal to another
    two, three = (np.resize(column, len(one)) for column in (two, three))
    assert by_values(one, two, three).tolist() == np.lexsort((three, two, one)).tolist()


@pytest.mark.parametrize("large", [1, 64])
@given(rows=ROWS)
def test_groups_are_sorted_each_and_all_at_once(large: int, rows: list[tuple[int, int, int]]) -> None:
    group, one, two = np.array(rows, np.int32).reshape(-1, 3).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(orders, "_LARGE", large)
        assert by_groups(group, one, two).tolist() == np.lexsort((two, one, group)).tolist()


@given(st.lists(st.integers(0, 1 << 20), max_size=40))
def test_large_keys_are_sorted_stably(keys: list[int]) -> None:
    column = np.array(keys, np.int64) // 3
    assert stable_order(column, 1 << 20).tolist() == np.argsort(column, kind="stable").tolist()


@given(st.lists(st.integers(0, 5), max_size=40))
def test_steps_sort_stably_and_ask_between(keys: list[int]) -> None:
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(orders, "_STEP", 4)
        order = in_steps(np.array(keys, np.int32), 6, lambda: asked.append(1))
    assert order.tolist() == np.argsort(keys, kind="stable").tolist()
    assert len(asked) == 2 * -(-len(keys) // 4)


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 1 << 60), st.integers(0, 2))))
def test_integers_are_sorted_the_same_in_one_number_and_apart(rows: list[tuple[int, int, int]]) -> None:
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    for some in (columns, columns[::2]):
        assert by_integers(*some).tolist() == np.lexsort(some[::-1]).tolist()


@given(ROWS)
def test_what_ended_last_in_a_lane_whose_nodes_overlap(rows: list[tuple[int, int, int]]) -> None:
    lane, arrival, length = np.array(sorted(rows), np.float64).reshape(-1, 3).T
    end = arrival + length
    found = predecessors(lane.astype(np.int32), arrival, end)
    for node, before in enumerate(found.tolist()):
        ended = [one for one in range(len(lane)) if lane[one] == lane[node] and (end[one], one) < (arrival[node], node)]
        assert before == max(ended, key=lambda one: (end[one], one), default=-1)


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
