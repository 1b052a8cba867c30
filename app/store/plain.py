"""Opens files of the column store, regular files only: their content is not trusted, and a pipe would block whoever
opens it."""

from __future__ import annotations

import os
import stat
from io import FileIO
from pathlib import Path

from app.language import tr


def opened(path: Path) -> FileIO:
    """Open ``path`` for reading. OSError if it does not exist, is a link, or is not a regular file."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    file = os.fdopen(os.open(path, flags), "rb", buffering=0)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(tr("{path} is not a regular file", path=path.name))
    return file


def content(path: Path, most: int) -> bytes:
    """At most ``most`` bytes from the beginning of the file."""
    parts, left = [], most
    with opened(path) as file:
        while left and (part := file.read(left)):
            parts.append(part)
            left -= len(part)
    return b"".join(parts)
