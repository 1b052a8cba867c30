"""The notes of the shown profile, and the chosen one."""

from __future__ import annotations

import os
import time

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.document.states import States
from app.profile.file_state import LONGEST_NOTE, MOST_NOTES, NOTE_COLOURS, TimeNote
from app.profile.selection import Selection


class NotesModel(QObject):
    """The notes of the shown profile. At most one is chosen, which ends the selection, as a selection ends the choice;
    only a new note is chosen beside what it was added to. Signals: ``changed`` (also when another note is chosen),
    ``taken`` when a note was chosen."""

    changed = Signal()
    taken = Signal()

    def __init__(self, states: States, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states = states
        self._entry: int | None = None
        self._chosen: int | None = None
        states.notes_merged.connect(self._follow)

    @property
    def value(self) -> tuple[TimeNote, ...]:
        """The notes, in the order they were added."""
        return () if self._entry is None else self._states.of(self._entry).notes

    @property
    def chosen(self) -> int | None:
        """Index in ``value`` of the chosen note; None without one."""
        return self._chosen if self._chosen is not None and self._chosen < len(self.value) else None

    def show(self, entry: int | None) -> None:
        """Switches to the notes of another profile; none is chosen."""
        self._entry, self._chosen = entry, None
        self.changed.emit()

    def index_of(self, note_id: str) -> int | None:
        """Index in ``value`` of the note with this id; None if it was removed."""
        return next((place for place, note in enumerate(self.value) if note.id == note_id), None)

    def add(self, start: float, end: float, text: str) -> bool:
        """Adds a note in the next colour and chooses it; what is selected stays selected. False without a profile, or
        if there are MOST_NOTES already."""
        wanted = self._entry is not None and len(self.value) < MOST_NOTES
        if wanted:
            colour = (self.value[-1].colour + 1) % len(NOTE_COLOURS) if self.value else 0
            note = TimeNote(start, end, _cleaned(text), colour, os.urandom(16).hex(), time.time())
            self._keep((*self.value, note))
            self._chosen = len(self.value) - 1
            self.changed.emit()
        return wanted

    def rename(self, index: int, text: str) -> None:
        self._change(index, text=_cleaned(" ".join(text.split())))

    def recolour(self, index: int) -> None:
        """Gives a note the next colour."""
        if 0 <= index < len(self.value):
            self._change(index, colour=(self.value[index].colour + 1) % len(NOTE_COLOURS))

    def remove(self, index: int) -> None:
        """Removes a note; afterwards none is chosen."""
        if 0 <= index < len(self.value):
            left = self.value[:index] + self.value[index + 1 :]
            self._chosen = None
            self._keep(left)
            self.changed.emit()

    def choose(self, index: int | None) -> None:
        """Chooses the note at ``index`` of ``value``; None, or an index out of range, chooses none."""
        if index is not None and not 0 <= index < len(self.value):
            index = None
        if index is not None:
            self.taken.emit()  # also of one that is chosen beside a selection
        if index != self._chosen:
            self._chosen = index
            self.changed.emit()

    def give_way(self, selection: Selection | None) -> None:
        """Chooses no note when something is selected."""
        if selection is not None:
            self.choose(None)

    def _change(self, index: int, **changes: object) -> None:
        if 0 <= index < len(self.value):
            notes = list(self.value)
            notes[index] = replace(notes[index], **changes, changed=time.time())
            self._keep(tuple(notes))
            self.changed.emit()

    def _keep(self, notes: tuple[TimeNote, ...]) -> None:
        if self._entry is not None:
            self._states.set_notes(self._entry, notes)

    def _follow(self, entry: int, former: tuple[TimeNote, ...]) -> None:
        """The same note stays chosen, wherever it is among the merged notes."""
        if entry == self._entry:
            if self._chosen is not None:
                self._chosen = self.index_of(former[self._chosen].id) if self._chosen < len(former) else None
            self.changed.emit()


def _cleaned(text: str) -> str:
    """``text``, not too long, and without halves of characters, which cannot be saved."""
    return text[:LONGEST_NOTE].encode("utf-8", "replace").decode("utf-8")
