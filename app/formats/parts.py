"""Parts of files as if they were files: reports inside a log are opened, reloaded and named like any other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_STRETCH: Final = re.compile(r"(\d{1,18})\+(\d{1,18})")
_LONGEST: Final = 120


def inside(path: Path, offset: int, size: int, name: str) -> Path:
    """What stands for ``size`` bytes from ``offset`` of the file ``path`` as a file called ``name``:
    ``path/offset+size/name``. No file system has anything below a file, so no other file is meant by it; ``Source``
    opens it. What a file name may not hold is replaced in ``name``."""
    plain = "".join("_" if char in '/\\:*?"<>|' or not char.isprintable() else char for char in name)
    return path / f"{offset}+{size}" / (plain[-_LONGEST:].strip(". ") or "part")


def holder(path: Path) -> Path | None:
    """The file that a path made by ``inside`` lies in; None for any other path."""
    if _STRETCH.fullmatch(path.parent.name) is None:
        return None
    outer = path.parent.parent
    try:
        return outer if outer.is_file() else None
    except OSError:
        return None


def stretch_of(path: Path) -> tuple[int, int]:
    """(offset, size) of a path made by ``inside``."""
    offset, _, size = path.parent.name.partition("+")
    return int(offset), int(size)


def folder_of(path: Path) -> Path:
    """What a file has in common with those it may belong together with: its folder, or the file that it lies in."""
    return holder(path) or path.parent
