"""Detects when files of open profiles change on disk. The shown data is not affected: it was read completely, or is in
columns of our own. If somebody truncates those, it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.background import Background, Task
from app.document.document import Document
from app.document.loader import Loader
from app.store.stamps import difference
from app.store.token import Token

LOOK_MS = 2000


class FileChanges(Struct, frozen=True):
    """The changed files of an entry, each with a phrase that follows its name; empty: no file has changed.
    ``damaged``: its columns were truncated, and must be read again."""

    entry: int
    files: tuple[tuple[Path, str], ...] = ()
    damaged: bool = False


class FileWatcher(QObject):
    """Checks the files every LOOK_MS in the background (a disk may hang). Signal ``changed`` (Changed), once for each
    change."""

    changed = Signal(object)

    def __init__(self, document: Document, loader: Loader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._loader = loader
        self._reported: dict[int, tuple[int, FileChanges]] = {}
        self._background = Background(self)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        document.entries_changed.connect(self._follow)
        self._follow()

    def look(self) -> None:
        """Starts a check unless one is running; the result comes by the signal."""
        if self._background.busy:
            return
        read = [entry for entry in self._document.entries if not entry.is_part]
        loader = self._loader
        wanted = {entry.id: (entry.job, loader.stamps(entry.job), loader.loaded(entry.job)) for entry in read}

        def work(token: Token, _progress: Callable[[int, int], None]) -> dict[int, tuple[int, FileChanges]]:
            changes = {}
            for entry, (job, stamps, loaded) in wanted.items():
                token.check()
                every = ((stamp.path, difference(stamp)) for stamp in stamps)
                damaged = loaded is not None and loaded.damaged()
                changes[entry] = job, FileChanges(entry, tuple((path, what) for path, what in every if what), damaged)
            return changes

        self._background.run(Task(work, self._take, lambda _: None))

    def _take(self, changes: dict[int, tuple[int, FileChanges]]) -> None:
        jobs = {entry.id: entry.job for entry in self._document.entries}
        for entry, (job, changed) in changes.items():
            if jobs.get(entry) == job:  # not closed or reloaded meanwhile
                self._report(job, changed)

    def _report(self, job: int, changed: FileChanges) -> None:
        _, before = self._reported.get(changed.entry, (job, FileChanges(changed.entry)))
        self._reported[changed.entry] = job, changed
        if changed != before:
            self.changed.emit(changed)

    def _follow(self) -> None:
        """Updates the reported changes after entries were added, closed or reloaded."""
        entries = {entry.id: entry.job for entry in self._document.entries}
        for entry, (job, _) in list(self._reported.items()):
            if entries.get(entry) != job:
                self._report(job, FileChanges(entry))
                del self._reported[entry]
        if entries and not self._timer.isActive():
            self._timer.start()
        elif not entries:
            self._timer.stop()
