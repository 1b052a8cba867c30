"""Results of helper processes as files: the columns, then the skeleton (as in ``codec``), then where it begins."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from app.store.codec import get_columns, put_columns

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
    """The value that ``write`` wrote, whose file is deleted. OSError or FormatError if there is none."""
    try:
        content = np.fromfile(path, np.uint8)
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
    content.flags.writeable = False
    size = _TAIL.size
    (begin,) = _TAIL.unpack(content[-size:].tobytes())
    skeleton = msgspec.msgpack.decode(content[begin:-size].data)
    return get_columns(kind, skeleton, content[:begin], str(path))
