"""Numbers as numbers and as texts, the words for no data, addresses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.formats.ascend_bin.part import Values, addresses, text, texts


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (3, 3.0),
        (2.5, 2.5),
        ("2.50", 2.5),
        (" 7 ", 7.0),
        ("-2e3", -2000.0),
        (".5", 0.5),
        (0, 0.0),
        ("0", 0.0),
        (-3, -3.0),
        ("1e-320", 0.0),
    ],
)
def test_numbers_in_any_spelling(value: Any, number: float) -> None:
    assert Values().number(value) == number


@pytest.mark.parametrize("value", [-1, -1.0, "-1", "-1.000000", "NA", "N/A", "n/a", "", "  ", None, True, math.nan])
def test_words_for_no_data_are_no_data_and_not_odd(value: Any) -> None:
    values = Values()
    assert math.isnan(values.number(value))
    assert values.optional(value) is None
    assert values.odd == 0


@pytest.mark.parametrize("value", ["ten", "1_000", "0x10", "١٢", "1e999", [1], {"a": 1}, "9" * 500, 1e200, -(10**400)])
def test_what_is_no_number_is_no_data_and_counted(value: Any) -> None:
    values = Values()
    assert math.isnan(values.number(value))
    assert values.odd == 1


@pytest.mark.parametrize(
    ("value", "whole"), [("24", 24), (24.0, 24), (0, 0), (-1, -1), ("NA", -1), (2.5, -1), (2**31, -1)]
)
def test_whole_numbers_that_fit(value: Any, whole: int) -> None:
    assert Values().whole(value) == whole


def test_texts_of_single_values_and_lists() -> None:
    assert [text(value) for value in ("a", 3, 3.0, 2.5, None)] == ["a", "3", "3", "2.5", ""]
    assert texts(["a", "", None, 3]) == ("a", "3")
    assert texts("one") == ("one",)
    assert texts(None) == ()


def test_addresses_are_hexadecimal_texts_below_two_to_the_sixty_third() -> None:
    found = addresses(["0x11244000", "0X1f", "ff", "0x7fffffffffffffff", "0x8000000000000000", "zz", None, 12, -4, ""])
    assert found.tolist() == [0x11244000, 0x1F, 0xFF, 2**63 - 1, -1, -1, -1, 12, -1, -1]
    assert addresses(["0x10", "0x20"]).tolist() == [16, 32]
    assert addresses(["0x10\n0x20", "0x1"]).tolist() == [-1, 1]
    assert addresses([]).dtype == np.int64
