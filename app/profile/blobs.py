"""The blobs of PopEF files, before their contents are decoded."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.language import tr
from app.profile.arrays import I32, I64
from app.profile.strings import Strings

BLOB_TYPES = ("POPLAR_EXECUTABLE", "METADATA", "DATA_TENSOR", "DATA_FEED", "OPAQUE")
"""Index is the type number (PopEF user guide, section 2, lists them in this order)."""

EXECUTABLE, METADATA, TENSOR, FEED, OPAQUE = range(5)


def blob_type(number: int) -> str:
    """The name of a blob type, or "unknown (n)" for other numbers."""
    return BLOB_TYPES[number] if 0 <= number < len(BLOB_TYPES) else tr("unknown ({number})", number=number)


class Blobs(Struct, frozen=True, eq=False):
    """Complete blobs in file order; a truncated blob is reported as an issue and has no row.

    ``file``: int32 index into the paths of the profile's origin; ``offset``: int64 byte in that file; ``type``: int32
    number (``blob_type``); ``version``, ``name``, ``executable``: int32 text ids, -1 where the message could not be
    decoded or has no such field (``executable`` is the name that a metadata or opaque blob refers to); ``size``: int64
    bytes of the whole blob; ``header_size``, ``info_size``, ``payload_size``: int64 bytes of its three parts, -1 where
    they are unknown.
    """

    SECTION: ClassVar[str] = "blobs"
    strings: Strings
    file: I32
    offset: I64
    type: I32
    version: I32
    name: I32
    executable: I32
    size: I64
    header_size: I64
    info_size: I64
    payload_size: I64

    def __len__(self) -> int:
        return len(self.offset)

    def payload(self, blob: int) -> tuple[int, int]:
        """(first byte in the file, size in bytes) of the payload of ``blob``; (0, -1) if unknown."""
        size = int(self.payload_size[blob])
        return (int(self.offset[blob] + self.size[blob]) - size, size) if size >= 0 else (0, -1)
