"""The second try: what it repairs, what it refuses, and how long it takes."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.errors import FormatError
from app.formats.json import tolerant

leaves = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats() | st.text(max_size=8)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)


def plain(value: object) -> object:
    """``value`` without what is no JSON."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


@settings(max_examples=200, deadline=None)
@given(values, st.booleans())
def test_python_json_with_nan(value: object, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode()
    found, repaired = tolerant.loads(text)
    assert found == plain(value)
    assert repaired == (plain(value) != value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"[1,2,]", [1, 2]),
        (b'{"a":1 , }', {"a": 1}),
        (b'["a,]",nan,-inf,Infinity]', ["a,]", None, None, None]),
        (b'["\\ud800", "\\\\ud800", "\\ud83d\\ude00"]', ["�", "\\ud800", "😀"]),
        (b'["\xff\xfe"]', ["��"]),
        (b'["a\x01\nb"]', ["a  b"]),
        (b"[1e400,-1E+999,1e300]", [None, None, 1e300]),
        (b'\xef\xbb\xbf{"a":1}', {"a": 1}),
    ],
)
def test_repairs(text: bytes, value: object) -> None:
    assert tolerant.loads(text) == (value, True)


@pytest.mark.parametrize("text", [b"", b"{", b"[1 2]", b"nonsense", b'{"a":}', b'["', b'{"a":1}}', b",", b'"\\'])
def test_refusals_have_a_place(text: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        tolerant.loads(text)
    assert caught.value.offset is not None
    assert 0 <= caught.value.offset <= len(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "there is no text"),
        (b'{"a', "the text ends too early"),
        (b"1 2", "there is more text after the end of the value"),
        (b"{1:2}", "expected a name in quotes"),
        (b'{"a" 1}', "expected a colon"),
        (b'{"a":1 2}', "expected a comma or }"),
        (b"[1 2]", "expected a comma or ]"),
        (b"@", "expected a value"),
        (b"[tru]", "expected true, false or null"),
        (b"[01]", "invalid number"),
        (b"[-]", "invalid number"),
        (b'"\\x"', "invalid escape sequence in a string"),
    ],
)
def test_refusals_have_a_reason_of_ours(text: bytes, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        tolerant.loads(text)
    assert caught.value.text == f"not valid JSON: {reason}"


def test_bounds() -> None:
    with pytest.raises(FormatError, match="nested deeper"):
        tolerant.loads(b"[" * 600 + b"NaN" + b"]" * 600)
    with pytest.raises(FormatError, match="nested deeper"):
        tolerant.loads(b"[" * 2_000_000)
    with pytest.raises(FormatError, match="larger"):
        tolerant.loads(b"[1,2,3]", max_bytes=3)


@pytest.mark.parametrize(
    "text", [b'"\\' * 200_000, b'\\"' * 200_000, b", " * 200_000, b'"' * 200_001, b"1" * 400_000, b'[{"":' * 100_000]
)
def test_hostile_texts_take_linear_time(text: bytes) -> None:
    with pytest.raises(FormatError):
        tolerant.loads(text + b"!")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60) | st.text(alphabet='{}[],:"\\ \n1eEnaif-+.', max_size=40).map(str.encode))
def test_anything(text: bytes) -> None:
    offset: int | None = 0
    try:
        tolerant.loads(text)
    except FormatError as error:
        offset = error.offset
    assert offset is not None
    assert 0 <= offset <= len(text)
