"""Reads column files, which lie on a disk where anything may have happened to them: damaged ones are never used.

Files up to IN_MEMORY bytes are copied into memory, where nobody else can change them. Larger ones are mapped (matrices
may be larger than memory); what happens if somebody truncates one that is open, ``lost_pages`` says.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import google_crc32c
import numpy as np

from app.formats.errors import FormatError
from app.language import tr
from app.profile.arrays import Array, sealed
from app.store import lost_pages
from app.store.plain import opened

IN_MEMORY: Final = 16 << 20
PIECE: Final = 1 << 20
"""Bytes that are copied or checked at once, for which other threads wait (0.1 ms)."""


def checked(path: Path, size: int, checksum: int) -> Array:
    """The bytes of a column file, read-only. FormatError if they are not ``size`` bytes with this CRC-32C; OSError."""
    content = _contained(path, size)
    if len(content) != size or checksum_of(content) != checksum:
        raise FormatError(tr("the column store does not match its description"), path=str(path))
    return content


def checksum_of(content: Array) -> int:
    """The CRC-32C of bytes (uint8)."""
    checksum = 0
    for begin in range(0, len(content), PIECE):
        checksum = google_crc32c.extend(checksum, content[begin : begin + PIECE])
    return checksum


def _contained(path: Path, size: int) -> Array:
    """The bytes of a file, not all of them if it is not of this ``size``."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size != size:
            return np.empty(0, np.uint8)
        if size <= IN_MEMORY:
            content = np.empty(size, np.uint8)
            done = 0
            while done < size and (count := file.readinto(content[done : done + PIECE].data)):
                done += count
            return sealed(content[:done])
    return lost_pages.mapped(path)
