"""Watches the files of open profiles: whether they change on disk, and whether others lie beside them that complete a
profile but were not opened with it."""

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
    """Checks the files every LOOK_MS in the background (a disk may hang). The shown data is not affected by a change:
    it was read completely, or is in columns of our own; if somebody truncates those, it is. Signal ``changed``
    (FileChanges), once for each change."""

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


class Partner(Struct, frozen=True):
    """``path``: a file next to those of an entry that belongs to them, judging by its name and first bytes, or
    (``around``) the folder of the report that its only file is a part of; None: there is none, or no longer one."""

    entry: int
    path: Path | None
    around: bool = False


class PartnerSearch(Struct, frozen=True):
    entry: int
    job: int
    format: str
    paths: tuple[Path, ...]


class Partners(QObject):
    """Looks for partner files, such as the execution of a graph, in the background (a disk may hang) once a profile has
    been read; reads only as much of another file as identifies it. Signal ``changed`` (Partner) when an entry gets or
    loses a partner."""

    changed = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._jobs: dict[int, int] = {}
        self._reported: set[int] = set()
        self._waiting: list[PartnerSearch] = []
        self._background = Background(self)
        document.entries_changed.connect(self._follow)
        self._follow()

    @property
    def busy(self) -> bool:
        """Whether a search is running or pending."""
        return self._background.busy or bool(self._waiting)

    def _follow(self) -> None:
        """Updates the searches after entries were added, closed or reloaded."""
        done = {entry.id: entry for entry in self._document.entries if entry.done and not entry.is_part}
        for entry_id in [known for known, job in self._jobs.items() if known not in done or done[known].job != job]:
            del self._jobs[entry_id]
            if entry_id in self._reported:
                self._reported.discard(entry_id)
                self.changed.emit(Partner(entry_id, None))
        for entry in done.values():
            if entry.id not in self._jobs:
                self._jobs[entry.id] = entry.job
                origin = entry.profile.origin
                if not origin.apart:
                    self._waiting.append(PartnerSearch(entry.id, entry.job, origin.format, origin.paths))
        self._ask()

    def _ask(self) -> None:
        if not self._waiting or self._background.busy:
            return
        searches, self._waiting = self._waiting, []

        def work(token: Token, _progress: Callable[[int, int], None]) -> list[tuple[PartnerSearch, Partner]]:
            answers = [(each, look_for_partner(each.entry, each.format, each.paths, token)) for each in searches]
            return [(search, partner) for search, partner in answers if partner.path is not None]

        self._background.run(Task(work, self._take, lambda _: self._ask()))

    def _take(self, answers: list[tuple[PartnerSearch, Partner]]) -> None:
        for search, partner in answers:
            if self._jobs.get(search.entry) == search.job:  # not closed or reloaded meanwhile
                self._reported.add(search.entry)
                self.changed.emit(partner)
        self._ask()


def look_for_partner(entry: int, format_id: str, paths: tuple[Path, ...], token: Token) -> Partner:
    """What completes the files of an entry, with path None without anything; runs in a background thread."""
    from app.formats.registry import FORMATS

    token.check()
    for known in FORMATS:
        path = known.partner(paths) if known.id == format_id and known.partner is not None else None
        if path is not None:
            return Partner(entry, path)
    for known in FORMATS:
        folder = known.surrounding(paths) if known.surrounding is not None else None
        if folder is not None:
            return Partner(entry, folder, around=True)
    return Partner(entry, None)
