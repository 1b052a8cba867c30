"""Files opened lately, newest first. A pair is one of them: it stands under its first file, and the others are listed
by that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from app.language import tr

LIMIT = 20
NAMED = 3
"""Files of an entry that it is called by."""

Together: TypeAlias = Mapping[str, Sequence[str]]
"""By the first file of an entry: those that are opened with it."""


@dataclass(frozen=True, slots=True)
class RecentFile:
    """``beside``: what is opened with it. ``exists`` is False where a file is gone: shown greyed, not hidden."""

    path: Path
    exists: bool
    beside: tuple[Path, ...] = ()

    @property
    def paths(self) -> list[Path]:
        """All that is opened."""
        return [self.path, *self.beside]

    @property
    def name(self) -> str:
        names = [path.name or str(path) for path in self.paths]
        more = [tr("{count:,} more", count=len(names) - NAMED)] if len(names) > NAMED else []
        return " + ".join([*names[:NAMED], *more])

    @property
    def folder(self) -> str:
        """The folder it lies in, the home folder shortened."""
        parent = self.path.parent
        try:
            return str(Path("~") / parent.relative_to(Path.home()))
        except (ValueError, RuntimeError):
            return str(parent)


def added(recent: Sequence[str], paths: Iterable[Path]) -> tuple[str, ...]:
    """``paths`` in front, each once, at most LIMIT."""
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
