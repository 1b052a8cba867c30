"""Headers of columns and the decimals of their figures."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.table import Column, Table, Unit
from app.views.table import Cells
from app.views.units import MINUS


def cells(title: str, unit: Unit, *values: float, decimals: int = 0) -> Cells:
    return Cells(Table("t", "T", (Column("c", title, np.array(values), unit, decimals=decimals),)))


@pytest.mark.parametrize(
    ("title", "unit", "header"),
    [
        ("First execution", "s", "First execution (s)"),
        ("Cycles (estimate)", "cycles", "Cycles (estimate)"),
        ("Share", "%", "Share (%)"),
        ("Busy cycles", "cycles", "Busy cycles"),
        ("Bandwidth GB/s", "GB/s", "Bandwidth GB/s"),
        ("B", "B", "B (B)"),
        ("B − A", "B", "B − A (B)"),
    ],
)
def test_a_header_has_its_unit_unless_the_title_says_it(title: str, unit: Unit, header: str) -> None:
    assert cells(title, unit, 2.5, 3.5).header(0) == header


def test_places_in_time_show_the_decimals_they_ask_for() -> None:
    assert cells("Time", "s", 3.05, 13.06).text(0, 0) == "3.0"
    assert cells("Time", "s", 3.05, 13.06, decimals=3).text(0, 0) == "3.050"


def test_columns_that_are_compared_have_one_unit() -> None:
    a, b = np.array([3 * 1024.0**2, 5 * 1024.0**2, 7 * 1024.0**2]), np.array([3 * 1024.0**2, 5 * 1024.0**2 + 512, 100])
    columns = tuple(
        Column(key, key, values, "B", compared="both") for key, values in (("a", a), ("b", b), ("by", b - a))
    )
    shown = Cells(Table("t", "T", columns))
    assert [shown.header(place) for place in range(3)] == ["a (MiB)", "b (MiB)", "by (MiB)"]
    assert [shown.text(place, 2) for place in range(3)] == ["7.000", "<0.001", "−7.000"]
    assert shown.text(2, 1) == "<0.001"
    apart = Cells(Table("t", "T", (columns[0], Column("by", "by", np.array([0.0, 512.0, 600.0]), "B"))))
    assert apart.header(1) == "by (B)"


def test_whole_numbers_keep_no_decimals_beside_others() -> None:
    columns = (
        Column("mean", "Mean", np.array([2.5, 7.25]), "cycles", compared="each"),
        Column("most", "Maximum", np.array([4, 9]), "cycles", compared="each"),
    )
    shown = Cells(Table("t", "T", columns))
    assert [shown.text(place, 0) for place in range(2)] == ["2.5", "4"]


def test_differences_have_a_sign_and_figures_have_none() -> None:
    values = np.array([1500, 0, -2500])
    table = Table("t", "", (Column("a", "A", values), Column("b", "B", values, signed=True)))
    texts = [[Cells(table).text(column, row) for row in range(3)] for column in range(2)]
    assert texts == [["1,500", "0", f"{MINUS}2,500"], ["+1,500", "0", f"{MINUS}2,500"]]
