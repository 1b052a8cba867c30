"""How wide columns are made: no figure is cut short."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.table import Column, Table
from app.profile.arrays import Array
from app.views.table import SAMPLE_ROWS, sample, widest


def table(values: Array) -> Table:
    return Table("t", "T", (Column("c", "C", values),))


@pytest.mark.parametrize("values", [np.zeros(5000, np.int64), np.zeros(5000, np.float64)])
def test_the_greatest_and_the_least_figure_are_measured(values: Array) -> None:
    values[1234], values[4321] = 12_345_678_901, -98_765_432_109
    if values.dtype.kind == "f":
        values[7] = np.nan
    found = table(values)
    rows = sample(found, found.columns[0])
    assert {0, 1234, 4321, 4999} <= set(rows)
    assert len(rows) <= SAMPLE_ROWS + 2


def test_an_empty_table_has_no_sample() -> None:
    found = table(np.zeros(0, np.float64))
    assert sample(found, found.columns[0]) == []


def test_fewer_letters_may_be_wider() -> None:
    """In a proportional font; as many letters as the longest, or almost."""
    letters = {"i": 3, "m": 10}
    measured: list[str] = []

    def width_of(text: str) -> int:
        measured.append(text)
        return sum(letters[letter] for letter in text)

    assert widest(["iiiiii", "mmmm", "i", None, ""], width_of) == 40
    assert "i" not in measured
    assert widest([], width_of) == 0
