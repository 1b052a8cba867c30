"""The list of recent files, newest first. Files opened together are one entry: the first file is in the list, the
others are stored under it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from app.language import tr

LIMIT = 20
NAMED = 3
"""Most file names in the name of an entry."""

Together: TypeAlias = Mapping[str, Sequence[str]]
"""First file of an entry → the files that are opened with it."""


class RecentFile(Struct, frozen=True):
    """One entry. ``beside``: files that are opened with ``path``. ``exists``: False if any file is missing; the entry
    is then disabled, not hidden."""

    path: Path
    exists: bool
    beside: tuple[Path, ...] = ()

    @property
    def paths(self) -> list[Path]:
        """All files of the entry."""
        return [self.path, *self.beside]

    @property
    def name(self) -> str:
        names = [path.name or str(path) for path in self.paths]
        more = [tr("{count:,} more", count=len(names) - NAMED)] if len(names) > NAMED else []
        return " + ".join([*names[:NAMED], *more])

    @property
    def line(self) -> str:
        """What a list says of the entry: its name and folder, or that it is missing."""
        return f"{self.name}    {self.folder}" if self.exists else tr("{file}    (missing)", file=self.name)

    @property
    def folder(self) -> str:
        """The folder of the first file, with the home folder shortened to ``~``."""
        parent = self.path.parent
        try:
            return str(Path("~") / parent.relative_to(Path.home()))
        except (ValueError, RuntimeError):
            return str(parent)


def added(recent: Sequence[str], paths: Iterable[Path]) -> tuple[str, ...]:
    """Returns the list with ``paths`` in front, without duplicates, at most LIMIT."""
    new = [str(path.absolute()) for path in paths]
    return tuple(dict.fromkeys((*new, *recent)))[:LIMIT]


def without(recent: Sequence[str], paths: Iterable[Path]) -> tuple[str, ...]:
    gone = {str(path.absolute()) for path in paths}
    return tuple(path for path in recent if path not in gone)


def listed(recent: Sequence[str], together: Together | None = None) -> list[RecentFile]:
    entries = []
    for text in recent:
        beside = tuple(Path(other) for other in (together or {}).get(text, ()))
        entries.append(RecentFile(Path(text), all(map(_exists, (Path(text), *beside))), beside))
    return entries


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
