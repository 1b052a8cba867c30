"""What the user left at the open profiles: notes, panel views, units of time."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.document.edits import Edit, Edits
from app.language import tr
from app.profile.file_state import LONGEST_NOTE, MOST_NOTES, NOTE_COLOURS, ChosenUnit, FileState, TimeNote, merged_notes
from app.profile.selection import Selection

if TYPE_CHECKING:
    from app.profile.profile import Profile


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


class NotesModel(QObject):
    """The notes of the shown profile. At most one is chosen, which ends the selection, as a selection ends the choice;
    only a new note is chosen beside what it was added to. Whatever the user does to a note is one of ``edits``.
    Signals: ``changed`` (also when another note is chosen), ``taken`` when a note was chosen."""

    changed = Signal()
    taken = Signal()

    def __init__(self, states: States, edits: Edits, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states, self._edits = states, edits
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
            self._record(tr("add note"), len(self.value) - 1, None, note, going_on=True)
            self.changed.emit()
        return wanted

    def rename(self, index: int, text: str) -> None:
        """Renames a note, while its name is written: ``Edits.seal`` ends that."""
        self._change(index, tr("rename note"), going_on=True, text=_cleaned(" ".join(text.split())))

    def recolour(self, index: int) -> None:
        """Gives a note the next colour."""
        if 0 <= index < len(self.value):
            self._change(index, tr("colour of note"), colour=(self.value[index].colour + 1) % len(NOTE_COLOURS))

    def remove(self, index: int) -> None:
        """Removes a note; afterwards none is chosen."""
        if 0 <= index < len(self.value):
            note = self.value[index]
            self._chosen = None
            self._put(note.id, index, None)
            self._record(tr("remove note"), index, note, None)

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

    def _change(self, index: int, what: str, *, going_on: bool = False, **changes: object) -> None:
        if 0 <= index < len(self.value):
            before = self.value[index]
            after = replace(before, **changes, changed=time.time())
            self._put(before.id, index, after)
            self._record(what, index, before, after, going_on=going_on)

    def _record(
        self, what: str, place: int, before: TimeNote | None, after: TimeNote | None, *, going_on: bool = False
    ) -> None:
        """Makes it an edit that a note was added (no ``before``), changed, or removed (no ``after``)."""
        note = before or after
        assert note is not None
        undo, redo = (partial(self._restore, note.id, place, state) for state in (before, after))
        self._edits.add(Edit(what, undo, redo, note.id), going_on=going_on)

    def _restore(self, note_id: str, place: int, note: TimeNote | None) -> None:
        """A former state of a note; it counts as the newest where other windows know the note, too."""
        self._put(note_id, place, None if note is None else replace(note, changed=time.time()))

    def _put(self, note_id: str, place: int, note: TimeNote | None) -> None:
        """Replaces the note of this id, wherever it is by now, or inserts it at ``place``; None removes it, and none is
        chosen then."""
        chosen, notes = self.chosen, list(self.value)
        index = self.index_of(note_id)
        if index is not None:
            notes[index : index + 1] = [] if note is None else [note]
        elif note is not None:
            notes.insert(place, note)
        chosen_id = None if chosen is None else self.value[chosen].id
        self._keep(tuple(notes))
        self._chosen = None if chosen_id is None else self.index_of(chosen_id)
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


class TimeUnits(QObject):
    """Units by entry id; they are saved with the state of the file. Signal ``changed`` (entry id), also when the saved
    unit of an earlier run was merged in."""

    changed = Signal(object)

    def __init__(self, states: States, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states = states
        self._shown: dict[int, ChosenUnit | None] = {}
        self._before: dict[int, list[ChosenUnit | None]] = {}
        states.restored.connect(self._follow)

    def of(self, entry: int) -> ChosenUnit | None:
        """The unit that the user set; None for the one that the reader determined."""
        return self._states.of(entry).unit

    def set(self, entry: int, unit: ChosenUnit | None) -> None:
        """Sets the unit; None resets it."""
        if unit != self.of(entry):
            self._before.setdefault(entry, []).append(self.of(entry))
            self._states.set_unit(entry, unit)
            self._follow(entry)

    def can_undo(self, entry: int) -> bool:
        return bool(self._before.get(entry))

    def undo(self, entry: int) -> None:
        """Restores the unit before the last change."""
        if self.can_undo(entry):
            self._states.set_unit(entry, self._before[entry].pop())
            self._follow(entry)

    def applied(self, entry: int, profile: Profile) -> Profile:
        """``profile`` with its times in the unit of the entry."""
        unit = self._shown[entry] = self.of(entry)
        timeline = profile.timeline
        if timeline is None or (unit is None and timeline.basis != "hand"):
            return profile
        from app.analysis.chosen_unit import with_unit  # imports numpy

        return with_unit(profile, unit)

    def forget(self, entry: int) -> None:
        self._shown.pop(entry, None)
        self._before.pop(entry, None)

    def _follow(self, entry: int) -> None:
        if self._shown.get(entry) != self.of(entry):
            self.changed.emit(entry)
