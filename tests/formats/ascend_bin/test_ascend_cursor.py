"""The walk over the outer structure of a large JSON text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.ascend_bin.cursor import Cursor
from app.formats.errors import FormatError
from generators.memory_source import MemorySource


def cursor(text: bytes, before: int = 0, behind: int = 0) -> Cursor:
    source = MemorySource(b"[" * before + text + b"}" * behind)
    return Cursor(source, before, before + len(text))


def walked(at: Cursor) -> Any:
    """The value by members and items alone."""
    if at.peek() == b"{":
        return {key: walked(at) for key in at.members()}
    if at.peek() == b"[":
        return [walked(at) for _ in at.items()]
    return at.value()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_walking_gives_what_decoding_gives(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    if b"\xed" in text:
        return
    at = cursor(text, before=7, behind=3)
    assert walked(at) == value
    assert at.at == at.end


@given(VALUES)
def test_passing_over_ends_where_reading_ends(value: Any) -> None:
    text = json.dumps(value).encode() + b" "
    at = cursor(text)
    at.skip()
    assert at.at == len(text) - 1


def test_values_that_nobody_reads_are_passed_over() -> None:
    at = cursor(b'{"a":[1,{"b":"]}"}],"c" : 4 ,"d":"\\"x","e":true}')
    assert [(key, at.value() if key in "cd" else None) for key in at.members()] == [
        ("a", None),
        ("c", 4),
        ("d", '"x'),
        ("e", None),
    ]


def test_a_value_larger_than_a_window() -> None:
    inner = list(range(100_000))
    at = cursor(json.dumps({"big": inner, "text": "x" * 200_000, "last": 1}).encode())
    assert list(at.members()) == ["big", "text", "last"]


@pytest.mark.parametrize(
    "text", [b"", b"{", b'{"a"', b'{"a":', b'{"a":1', b'{"a":1 "b"', b"{1:2}", b'{"a":[1,2}', b"[1]", b'{"a']
)
def test_what_is_no_object_is_an_error_with_its_place(text: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        walked_object(cursor(text, before=5, behind=5))
    assert caught.value.offset is not None
    assert 5 <= caught.value.offset <= 5 + len(text)


def walked_object(at: Cursor) -> list[str]:
    return list(at.members())


def test_too_many_members_are_an_error_not_an_hour() -> None:
    with pytest.raises(FormatError):
        walked_object(cursor(b'{"a":0' + b',"a":0' * 100_001 + b"}"))
