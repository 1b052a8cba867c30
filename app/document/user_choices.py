"""What the user has chosen for all profiles: sources opened for paths which profiles name, thresholds of findings, and
statements that were run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from pathlib import PurePath


MOST_FOLDERS: Final = 100
"""Folders that are remembered, the last ones."""
MOST_STATEMENTS: Final = 100
LONGEST_STATEMENT: Final = 10_000
"""Characters; a longer statement is not remembered."""


class OpenedSource(Struct, frozen=True):
    """``file``: the one that was read; ``text``: its content."""

    file: Path
    text: str


class SourceFiles(QObject):
    """Texts by the paths which profiles name, and where the folders of such paths lie here. Signal
    ``folders_changed``: the user showed where a folder lies. Nothing here touches the disk."""

    folders_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folders: dict[str, str] = {}
        """Folder as profiles name it → folder on this machine."""
        self._opened: dict[tuple[int, str], OpenedSource] = {}

    def opened(self, entry: int | None, path: str) -> OpenedSource | None:
        """What was opened for ``path`` of a profile; None if nothing was."""
        return None if entry is None else self._opened.get((entry, path))

    def add(self, entry: int, path: str, source: OpenedSource) -> None:
        """Stores a text, and where the folder of ``path`` lies if the file has another place with the same name."""
        self._opened[entry, path] = source
        named, here = moved_folder(path, source.file)
        if named and self.folders.get(named) != here:
            self.folders.pop(named, None)
            self.folders[named] = here
            self.folders = dict(list(self.folders.items())[-MOST_FOLDERS:])
            self.folders_changed.emit()

    def retain(self, entries: Collection[int]) -> None:
        """Forgets the texts of profiles that are closed."""
        self._opened = {key: source for key, source in self._opened.items() if key[0] in entries}

    def place(self, path: str) -> Path | None:
        """Where the file probably lies: in the folder that the user showed for the longest part of ``path``, else at
        ``path`` itself; None for a relative path without such a folder."""
        return place_of(path, self.folders)


def place_of(path: str, folders: Mapping[str, str]) -> Path | None:
    """See ``SourceFiles.place``."""
    pure = _pure(path)
    for parent in pure.parents:
        here = folders.get(str(parent))
        if here is not None:
            return Path(here, *pure.relative_to(parent).parts)
    return Path(path) if Path(path).is_absolute() else None


def moved_folder(path: str, file: Path) -> tuple[str, str]:
    """(folder in ``path``, folder of this machine) that differ while the rest of both paths is the same; "" each if the
    names of the files differ, or nothing was moved."""
    named, here = _pure(path), file.absolute()
    if named.name != here.name or path == str(here):
        return "", ""
    while len(named.parts) > 1 and len(here.parts) > 1 and named.name == here.name and named.parent.name:
        named, here = named.parent, here.parent
    return str(named), str(here)


def _pure(path: str) -> PurePath:
    """A path of the system on which the profile was made."""
    return PureWindowsPath(path) if "\\" in path and "/" not in path else PurePosixPath(path)


class ThresholdsModel(QObject):
    """The thresholds that differ from the defaults, by name; the rules that know the names are imported when they are
    needed. Signal: ``changed``."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._values: dict[str, float] = {}

    @property
    def values(self) -> dict[str, float]:
        """A copy."""
        return dict(self._values)

    def set(self, values: Mapping[str, float]) -> None:
        if dict(values) != self._values:
            self._values = dict(values)
            self.changed.emit()


class QueryHistory(QObject):
    """Statements that were run, the last one first. Signal ``changed`` when a statement was added, or all were cleared
    or restored."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.statements: tuple[str, ...] = ()
        self._cleared: tuple[str, ...] = ()

    def load(self, statements: Iterable[str]) -> None:
        """Sets what earlier runs of the program remembered, without a signal."""
        self.statements = tuple(statements)[:MOST_STATEMENTS]

    def add(self, statement: str) -> None:
        """Puts a statement in front; each is there once."""
        if statement and len(statement) <= LONGEST_STATEMENT and self.statements[:1] != (statement,):
            self.statements = tuple(dict.fromkeys((statement, *self.statements)))[:MOST_STATEMENTS]
            self.changed.emit()

    def clear(self) -> None:
        """Forgets all; ``undo_clear`` restores them."""
        self._cleared, self.statements = self.statements, ()
        self.changed.emit()

    @property
    def can_undo_clear(self) -> bool:
        return bool(self._cleared)

    def undo_clear(self) -> None:
        """Restores what was cleared, behind what was run since."""
        self.statements = tuple(dict.fromkeys((*self.statements, *self._cleared)))[:MOST_STATEMENTS]
        self._cleared = ()
        self.changed.emit()
