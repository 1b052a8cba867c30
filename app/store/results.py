"""Results of helper processes as files: the columns, then the skeleton (as in ``codec``), then where it begins."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path
from typing import TypeVar

import msgspec

from app.store.codec import get_columns, mapped, put_columns

T = TypeVar("T")
_TAIL = struct.Struct("<Q")


def write(value: object, path: Path) -> None:
    """Writes ``value``, a Struct, into the new file ``path``. OSError if the disk is full."""
    with path.open("xb", buffering=0) as file:
        skeleton = put_columns(value, file)
        begin = file.tell()
        rest = memoryview(msgspec.msgpack.encode(skeleton) + _TAIL.pack(begin))
        while rest:
            rest = rest[file.write(rest) :]


def take(kind: type[T], path: Path) -> T:
    """The value that ``write`` wrote, whose file is deleted. Its columns are mapped: while they wait to be merged, they
    take no memory that others need. OSError or FormatError if there is none."""
    try:
        content = mapped(path)
    finally:
        with contextlib.suppress(OSError):  # elsewhere than on Linux, it is deleted with its folder
            path.unlink()
    size = _TAIL.size
    (begin,) = _TAIL.unpack(content[-size:].tobytes())
    skeleton = msgspec.msgpack.decode(content[begin:-size].data)
    return get_columns(kind, skeleton, content[:begin], str(path))
