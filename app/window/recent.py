"""Files opened lately, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

LIMIT = 20


@dataclass(frozen=True, slots=True)
class RecentFile:
    """``exists`` is False for a file that is gone: shown greyed, not hidden."""

    path: Path
    exists: bool

    @property
    def name(self) -> str:
        return self.path.name or str(self.path)

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


def listed(recent: Sequence[str]) -> list[RecentFile]:
    return [RecentFile(Path(text), _exists(Path(text))) for text in recent]


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
