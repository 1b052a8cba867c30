"""Headers of columns and the decimals of their figures."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.table import Column, Table, Unit
from app.widgets.table.cells import Cells


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
    ],
)
def test_a_header_has_its_unit_unless_the_title_says_it(title: str, unit: Unit, header: str) -> None:
    assert cells(title, unit, 2.5, 3.5).header(0) == header


def test_places_in_time_show_the_decimals_they_ask_for() -> None:
    assert cells("Time", "s", 3.05, 13.06).text(0, 0) == "3.0"
    assert cells("Time", "s", 3.05, 13.06, decimals=3).text(0, 0) == "3.050"
