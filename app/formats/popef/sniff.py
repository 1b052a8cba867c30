"""Whether a file looks like PopEF (there is no magic number: the header of the first blob must be plausible)."""

from __future__ import annotations

from pathlib import Path

from app.formats.errors import FormatError
from app.formats.popef.header import read_header
from app.profile.popef import BLOB_TYPES

PATTERNS = ("*.popef", "*.poplar_exec")


def sniff(head: bytes, path: Path) -> int:
    """3 for a blob header of a known type, 2 for one of a plausible future type, 1 for the name alone."""
    named = int(any(path.match(pattern) for pattern in PATTERNS))

    def read(offset: int, length: int) -> bytes:
        return head[offset : offset + length]

    try:
        header = read_header(read, 0, len(head))
    except FormatError:
        return named
    if header.size < header.length:
        return named
    return 3 if header.type < len(BLOB_TYPES) else 2
