"""The wire format of protocol buffers, field by field: contents are not read, and lengths are not trusted.

This reader exists because the ``protobuf`` package needs whole messages in memory, and one embedded report may have 256
MiB; only five small messages are needed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import plural, tr

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_LONGEST_VARINT = 10
_HEAD = 2 * _LONGEST_VARINT
_WINDOW = 512
"""Bytes that are read together: those of many small fields, or of a whole small message."""


class Field(Struct, frozen=True, gc=False):
    """One field. ``value``: of a varint, or the raw bits of a fixed-size one (unsigned), 0 for length-delimited
    content; ``begin``, ``end``: position of its value or content."""

    number: int
    wire: int
    value: int
    begin: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.begin

    @property
    def signed(self) -> int:
        """A varint as int64 (or as int32, which has the same encoding)."""
        return self.value - (1 << 64) if self.value >> 63 else self.value

    @property
    def double(self) -> float:
        """The bits of a fixed 64-bit field as a number."""
        return float(struct.unpack("<d", struct.pack("<Q", self.value))[0])


def fields(source: Source, begin: int, end: int) -> Iterator[Field]:
    """The fields of the message between two byte positions, in order. FormatError when the rest is not a field."""
    at = base = begin
    window = b""
    while at < end:
        here = at - base
        if here + _HEAD > len(window) < end - base:
            window, base, here = source.read(at, min(_WINDOW, end - at)), at, 0
        key = window[here]
        used = here + 1
        if key >= 128:
            key, used = _varint(window, here, at)
        number, wire = key >> 3, key & 7
        if not 0 < number < 1 << 29:
            raise FormatError(tr("there is no field {number:,}", number=number), offset=at)
        if wire == VARINT:
            value, behind = _varint(window, used, at)
            field = Field(number, wire, value, base + used, base + behind)
        elif wire in (FIXED64, FIXED32):
            field = _fixed(window, number, wire, used, base, at)
        elif wire == LENGTH:
            size, behind = _varint(window, used, at)
            content = base + behind
            if size > end - content:
                text = plural(
                    "field {number} declares {count:,} byte, but its message has only {left:,} left",
                    "field {number} declares {count:,} bytes, but its message has only {left:,} left",
                    count=size,
                    number=number,
                    left=end - content,
                )
                raise FormatError(text, offset=at)
            field = Field(number, wire, 0, content, content + size)
        else:
            raise FormatError(
                tr("field {number} has an unused type (wire type {wire})", number=number, wire=wire), offset=at
            )
        yield field
        at = field.end


def _fixed(window: bytes, number: int, wire: int, used: int, base: int, at: int) -> Field:
    width = 8 if wire == FIXED64 else 4
    content = window[used : used + width]
    if len(content) < width:
        raise FormatError(tr("the message ends inside field {number}", number=number), offset=at)
    return Field(number, wire, int.from_bytes(content, "little"), base + used, base + used + width)


def _varint(head: bytes, begin: int, at: int) -> tuple[int, int]:
    """(value, the byte after it) of a number at most 64 bits wide."""
    if begin < len(head) and head[begin] < 128:  # nearly all
        return head[begin], begin + 1
    value = 0
    for place, byte in enumerate(head[begin : begin + _LONGEST_VARINT]):
        value |= (byte & 127) << 7 * place
        if byte < 128:
            if value >> 64:
                break
            return value, begin + place + 1
    else:
        if len(head) - begin < _LONGEST_VARINT:
            raise FormatError(tr("the message ends inside a number"), offset=at)
    raise FormatError(tr("a number is wider than 64 bits"), offset=at)
