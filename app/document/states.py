"""The user's state of the open profiles: notes, panel views, units of time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.profile.file_state import ChosenUnit, FileState, TimeNote, merged_notes

NOTHING = FileState()


class States(QObject):
    """States by entry id. Signals: ``changed`` (entry id) by the user; ``restored`` (entry id) when the saved state of
    an earlier run was merged in; ``notes_merged`` (entry id, former notes) when notes of other windows were, before
    ``restored``; ``saving``: they are about to be saved, so whatever waits sets its state now."""

    changed = Signal(object)
    restored = Signal(object)
    notes_merged = Signal(object, object)
    saving = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states: dict[int, FileState] = {}
        self._fingerprints: dict[int, str] = {}

    def fingerprint(self, entry: int) -> str:
        """What identifies the content of the files of an entry as they were read; "" while it is not known."""
        return self._fingerprints.get(entry, "")

    def identify(self, entry: int, fingerprint: str) -> None:
        """Sets the fingerprint; "" when the files are read again."""
        self._fingerprints[entry] = fingerprint

    def of(self, entry: int) -> FileState:
        return self._states.get(entry, NOTHING)

    def view(self, entry: int, panel: str) -> Mapping[str, Any] | None:
        """The saved view of a panel as untrusted plain JSON values; None without one."""
        return self.of(entry).views.get(panel)

    def set_view(self, entry: int, panel: str, view: Mapping[str, Any]) -> None:
        state = self.of(entry)
        if state.views.get(panel) != view:
            self._set(entry, replace(state, views={**state.views, panel: view}))

    def set_notes(self, entry: int, notes: tuple[TimeNote, ...]) -> None:
        if notes != self.of(entry).notes:
            self._set(entry, replace(self.of(entry), notes=notes))

    def set_unit(self, entry: int, unit: ChosenUnit | None) -> None:
        if unit != self.of(entry).unit:
            self._set(entry, replace(self.of(entry), unit=unit))

    def restore(self, entry: int, saved: FileState, base: FileState = NOTHING) -> None:
        """Merges in the saved state; changes that the user has made since ``base``, what was known of it before, take
        precedence."""
        mine = self.of(entry)
        unit = saved.unit if mine.unit is None else mine.unit
        views, other = {**saved.views, **mine.views}, {**saved.other, **mine.other}
        notes = merged_notes(base.notes, mine.notes, saved.notes)
        self._states[entry] = FileState(notes, views, unit, other)
        self.notes_merged.emit(entry, mine.notes)
        self.restored.emit(entry)

    def take_notes(self, entry: int, notes: tuple[TimeNote, ...]) -> None:
        """Sets the notes to those that are saved, which other windows may have changed; ignores a closed entry."""
        state = self._states.get(entry)
        if state is not None and [(note.id, note) for note in notes] != [(note.id, note) for note in state.notes]:
            self._states[entry] = replace(state, notes=notes)
            self.notes_merged.emit(entry, state.notes)

    def forget(self, entry: int) -> None:
        self._states.pop(entry, None)
        self._fingerprints.pop(entry, None)

    def _set(self, entry: int, state: FileState) -> None:
        self._states[entry] = state
        self.changed.emit(entry)
