"""Recognises data that are not decoded by their first bytes.

Only signatures are checked, which does not guarantee what follows (PopEF does not say how executables are compressed,
nor what opaque data are).
"""

from __future__ import annotations

import struct

from app.language import tr

HEAD = 64
"""How many leading bytes ``recognised`` needs."""

SIGNATURES: tuple[tuple[bytes, str], ...] = (
    (bytes.fromhex("04224d18"), tr("an LZ4 frame")),
    (bytes.fromhex("28b52ffd"), tr("a Zstandard frame")),
    (bytes.fromhex("1f8b"), tr("gzip data")),
    (bytes.fromhex("fd377a585a00"), tr("xz data")),
    (b"BZh", "bzip2 data"),
    (b"PK\3\4", tr("a ZIP archive")),
    (b"\x7fELF", tr("an ELF file")),
    (b"\x93NUMPY", tr("a NumPy array")),
    (b"\x89HDF\r\n\x1a\n", tr("an HDF5 file")),
    (b"{", tr("text that may be JSON")),
)
ZLIB = (0x01, 0x5E, 0x9C, 0xDA)
GC_EXECUTABLE = b"GC_EXE_"
GC_HEADER = struct.Struct("<8s4Q")


def recognised(head: bytes, size: int) -> str:
    """What ``size`` bytes that begin with ``head`` look like; "" if unknown."""
    if head[:7] == GC_EXECUTABLE and len(head) >= GC_HEADER.size:
        return _executable(head)
    for signature, name in SIGNATURES:
        if head.startswith(signature):
            return name
    if len(head) > 1 and head[0] == 0x78 and head[1] in ZLIB:
        return tr("zlib data")
    return tr("a Cap'n Proto message") if _message(head, size) else ""


def _executable(head: bytes) -> str:
    magic, archive, archive_packed, metadata, metadata_packed = GC_HEADER.unpack_from(head)
    name = magic.rstrip(b"\0").decode("ascii", "backslashreplace")
    return tr(
        "a Graphcore executable container ({name}): archive of {archive:,} bytes in {archive_packed:,}, "
        "metadata of {metadata:,} bytes in {metadata_packed:,}",
        name=name,
        archive=archive,
        archive_packed=archive_packed,
        metadata=metadata,
        metadata_packed=metadata_packed,
    )


def _message(head: bytes, size: int) -> bool:
    """Whether there is a table of one segment that fits into the bytes, followed by a pointer to a structure at its
    beginning."""
    if len(head) < 16:
        return False
    segments, words, offset, data, pointers = struct.unpack_from("<IIiHH", head)
    fits = 0 < words <= (size - 8) // 8 and data + pointers < words
    return bool(segments == 0 and fits and offset == 0 and data + pointers > 0)
