"""Columns taken from records in bulk are those that each record has."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.rows import Packed, sizes_of

NUMBERS = (*(f"a_number_called_{number}" for number in range(13)), "n" * 33)
TEXTS = ("name", "kind")
RECORD = msgspec.defstruct(
    "Record",
    [*((key, float | None, math.nan) for key in NUMBERS), *((key, str | None, "") for key in TEXTS)],
    rename="camel",
)
a_text = st.none() | st.text(max_size=40) | st.integers(0, 70_000).map(lambda size: "ä" * size)
a_record = st.builds(
    lambda numbers, texts: RECORD(**numbers, **texts),
    st.dictionaries(st.sampled_from(NUMBERS), st.none() | st.floats(allow_nan=False)),
    st.fixed_dictionaries(dict.fromkeys(TEXTS, a_text)),
)
PACKED = Packed(RECORD)


def columns(records: list[msgspec.Struct]) -> np.ndarray:
    sizes = [int(sizes_of(PACKED.texts_of(record)).sum()) for record in records]
    return PACKED.numbers(records, np.array(sizes, np.int64))


@given(st.lists(a_record, max_size=20))
def test_numbers_are_those_of_the_attributes(records: list[msgspec.Struct]) -> None:
    expected = [[getattr(record, key) for record in records] for key in NUMBERS]
    np.testing.assert_array_equal(columns(records), np.array(expected, np.float64))


@pytest.mark.parametrize("count", [1, 15, 16, 65_535, 65_536])
def test_lists_of_any_length(count: int) -> None:
    taken = columns([RECORD(**{NUMBERS[0]: float(number), "name": "x" * (number % 300)}) for number in range(count)])
    assert taken[0].tolist() == list(range(count))
