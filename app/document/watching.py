"""Notices when files of open profiles change on the disk. What is shown does not change with them: all of it was
read, or lies in columns of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.background import Background, Question
from app.document.document import Document
from app.document.loader import Loader
from app.store.stamps import difference
from app.store.token import Token

LOOK_MS = 2000


@dataclass(frozen=True, slots=True)
class Changed:
    """Files of an entry and what became of each, in words that follow its name; none: all are as they were."""

    entry: int
    files: tuple[tuple[Path, str], ...]


class Watching(QObject):
    """Looks at the files every other second, in the background (a disk may hang). Signal ``changed`` (Changed), once
    for each change."""

    changed = Signal(object)

    def __init__(self, document: Document, loader: Loader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._loader = loader
        self._told: dict[int, tuple[int, Changed]] = {}
        self._background = Background(self)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        document.entries_changed.connect(self._follow)
        self._follow()

    def look(self) -> None:
        """Now; the answer comes by the signal."""
        if self._background.busy:
            return
        wanted = {entry.id: (entry.job, self._loader.stamps(entry.job)) for entry in self._document.entries}

        def work(token: Token, _tell: Callable[[int, int], None]) -> dict[int, tuple[int, Changed]]:
            found = {}
            for entry, (job, stamps) in wanted.items():
                token.check()
                every = ((stamp.path, difference(stamp)) for stamp in stamps)
                found[entry] = job, Changed(entry, tuple((path, what) for path, what in every if what))
            return found

        self._background.ask(Question(work, self._take, lambda _: None))

    def _take(self, found: dict[int, tuple[int, Changed]]) -> None:
        jobs = {entry.id: entry.job for entry in self._document.entries}
        for entry, (job, changed) in found.items():
            if jobs.get(entry) == job:  # not closed or read again meanwhile
                self._tell(job, changed)

    def _tell(self, job: int, changed: Changed) -> None:
        _, before = self._told.get(changed.entry, (job, Changed(changed.entry, ())))
        self._told[changed.entry] = job, changed
        if changed != before:
            self.changed.emit(changed)

    def _follow(self) -> None:
        """Entries came or went, or were read again."""
        entries = {entry.id: entry.job for entry in self._document.entries}
        for entry, (job, _) in list(self._told.items()):
            if entries.get(entry) != job:
                self._tell(job, Changed(entry, ()))
                del self._told[entry]
        if entries and not self._timer.isActive():
            self._timer.start()
        elif not entries:
            self._timer.stop()
