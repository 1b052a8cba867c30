"""Writes the wire format of protocol buffers, so that reader and writer do not share one mistake."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TypeAlias

Content: TypeAlias = "int | float | bytes | str | Sequence[int | float | bytes | str] | None"


def varint(value: int) -> bytes:
    """``value`` as int64 or uint64."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number: int, content: Content) -> bytes:
    """One field by the Python type of its content (a list makes several, None none)."""
    if content is None:
        return b""
    if isinstance(content, str):
        content = content.encode()
    if isinstance(content, bytes):
        return varint(number << 3 | 2) + varint(len(content)) + content
    if isinstance(content, float):
        return varint(number << 3 | 1) + struct.pack("<d", content)
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return b"".join(field(number, item) for item in content)


def message(*numbered: tuple[int, Content]) -> bytes:
    """Fields in the order given."""
    return b"".join(field(number, content) for number, content in numbered)


def proto3(*numbered: tuple[int, Content]) -> bytes:
    """The same as a proto3 writer does it: zeros and empty texts are left out."""
    return message(*((number, content) for number, content in numbered if content or isinstance(content, float)))
