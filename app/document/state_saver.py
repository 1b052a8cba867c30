"""Saves the user's notes and views of files between runs, by the content of the files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field
from PySide6.QtCore import QObject, QTimer

from app.document.background import Background, Task
from app.document.document import Document
from app.formats.errors import FormatError
from app.profile.file_state import FileState
from app.store.file_state import read_state, write_state
from app.store.token import Token

WRITE_MS = 1000
"""Delay in ms from the first change until states are saved; they are also saved when the window closes."""


class SavedState(Struct, frozen=True):
    """The saved state for the files of an entry that load ``job`` read; ``fingerprint``: "" where they cannot be
    read."""

    job: int
    fingerprint: str
    state: FileState


class EntryState(Struct):
    """One entry: the load it comes from, the name of its profile, the fingerprint once known, and the state that still
    has to be saved."""

    job: int
    name: str
    fingerprint: str | None = None
    due: FileState | None = field(default=None)


class StateSaver(QObject):
    """Loads the saved state of a profile in the background when it opens; saves changes after a short delay."""

    def __init__(self, document: Document, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._folder = folder
        self._entry_states: dict[int, EntryState] = {}
        self._requests: dict[int, tuple[int, tuple[Path, ...]]] = {}
        self._background = Background(self)
        self._timer = QTimer(self, interval=WRITE_MS, singleShot=True)
        self._timer.timeout.connect(self.write)
        document.entries_changed.connect(self._look)
        document.entry_closed.connect(self._drop_closed)
        document.states.changed.connect(self._changed)
        self._look()

    @property
    def busy(self) -> bool:
        """Whether saved states are still being loaded."""
        return self._background.busy or bool(self._requests)

    def write(self) -> None:
        """Saves the pending states whose fingerprint is known. A folder that cannot be written is ignored; those states
        are not saved."""
        self._document.states.saving.emit()
        self._timer.stop()
        for saved in self._entry_states.values():
            if saved.due is not None and saved.fingerprint:
                state, saved.due = saved.due, None
                try:
                    write_state(self._folder, saved.fingerprint, state, saved.name)
                except OSError:
                    continue

    def _look(self) -> None:
        """Requests the saved states of entries that are new or were reloaded. They wait while another request runs: a
        folder can add hundreds, and replacing the request would start over with the first."""
        for entry in self._document.entries:
            if entry.is_part:
                continue
            known = self._entry_states.get(entry.id)
            if known is None or known.job != entry.job:
                due = known.due if known is not None else None
                if known is not None and not self._document.states.of(entry.id).empty:
                    due = self._document.states.of(entry.id)  # saved for the new content, too
                self._document.states.identify(entry.id, "")
                self._entry_states[entry.id] = EntryState(entry.job, entry.profile.name, None, due)
                self._requests[entry.id] = entry.job, entry.profile.origin.paths
        if self._requests and not self._background.busy:
            self._look_up()

    def _look_up(self) -> None:
        wanted, self._requests = self._requests, {}
        folder = self._folder

        def work(token: Token, _progress: Callable[[int, int], None]) -> dict[int, SavedState]:
            return {name: look_for(folder, job, paths, token) for name, (job, paths) in wanted.items()}

        self._background.run(Task(work, self._restore, lambda _: None))

    def _restore(self, answers: dict[int, SavedState]) -> None:
        for name, answer in answers.items():
            known = self._entry_states.get(name)
            if known is None or known.job != answer.job:
                continue  # closed or reloaded meanwhile
            known.fingerprint = answer.fingerprint
            self._document.states.identify(name, answer.fingerprint)
            if not answer.state.empty:
                self._document.states.restore(name, answer.state)
                if known.due is not None:
                    known.due = self._document.states.of(name)
        self._later()
        self._look()

    def _changed(self, entry: int) -> None:
        if entry in self._entry_states:
            self._entry_states[entry].due = self._document.states.of(entry)
            self._later()

    def _later(self) -> None:
        if not self._timer.isActive() and any(known.due is not None for known in self._entry_states.values()):
            self._timer.start()

    def _drop_closed(self) -> None:
        open_now = {entry.id for entry in self._document.entries}
        if self._entry_states.keys() - open_now:
            self.write()
            self._entry_states = {name: known for name, known in self._entry_states.items() if name in open_now}


def look_for(folder: Path, job: int, paths: tuple[Path, ...], token: Token) -> SavedState:
    """The saved state for ``paths`` in ``folder``; runs in a background thread."""
    from app.store.fingerprint import content_fingerprint  # imports numpy

    token.check()
    try:
        fingerprint = content_fingerprint(paths) if paths else ""
    except FormatError:
        fingerprint = ""
    return SavedState(job, fingerprint, read_state(folder, fingerprint) if fingerprint else FileState())
