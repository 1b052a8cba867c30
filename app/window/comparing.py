"""Opens the file that a profile is to be compared with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject

from app.document.document import Document
from app.document.entry import Entry


class BaselineOpener(QObject):
    """Waits until a chosen file is read, and makes it the baseline of the profile that was shown when it was chosen."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._waiting: tuple[int, frozenset[Path]] | None = None
        document.entries_changed.connect(self._look)

    def wait(self, entry: int, paths: Sequence[Path]) -> None:
        """Use the profile of these files as the baseline of ``entry`` as soon as it is complete."""
        self._waiting = entry, frozenset(path.absolute() for path in paths)
        self._look()

    def compare_all(self, path: Path) -> None:
        """Make the profile of this file or folder the baseline of all others that are open, and show the first of
        these."""
        paths = frozenset((path.absolute(),))
        baseline = next((entry for entry in self._document.entries if _is_of(entry, paths)), None)
        others = [entry for entry in self._document.entries if not _is_of(entry, paths)]
        if baseline is None or not others:
            return
        for entry in others:
            self._document.baselines.set(entry.id, baseline.id)
        self._document.show(others[0].id)

    def _look(self) -> None:
        if self._waiting is None:
            return
        entry, paths = self._waiting
        if self._document.entry(entry) is None:
            self._waiting = None
            return
        for other in self._document.entries:
            if other.id != entry and other.done and _is_of(other, paths):
                self._waiting = None
                self._document.show(entry)
                self._document.baselines.set(entry, other.id)
                return


def _is_of(entry: Entry, paths: frozenset[Path]) -> bool:
    """Whether it is the profile of one of the paths, or of a file in a folder among them."""
    if entry.is_part:
        return False
    own = [path.absolute() for path in entry.profile.origin.paths]
    return any(path in paths or not paths.isdisjoint(path.parents) for path in own)
