"""Saves the user's notes and views of files between runs, by the content of the files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.background import Background, Task
from app.document.document import Document
from app.formats.errors import FormatError
from app.language import tr
from app.profile.file_state import FileState
from app.store.file_state import read_state, write_state
from app.store.token import Token

VIEWS_MS = 1000
"""Delay in ms from the first change of a view until it is saved; also saved when the window closes."""
NOTES_MS = 250
"""The same for notes and units, which the user typed: they survive a crash a second later."""
RETRY_MS = 3000
"""After so many ms it is tried again to save what could not be saved."""


class SavedState(Struct, frozen=True):
    """The saved state for the files of an entry that load ``job`` read; ``fingerprint``: "" where they cannot be
    read."""

    job: int
    fingerprint: str
    state: FileState


class EntryState(Struct):
    """One entry: the load it comes from, its files and the name of its profile; the fingerprint once known, and the one
    before a reload; ``base``: the state as it was read or saved last, so that only what changed since is saved;
    ``due``: the state that still has to be saved; ``problem``: why that failed, "" if it did not."""

    job: int
    paths: tuple[Path, ...]
    name: str
    fingerprint: str | None = None
    former: str | None = None
    base: FileState = field(default_factory=FileState)
    due: FileState | None = None
    problem: str = ""

    def identify(self, fingerprint: str) -> None:
        """Sets the fingerprint. What was known of another content is no base for this one."""
        if fingerprint != self.former:
            self.base = FileState()
        self.fingerprint = fingerprint

    @property
    def work_due(self) -> bool:
        """Whether notes or a unit have to be saved, rather than only views."""
        return self.due is not None and (self.due.notes != self.base.notes or self.due.unit != self.base.unit)


class Unsaved(Struct, frozen=True):
    """A file whose notes could not be saved, and why."""

    name: str
    reason: str


class StateSaver(QObject):
    """Loads the saved state of a profile in the background when it opens; saves changes after a short delay. What
    cannot be saved is kept, also of profiles that are closed, and tried again until it is. Signal
    ``unsaved_changed``."""

    unsaved_changed = Signal()

    def __init__(self, document: Document, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._folder = folder
        self._entry_states: dict[int, EntryState] = {}
        self._requested: list[int] = []
        self._unsaved: tuple[Unsaved, ...] = ()
        self._background = Background(self)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.write)
        document.entries_changed.connect(self._look)
        document.entry_closed.connect(self._drop_closed)
        document.states.changed.connect(self._changed)
        self._look()

    @property
    def busy(self) -> bool:
        """Whether saved states are still being loaded."""
        return self._background.busy or bool(self._requested)

    @property
    def unsaved(self) -> tuple[Unsaved, ...]:
        """The files whose notes or units could not be saved the last time it was tried."""
        return self._unsaved

    def write(self, *, at_end: bool = False) -> None:
        """Saves the pending states whose fingerprint is known. ``at_end``: also those of files that are still being
        identified, for which there is no later."""
        self._document.states.saving.emit()
        self._timer.stop()
        for entry, saved in list(self._entry_states.items()):
            if at_end and saved.due is not None and saved.fingerprint is None:
                saved.identify(fingerprint_of(saved.paths))
            if saved.due is not None and saved.fingerprint is not None:
                self._save(entry, saved, saved.due)
        self._forget_closed()
        self._report()
        self._later()

    def _save(self, entry: int, saved: EntryState, due: FileState) -> None:
        """Saves one state, and shows what other windows changed in its notes."""
        if not saved.fingerprint and not saved.work_due:
            saved.due = None
            return
        if not saved.fingerprint:
            saved.problem = tr("the profile's file cannot be read, so its content cannot be identified")
            return
        try:
            notes = write_state(self._folder, saved.fingerprint, due, saved.name, saved.base)
        except OSError as error:
            saved.problem = error.strerror or str(error)
            return
        saved.base, saved.due, saved.problem = replace(due, notes=notes), None, ""
        self._document.states.take_notes(entry, notes)

    def _look(self) -> None:
        """Requests the saved states of entries that are new or were reloaded. They wait while another request runs: a
        folder can add hundreds, and replacing the request would start over with the first."""
        for entry in self._document.entries:
            if entry.is_part:
                continue
            known = self._entry_states.get(entry.id)
            if known is None or known.job != entry.job:
                state = EntryState(entry.job, entry.profile.origin.paths, entry.profile.name)
                if known is not None:
                    state.due, state.former, state.base = known.due, known.fingerprint, known.base
                    if not self._document.states.of(entry.id).empty:
                        state.due = self._document.states.of(entry.id)  # saved for the new content, too
                self._document.states.identify(entry.id, "")
                self._entry_states[entry.id] = state
                self._requested.append(entry.id)
        if self._requested and not self._background.busy:
            self._look_up()

    def _look_up(self) -> None:
        requested, self._requested = self._requested, []
        wanted = {name: known for name in requested if (known := self._entry_states.get(name)) is not None}
        jobs = {name: (known.job, known.paths) for name, known in wanted.items()}
        folder = self._folder

        def work(token: Token, _progress: Callable[[int, int], None]) -> dict[int, SavedState]:
            return {name: look_for(folder, job, paths, token) for name, (job, paths) in jobs.items()}

        self._background.run(Task(work, self._restore, lambda _: None))

    def _restore(self, answers: dict[int, SavedState]) -> None:
        for name, answer in answers.items():
            known = self._entry_states.get(name)
            if known is None or known.job != answer.job:
                continue  # closed or reloaded meanwhile
            known.identify(answer.fingerprint)
            if self._document.entry(name) is None:
                continue  # closed, but not saved yet
            self._document.states.identify(name, answer.fingerprint)
            self._take_over(name, known)
            base, known.base = known.base, answer.state
            if not answer.state.empty or not base.empty:
                self._document.states.restore(name, answer.state, base)
                if known.due is not None:
                    known.due = self._document.states.of(name)
        self._later()
        self._look()

    def _take_over(self, name: int, known: EntryState) -> None:
        """Shows the notes of the same file that was closed before they could be saved."""
        states = self._document.states
        for closed, former in list(self._entry_states.items()):
            same = known.fingerprint and former.fingerprint == known.fingerprint
            if same and former.due is not None and self._document.entry(closed) is None:
                del self._entry_states[closed]
                states.restore(name, former.due)
                known.base, known.due = former.base, states.of(name)

    def _changed(self, entry: int) -> None:
        if entry in self._entry_states:
            self._entry_states[entry].due = self._document.states.of(entry)
            self._later()

    def _later(self) -> None:
        """Starts the timer for what has to be saved, unless it ends earlier."""
        due = [known for known in self._entry_states.values() if known.due is not None]
        if not due:
            return
        new = [known for known in due if not known.problem]
        delay = NOTES_MS if any(known.work_due for known in new) else VIEWS_MS if new else RETRY_MS
        if not self._timer.isActive() or delay < self._timer.remainingTime():
            self._timer.start(delay)

    def _drop_closed(self) -> None:
        open_now = {entry.id for entry in self._document.entries}
        if self._entry_states.keys() - open_now:
            self.write()

    def _forget_closed(self) -> None:
        """Forgets profiles that were closed and have nothing to save."""
        open_now = {entry.id for entry in self._document.entries}
        self._entry_states = {
            name: known
            for name, known in self._entry_states.items()
            if name in open_now or (known.due is not None and (known.work_due or known.fingerprint is None))
        }

    def _report(self) -> None:
        failed = [known for known in self._entry_states.values() if known.problem and known.work_due]
        unsaved = tuple(Unsaved(known.name, known.problem) for known in failed)
        if unsaved != self._unsaved:
            self._unsaved = unsaved
            self.unsaved_changed.emit()


def look_for(folder: Path, job: int, paths: tuple[Path, ...], token: Token) -> SavedState:
    """The saved state for ``paths`` in ``folder``; runs in a background thread."""
    token.check()
    fingerprint = fingerprint_of(paths)
    return SavedState(job, fingerprint, read_state(folder, fingerprint) if fingerprint else FileState())


def fingerprint_of(paths: tuple[Path, ...]) -> str:
    """What identifies the content of ``paths``; "" if they cannot be read."""
    from app.store.fingerprint import content_fingerprint  # imports numpy

    try:
        return content_fingerprint(paths) if paths else ""
    except FormatError:
        return ""
