"""Kinds of files that no reader takes, named by their first bytes so that a refusal can say what a file is."""

from __future__ import annotations

import struct
from typing import Final

SQLITE: Final = b"SQLite format 3\0"
AR: Final = b"!<arch>\n"
_MAGIC: Final[tuple[tuple[bytes, str], ...]] = (
    (SQLITE, "an SQLite database (the profile.pop of Poplar 2.2 and later is one: PopVision and libpva read it)"),
    (AR, "an ar archive of object files (Poplar's archive.a is one: `ar t` lists it)"),
    (b"\x7fELF", "an ELF program or object file"),
    (b"\x1f\x8b", "compressed (gzip); unpack it first"),
    (b"PK\x03\x04", "a ZIP archive; unpack it first"),
    (b"\xfd7zXZ\0", "compressed (xz); unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd); unpack it first"),
    (b"BZh", "compressed (bzip2); unpack it first"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"%PDF-", "a PDF document"),
)
_SEGMENTS = 512


def what_it_is(head: bytes) -> str:
    """``an SQLite database …``, or "" for what is not known either."""
    return next((words for magic, words in _MAGIC if head.startswith(magic)), "")


def is_capnp(head: bytes) -> bool:
    """Whether the file can begin with the segment table of a Cap'n Proto message (its stream framing)."""
    if len(head) < 8:
        return False
    count = struct.unpack_from("<I", head)[0] + 1
    if count > _SEGMENTS or len(head) < 4 + 4 * count:
        return False
    sizes = struct.unpack_from(f"<{count}I", head, 4)
    return int(sizes[0]) > 0
