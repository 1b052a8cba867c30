"""The notes of the profile that is shown, and which of them is chosen."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.document.states import States
from app.profile.selection import Selection
from app.profile.time_note import LONGEST_NOTE, NOTE_COLOURS, TimeNote


class HeldNotes(QObject):
    """One is chosen at a time, and then nothing is selected. Signals: ``changed`` (also when another is chosen),
    ``taken`` when one was chosen."""

    changed = Signal()
    taken = Signal()

    def __init__(self, states: States, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states = states
        self._entry: int | None = None
        self._chosen: int | None = None
        states.restored.connect(self._restored)

    @property
    def value(self) -> tuple[TimeNote, ...]:
        """In the order they were made."""
        return () if self._entry is None else self._states.of(self._entry).notes

    @property
    def chosen(self) -> int | None:
        """Which of ``value`` is chosen."""
        return self._chosen if self._chosen is not None and self._chosen < len(self.value) else None

    def show(self, entry: int | None) -> None:
        """Another profile is shown."""
        self._entry, self._chosen = entry, None
        self.changed.emit()

    def add(self, start: float, end: float, text: str) -> None:
        """A new note, in the next colour; it is chosen."""
        if self._entry is not None:
            colour = (self.value[-1].colour + 1) % len(NOTE_COLOURS) if self.value else 0
            self._keep((*self.value, TimeNote(start, end, text[:LONGEST_NOTE], colour)))
            self.choose(len(self.value) - 1)

    def rename(self, index: int, text: str) -> None:
        self._change(index, text=" ".join(text.split())[:LONGEST_NOTE])

    def recolour(self, index: int) -> None:
        """The next colour."""
        if 0 <= index < len(self.value):
            self._change(index, colour=(self.value[index].colour + 1) % len(NOTE_COLOURS))

    def remove(self, index: int) -> None:
        """Takes a note away; none is chosen then."""
        if 0 <= index < len(self.value):
            left = self.value[:index] + self.value[index + 1 :]
            self._chosen = None
            self._keep(left)
            self.changed.emit()

    def choose(self, index: int | None) -> None:
        """``index`` of ``value``; None: none is chosen."""
        if index is not None and not 0 <= index < len(self.value):
            index = None
        if index != self._chosen:
            self._chosen = index
            if index is not None:
                self.taken.emit()
            self.changed.emit()

    def give_way(self, selection: Selection | None) -> None:
        """Something was selected."""
        if selection is not None:
            self.choose(None)

    def _change(self, index: int, **changes: object) -> None:
        if 0 <= index < len(self.value):
            notes = list(self.value)
            notes[index] = replace(notes[index], **changes)  # type: ignore[arg-type]
            self._keep(tuple(notes))
            self.changed.emit()

    def _keep(self, notes: tuple[TimeNote, ...]) -> None:
        if self._entry is not None:
            self._states.set_notes(self._entry, notes)

    def _restored(self, entry: int) -> None:
        if entry == self._entry:
            self._chosen = None
            self.changed.emit()
