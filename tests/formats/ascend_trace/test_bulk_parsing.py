"""Numbers that are parsed many at a time are those that parsing them one by one gives."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.ascend_trace.clock import PARTS, from_texts, numbers
from app.formats.ascend_trace.columns import NO_ADDRESS, addresses, parsed
from app.formats.ascend_trace.event import EventDecoder, number
from app.formats.json.salvage import opening, quick_cut

hexadecimal = st.integers(0, (1 << 64) + 5).map("{:x}".format) | st.integers(0, 255).map("0x{:08X}".format)
written = hexadecimal | st.sampled_from(["", "0x", " 1f ", "1_0", "-1", "+1", "0xg", "é", "1,2", "٣", "ab cd"])
decimals = st.tuples(st.integers(0, 10**17), st.integers(0, 10**9)).map(lambda parts: f"{parts[0]}.{parts[1]}")
times = decimals | st.integers(-(10**6), 10**20).map(str) | st.sampled_from(["1e3", "-0.5", "1.5E-3", "0"])


@settings(max_examples=300, deadline=None)
@given(st.lists(written | st.none() | st.integers(-1, 1 << 64), min_size=1, max_size=6), st.integers(1, 3))
def test_addresses(values: list[Any], repeats: int) -> None:
    values = values * repeats
    text = orjson.dumps([{"args": {} if value is None else {"pc_addr": value}} for value in values if _fits(value)])
    events = EventDecoder().decode(text)
    wanted = [parsed(event.arguments.pc_addr) for event in events]
    made = addresses(events) if events else None
    assert (wanted if made is None else made.tolist()) == wanted
    assert made is not None or set(wanted) <= {NO_ADDRESS}


def _fits(value: Any) -> bool:
    return not isinstance(value, int) or -(1 << 63) <= value < 1 << 64


@settings(max_examples=300, deadline=None)
@given(st.lists(times, min_size=1, max_size=6), st.booleans(), st.integers(1, 3))
def test_times(values: list[str], quoted: bool, repeats: int) -> None:
    values = values * repeats
    texts = [msgspec.Raw((f'"{value}"' if quoted else value).encode()) for value in values]
    moments = from_texts(texts)
    assert moments.whole is not None
    for value, whole, rest in zip(values, moments.whole.tolist(), moments.value.tolist(), strict=True):
        number = Decimal(value)
        if abs(number) >= 10**18:
            assert math.isnan(rest)
        else:
            assert whole == math.floor(number)
            assert rest == pytest.approx(float((number - whole) * PARTS), abs=1e-6)


odd = st.sampled_from(["", " 5 ", "1_0", "1.", "inf", "nan", "1e999", "-0", "1,2", "[1", "2],3", "null", "true", '"1"'])


@settings(max_examples=200, deadline=None)
@given(
    st.lists(times | st.floats().map(repr) | st.integers().map(str), min_size=1, max_size=6), st.lists(odd, max_size=2)
)
def test_numbers_that_are_texts(values: list[str], others: list[str]) -> None:
    for texts in (values, values + others, others + values):
        np.testing.assert_array_equal(numbers(texts), [number(text) for text in texts])


def test_times_that_are_missing() -> None:
    raw = [msgspec.Raw(), msgspec.Raw(b"1718180919106042.250"), msgspec.Raw(b"null"), msgspec.Raw(b'"soon"')]
    moments = from_texts(raw)
    assert np.isnan(moments.value).tolist() == [True, False, True, True]
    assert moments.whole is not None
    assert int(moments.whole[1]) == 1718180919106042


@pytest.mark.parametrize("option", [0, orjson.OPT_INDENT_2])
def test_a_border_is_not_one_of_the_arguments(option: int) -> None:
    """Objects in the arguments look like records; the key that records begin with tells them apart."""
    events = [{"args": {"parts": [{"id": n}, {"id": n + 1}], "note": "}, {"}, "name": "x"} for n in range(50)]
    text = orjson.dumps(events, option=option)[1:-1]
    for end in range(len(text) // 2, len(text) // 2 + 200):
        cut = quick_cut(text[:end], opening(text))
        whole = orjson.loads(b"[%b]" % text[:cut])
        assert whole == events[: len(whole)]
        assert len(whole) > 20


def test_records_in_other_orders_are_not_passed_over() -> None:
    events = [{"args": 1, "name": "x"}, *({"name": "x", "args": n} for n in range(50))]
    text = orjson.dumps(events)[1:-1]
    cut = quick_cut(text, opening(text))
    assert len(orjson.loads(b"[%b]" % text[:cut])) == 50
