"""Filters on single columns."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.column_filter import MOST_VALUES, ColumnFilter, Distinct, limits, matching, occurring, only, without
from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings

PIPES = Strings.of(["CUBE", "MTE2", "SCALAR", "unused", "CUBE"])
TABLE = Table(
    "t",
    "T",
    (
        Column("pipe", "Pipe", Coded(np.array([0, 1, 2, -1, 4, 0], np.int32), PIPES)),
        Column("cycles", "Cycles", np.array([5, 7, -1, 9, 11, 0]), "cycles", missing=np.array([0, 0, 1, 0, 0, 0]) > 0),
        Column("share", "Share", np.array([0.5, np.nan, 2.5, 3.5, 4.5, 0.5]), "%"),
        Column("name", "Name", ("a", "b", "a", "", "Alpha", "c")),
        Column("graph", "Graph", np.array([1, 0, 1, 1, 0, 0]) > 0),
    ),
)


def rows(**filters: ColumnFilter) -> list[int]:
    found = matching(TABLE, filters)
    return list(range(TABLE.rows)) if found is None else np.flatnonzero(found).tolist()


def test_stretches_keep_their_ends_and_what_is_without_data_when_asked() -> None:
    assert rows(cycles=ColumnFilter(low=5, high=9)) == [0, 1, 2, 3]
    assert rows(cycles=ColumnFilter(low=5, high=9, missing=False)) == [0, 1, 3]
    assert rows(share=ColumnFilter(high=2.5, missing=False)) == [0, 2, 5]
    assert rows(share=ColumnFilter(missing=False)) == [0, 2, 3, 4, 5]


def test_values_are_chosen_by_what_they_say() -> None:
    assert rows(pipe=ColumnFilter(values=frozenset({"CUBE"}), missing=False)) == [0, 4, 5]
    assert rows(pipe=ColumnFilter(values=frozenset({"MTE2"}))) == [1, 3]
    assert rows(name=ColumnFilter(values=frozenset({"a", ""}), missing=False)) == [0, 2, 3]
    assert rows(share=ColumnFilter(values=frozenset({0.5}), missing=False)) == [0, 5]
    assert rows(graph=ColumnFilter(values=frozenset({True}), missing=False)) == [0, 2, 3]
    assert rows(pipe=ColumnFilter(values=frozenset(), missing=True)) == [3]


def test_rows_like_a_cell_and_all_others() -> None:
    pipe, cycles, share = TABLE.columns[:3]
    assert rows(pipe=only(pipe, ["CUBE"])) == [0, 4, 5]
    assert rows(pipe=only(pipe, ["CUBE", None])) == [0, 3, 4, 5]
    assert only(cycles, [7]) == ColumnFilter(low=7, high=7, missing=False)
    assert rows(cycles=only(cycles, [7])) == [1]
    assert rows(share=only(share, [0.5, 2.5])) == [0, 2, 5]
    out = without(ColumnFilter(), ["CUBE"])
    assert rows(pipe=out) == [1, 2, 3]
    assert rows(pipe=without(out, ["MTE2", None])) == [2]
    assert rows(share=without(ColumnFilter(), [0.5])) == [1, 2, 3, 4]
    assert without(only(pipe, ["CUBE", "MTE2"]), ["CUBE"]) == only(pipe, ["MTE2"])


def test_texts_contain_whatever_the_case() -> None:
    assert rows(name=ColumnFilter(text="A", missing=False)) == [0, 2, 4]
    assert rows(pipe=ColumnFilter(text="mte", missing=False)) == [1]


def test_filters_of_several_columns_hold_together_and_unknown_ones_do_nothing() -> None:
    assert rows(pipe=ColumnFilter(values=frozenset({"CUBE"}), missing=False), cycles=ColumnFilter(low=6)) == [4]
    assert matching(TABLE, {"gone": ColumnFilter(low=1)}) is None
    assert matching(TABLE, {"cycles": ColumnFilter()}) is None


def test_distinct_values_with_their_rows() -> None:
    assert occurring(TABLE.columns[0]) == [
        Distinct("CUBE", 3),
        Distinct("MTE2", 1),
        Distinct("SCALAR", 1),
        Distinct(None, 1),
    ]
    assert occurring(TABLE.columns[2]) == [
        Distinct(0.5, 2),
        Distinct(2.5, 1),
        Distinct(3.5, 1),
        Distinct(4.5, 1),
        Distinct(None, 1),
    ]
    assert occurring(TABLE.columns[4]) == [Distinct(False, 3), Distinct(True, 3)]
    assert occurring(Column("e", "E", np.empty(0))) == []


@pytest.mark.parametrize("count", [MOST_VALUES + 1, 100_000])
def test_too_many_values_are_not_listed(count: int) -> None:
    assert occurring(Column("n", "N", np.arange(count))) is None
    assert len(occurring(Column("n", "N", np.arange(count) % MOST_VALUES)) or []) == MOST_VALUES


def test_limits_of_numbers_only() -> None:
    assert limits(TABLE.columns[1]) == (0, 11)
    assert limits(TABLE.columns[2]) == (0.5, 4.5)
    assert limits(TABLE.columns[0]) is None
    assert limits(Column("e", "E", np.full(3, np.nan))) is None
