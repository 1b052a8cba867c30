"""Paths that address a part of a file, so that reports inside a log are opened, reloaded and named like files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_STRETCH: Final = re.compile(r"(\d{1,18})\+(\d{1,18})")
_LONGEST: Final = 120


def inside(path: Path, offset: int, size: int, name: str) -> Path:
    """The path that addresses ``size`` bytes from ``offset`` of the file ``path`` as a file called ``name``:
    ``path/offset+size/name``. Nothing can exist below a regular file, so it never collides with a real path; ``Source``
    opens it. Characters of ``name`` that are not allowed in file names are replaced."""
    plain = "".join("_" if char in '/\\:*?"<>|' or not char.isprintable() else char for char in name)
    return path / f"{offset}+{size}" / (plain[-_LONGEST:].strip(". ") or "part")


def holder(path: Path) -> Path | None:
    """The file that contains a part addressed by ``inside``; None for any other path."""
    if _STRETCH.fullmatch(path.parent.name) is None:
        return None
    outer = path.parent.parent
    try:
        return outer if outer.is_file() else None
    except OSError:
        return None


def stretch_of(path: Path) -> tuple[int, int]:
    """(offset, size) in bytes of a path made by ``inside``."""
    offset, _, size = path.parent.name.partition("+")
    return int(offset), int(size)


def folder_of(path: Path) -> Path:
    """The folder of a file, or for a part of a file the file that contains it. Files that belong together share it."""
    return holder(path) or path.parent
