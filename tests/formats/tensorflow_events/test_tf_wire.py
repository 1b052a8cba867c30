"""The wire format of protocol buffers, read field by field within bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.errors import FormatError
from app.formats.tensorflow_events.ipu_event import FIXED32, FIXED64, LENGTH, VARINT, fields
from generators.memory_source import MemorySource
from generators.protobuf_wire import field, message, varint


def read(content: bytes) -> list[tuple[int, int, int]]:
    source = MemorySource(content)
    return [(found.number, found.wire, found.value) for found in fields(source, 0, source.size)]


def test_the_four_kinds_of_fields() -> None:
    content = message((1, 1.5), (2, 300), (3, b"abc")) + bytes((4 << 3 | 5, 1, 0, 0, 128))
    assert read(content) == [
        (1, FIXED64, 0x3FF8000000000000),
        (2, VARINT, 300),
        (3, LENGTH, 0),
        (4, FIXED32, 0x80000001),
    ]
    source = MemorySource(content)
    found = list(fields(source, 0, source.size))
    assert found[0].double == 1.5
    assert source.read(found[2].begin, found[2].size) == b"abc"


@given(st.integers(-(2**63), 2**63 - 1), st.integers(1, 2**29 - 1))
def test_signed_numbers_of_any_field(value: int, number: int) -> None:
    source = MemorySource(field(number, value))
    (found,) = fields(source, 0, source.size)
    assert (found.number, found.signed) == (number, value)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"\x08", "ends inside a number"),
        (b"\x08" + b"\x80" * 9, "ends inside a number"),
        (b"\x08" + b"\x80" * 10 + b"\x01", "wider than 64 bits"),
        (b"\x08" + b"\xff" * 9 + b"\x02", "wider than 64 bits"),
        (b"\x00\x01", "no field 0"),
        (b"\x09\x00\x00", "ends inside field 1"),
        (b"\x0b", "wire type 3"),
        (b"\x0e", "wire type 6"),
        (b"\x12\x05abcd", "declares 5 bytes, but its message has only 4 left"),
        (b"\x12" + varint(2**63), "declares 9,223,372,036,854,775,808 bytes"),
        (varint(2**32 << 3), "no field"),
    ],
)
def test_what_is_no_field_is_refused_with_its_place(content: bytes, text: str) -> None:
    behind = message((1, 7))
    with pytest.raises(FormatError, match=text) as error:
        read(behind + content)
    assert error.value.offset == len(behind)


@given(st.binary(max_size=60))
def test_noise_gives_fields_inside_it_or_a_format_error(noise: bytes) -> None:
    source = MemorySource(noise)
    at = 0
    try:
        for found in fields(source, 0, source.size):
            assert at < found.begin <= found.end <= len(noise)
            at = found.end
    except FormatError:
        return
    assert at == len(noise)
