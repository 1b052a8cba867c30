"""File stamps, to detect whether files have changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from app.formats.parts import holder
from app.language import tr


class Stamp(Struct, frozen=True):
    """The state of one file; a ``size`` of -1 means that it did not exist. ``changed_ns`` cannot be set back (except on
    Windows, where it is the time of creation)."""

    path: Path
    size: int
    modified_ns: int
    changed_ns: int
    inode: int

    @property
    def latest_ns(self) -> int:
        return max(self.modified_ns, self.changed_ns)


def stamp(path: Path) -> Stamp:
    """The stamp of ``path``; a part of a file (``parts.inside``) has the stamp of that file. OSError if there is no
    such file."""
    status = (holder(path) or path).stat()
    return Stamp(path.absolute(), status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def stamps(paths: Sequence[Path]) -> tuple[Stamp, ...]:
    """The stamps of all files; inaccessible ones count as missing."""
    return tuple(_stamp_or_none(path) for path in paths)


def difference(before: Stamp) -> str:
    """What happened to a file since, in words that follow its name; "" if its size and time of modification are
    unchanged."""
    now = _stamp_or_none(before.path)
    if before.size < 0 or (now.size, now.modified_ns) == (before.size, before.modified_ns):
        return ""
    if now.size < 0:
        return tr("no longer exists")
    if now.size == before.size:
        return tr("was rewritten")
    return tr("has grown") if now.size > before.size else tr("has become shorter")


def _stamp_or_none(path: Path) -> Stamp:
    try:
        return stamp(path)
    except OSError:
        return Stamp(path.absolute(), -1, 0, 0, 0)
