"""Differences of two tables add up, and no data is no zero."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.compare.as_table import as_table, compared_issues
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matching import Pair, match
from app.analysis.compare.plans import Plan
from app.analysis.compare.ranking import coverage
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE, ComparedTable, compared
from app.analysis.export import export
from app.analysis.table import Column, Table
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile

ROWS = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.integers(-(10**12), 10**12) | st.none(), st.floats(-1e6, 1e6) | st.none()),
    max_size=12,
)
Row = tuple[str, int | None, float | None]


def table(rows: list[Row], *, unit: str = "s") -> Table:
    numbers = np.array([row[1] or 0 for row in rows], np.int64)
    times = np.array([math.nan if row[2] is None else row[2] for row in rows], np.float64)
    missing = np.array([row[1] is None for row in rows], np.bool_)
    return Table(
        "t",
        "T",
        (
            Column("name", "Name", tuple(row[0] for row in rows), role="name"),
            Column("bytes", "Bytes", numbers, "B", missing=missing),
            Column("time", "Time", times, unit),  # type: ignore[arg-type]
            Column("most", "Maximum", numbers, "B", missing=missing, adds_up=False),
        ),
    )


def of(before: Table, after: Table) -> ComparedTable:
    return compared(before, after, match(before, after, Plan(names=("name",))))


@given(ROWS, ROWS)
def test_the_sum_of_the_differences_is_the_difference_of_the_sums(before: list[Row], after: list[Row]) -> None:
    made = of(table(before), table(after))
    for key, place in (("bytes", 1), ("time", 2)):
        column = made.column(key)
        assert column is not None
        sums = [math.fsum(row[place] or 0 for row in rows) for rows in (before, after)]  # type: ignore[misc]
        total = made.total(column)
        difference = made.difference(column)
        if total is None:
            assert not difference.known.any()
            continue
        assert total.before == pytest.approx(sums[0], rel=1e-9, abs=1e-6)
        assert total.after == pytest.approx(sums[1], rel=1e-9, abs=1e-6)
        assert math.fsum(difference.values.tolist()) == pytest.approx(total.difference, rel=1e-9, abs=1e-6)


@given(ROWS, ROWS)
def test_every_row_of_both_sides_is_there_once_and_counted_by_one_rule(before: list[Row], after: list[Row]) -> None:
    made = of(table(before), table(after))
    assert sorted(made.rows_before[made.rows_before >= 0].tolist()) == list(range(len(before)))
    assert made.rows_after[made.rows_after >= 0].tolist() == list(range(len(after)))
    parts = coverage(made)
    assert (sum(part.before for part in parts), sum(part.after for part in parts)) == (len(before), len(after))


def test_rows_of_one_side_count_whole_and_figures_of_one_side_have_no_percentage() -> None:
    made = of(
        table([("a", 100, 1.0), ("b", 50, 2.0), ("c", None, 1.0)]),
        table([("a", 110, 1.0), ("d", 7, 1.0), ("c", 5, 1.0)]),
    )
    assert made.status.tolist() == [BOTH, ONLY_BEFORE, ONLY_AFTER, BOTH]
    own, most = made.column("bytes"), made.column("most")
    assert own is not None
    assert most is not None
    assert made.difference(own).values.tolist() == [10, -50, 7, 5]
    assert made.one_sided(own).tolist() == [False, True, True, True]
    assert made.difference(most).known.tolist() == [True, False, False, False]
    assert made.total(most) is None
    percent = made.percent(own)
    assert percent[0] == 10
    assert np.isnan(percent[1:]).all()
    assert made.changed.tolist() == [True] * 4
    assert made.order(own).tolist() == [1, 0, 2, 3]
    assert made.above(own, 10).tolist() == [True, True, False, False]


def test_shares_of_the_total_change_nothing() -> None:
    def shared(*cycles: int) -> Table:
        values = np.array(cycles)
        names = tuple("abc")
        share = Column("share", "Share", 100 * values / values.sum(), "%", share_of="all")
        capacity = Column("used", "Used", 100 * values / 5000, "%", share_of="the tile")
        return Table(
            "t", "T", (Column("name", "Name", names), Column("cycles", "Cycles", values, "cycles"), share, capacity)
        )

    made = of(shared(10, 20, 30), shared(10, 20, 60))
    assert made.changed.tolist() == [False, False, True]
    assert [column.key for column in made.columns if column.share] == ["share"]


def test_units_of_one_scale_are_converted_and_others_say_why_they_cannot_be_compared() -> None:
    made = of(table([("a", 1, 2.0)], unit="s"), table([("a", 1, 2_000_001.0)], unit="µs"))
    column = made.column("time")
    assert column is not None
    assert made.difference(column).values.tolist() == [1.0]
    made = of(table([("a", 1, 2.0)], unit="s"), table([("a", 1, 2.0)], unit="cycles"))
    column = made.column("time")
    assert column is not None
    assert "cannot be compared" in column.why
    assert made.total(column) is None
    assert not made.difference(column).known.any()


def test_rounding_of_computed_figures_is_no_change() -> None:
    made = of(table([("a", 1, 0.1 + 0.2)]), table([("a", 1, 0.3)]))
    assert not made.changed.any()


def test_as_a_table_it_has_four_columns_for_a_figure() -> None:
    made = of(table([("a", 100, 1.0), ("b", 50, 2.0)]), table([("a", 110, 1.0), ("d", 7, None)]))
    text = "".join(export(as_table(made, made.order(made.column("bytes"))), "csv")).splitlines()
    assert text[0].startswith(
        "status,name,bytes_before [B],bytes_after [B],bytes_difference [B],bytes_percent [%],time_before"
    )
    assert text[1] == "only in the baseline,b,50,,-50,,2.0,,-2.0,,50,,,"
    assert text[2] == "in both,a,100,110,10,10.0,1.0,1.0,0.0,0.0,100,110,10,10.0"
    assert text[3].startswith("only in the comparison,d,,7,7,,,,")


def test_an_empty_table_has_only_rows_of_the_other_side() -> None:
    full = table([("a", 1, 1.0)])
    for before, after in ((table([]), full), (full, table([])), (table([]), table([]))):
        made = of(before, after)
        assert made.rows == before.rows + after.rows
        assert made.changed.all()
        assert as_table(made).rows == made.rows
        assert not any(made.differs(column).any() for column in made.columns)


def test_issues_that_were_paired_by_hand_have_the_text_of_the_comparison() -> None:
    def profile(*texts: str) -> Profile:
        issues = tuple(Issue("warning", f"a.json: byte {place}", text) for place, text in enumerate(texts))
        return Profile(name="run", origin=Origin("poplar", (Path("a.json"),)), issues=issues)

    before, after = profile("one is missing", "gone"), profile("two are missing")
    made = compared_issues(Comparison(before, after, (Pair("issues", 0, 0),)))
    assert made is not None
    assert [[column.value(row) for column in made.columns] for row in range(made.rows)] == [
        ["warning", "gone", "a.json: byte 1", "only in the baseline"],
        ["warning", "two are missing", "a.json: byte 0", "paired manually"],
    ]
