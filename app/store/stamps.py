"""Whether files have changed since they were read, or the program itself."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from app import __version__, program
from app.build_facts import build_facts
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


STORE_VERSION: Final = 4
"""Raise it whenever the layout of a column file or of the manifest changes. Changes of readers need no number:
``code_stamp`` follows their code."""

READING: Final = ("profile", "formats", "analysis", "store")
"""The packages whose code determines columns."""


def code_stamp() -> str:
    """A stamp of the readers' code: version, commit of a build, and of a frozen program its executable, else name, size
    and time of each module (a Flatpak's files all have the same time). OSError while it is being replaced."""
    digest = hashlib.blake2b(f"{STORE_VERSION} {__version__} {build_facts()}".encode(), digest_size=16)
    if program.is_frozen():
        status = Path(sys.executable).stat()
        digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
        return digest.hexdigest()
    modules = sorted(module for package in READING for module in _modules(str(program.FOLDER / package)))
    digest.update(repr(modules).encode())
    return digest.hexdigest()


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                yield from _modules(entry.path)
