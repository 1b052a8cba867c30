"""The open profiles, which of them is shown, and what is pointed at in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.document.held import Held, HeldRanges, RangeHistory
from app.document.notes import HeldNotes
from app.document.states import States

if TYPE_CHECKING:
    from app.profile.profile import Profile
    from app.profile.selection import Selection


@dataclass(frozen=True, slots=True)
class Entry:
    """One open profile. ``job`` is the id of the load that fills it; ``done`` when all of it has arrived; ``kept``
    when it was read earlier and comes from the file cache."""

    id: int
    profile: Profile
    job: int
    done: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Update:
    """What panels get: the profile now shown (None: nothing is open) and which sections are new in it (None: it is
    another profile, and all are)."""

    profile: Profile | None
    sections: frozenset[str] | None = None

    @property
    def whole(self) -> bool:
        return self.sections is None

    def touches(self, *names: str) -> bool:
        """Whether any of these sections (or ``issues``) changed."""
        return self.sections is None or not self.sections.isdisjoint(names)


class Document(QObject):
    """Lives in the window's thread. Signals: ``updated`` (Update) for the shown profile, ``entries_changed``
    when profiles open, finish, close or another is shown, ``entry_closed`` after one was closed or replaced,
    ``open_wanted`` (paths) when a panel wants what a profile names or holds to be opened."""

    updated = Signal(object)
    entries_changed = Signal()
    entry_closed = Signal()
    open_wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.selection = Held(self)
        self.hover = Held(self)
        self.ranges = HeldRanges(self)
        self.states = States(self)
        self.notes = HeldNotes(self.states, self)
        self._entries: dict[int, Entry] = {}
        self._current: int | None = None
        self._remembered: dict[int, Selection | None] = {}
        self._ranges: dict[int, RangeHistory] = {}
        self._showing = 0
        self._next = 1
        self._together = 0
        self._moved = self._gone = False
        self.selection.changed.connect(self.notes.give_way)
        self.notes.taken.connect(self.selection.clear)
        self.record: Callable[[int, int], Mapping[str, Any]] | None = None
        """Set by the loader: (entry id, ordinal) to the arguments of that record, decoded again from its file;
        FormatError where the file changed."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """In the order they were opened."""
        return tuple(self._entries.values())

    def entry(self, entry_id: int) -> Entry | None:
        """The open profile of that id; None where it is closed by now."""
        return self._entries.get(entry_id)

    @property
    def current(self) -> Entry | None:
        return None if self._current is None else self._entries[self._current]

    @property
    def current_id(self) -> int | None:
        """The id of the profile that is shown: what panels remember is kept by it."""
        return self._current

    @property
    def showing(self) -> int:
        """Another number whenever another profile is shown, or the shown one was read again: what was made before is
        of a profile that is no longer there."""
        return self._showing

    @property
    def profile(self) -> Profile | None:
        return None if self.current is None else self.current.profile

    @contextmanager
    def together(self) -> Iterator[None]:
        """What opens, finishes and closes inside is announced once, at the end: everybody who follows looks at all
        profiles, and a folder brings hundreds."""
        self._together += 1
        try:
            yield
        finally:
            self._together -= 1
            moved, gone = self._moved, self._gone
            if not self._together:
                self._moved = self._gone = False
                if moved:
                    self.entries_changed.emit()
                if gone:
                    self.entry_closed.emit()

    def add(self, profile: Profile, job: int, *, show: bool = True, kept: bool = False) -> int:
        """A new profile, shown at once unless told otherwise; returns its entry id."""
        entry = Entry(self._next, profile, job, kept=kept)
        self._next += 1
        self._entries[entry.id] = entry
        if show or self._current is None:
            self.show(entry.id)
        else:
            self._tell_moved()
        return entry.id

    def grow(self, entry_id: int, profile: Profile, changed: frozenset[str]) -> None:
        """The same profile with more in it; an id that is closed by now is passed over."""
        if entry_id not in self._entries:
            return
        self._entries[entry_id] = replace(self._entries[entry_id], profile=profile)
        if entry_id == self._current:
            self.updated.emit(Update(profile, changed))

    def replace(self, entry_id: int, profile: Profile, job: int) -> None:
        """The files were read again: the same entry with the new profile. The same things are selected, wherever they
        stand now; ranges and views are kept."""
        if entry_id not in self._entries:
            return
        before, shown = self._entries[entry_id].profile, entry_id == self._current
        selected = self.selection.value if shown else self._remembered.get(entry_id)
        if selected is not None:
            from app.analysis.same_things import same_things  # brings numpy along

            selected = same_things(before, profile, selected)
        self._entries[entry_id] = Entry(entry_id, profile, job, done=True)
        if shown:
            self.hover.clear()
            self.selection.clear()  # nobody looks up an old index in the new profile
            self._showing += 1
            self.updated.emit(Update(profile))
            self.selection.set(selected)
        else:
            self._remembered[entry_id] = selected
        self._tell_moved()
        self._tell_gone()

    def finish(self, entry_id: int) -> None:
        """All of this profile has arrived."""
        if entry_id in self._entries:
            self._entries[entry_id] = replace(self._entries[entry_id], done=True)
            self._tell_moved()

    def show(self, entry_id: int) -> None:
        """Makes this profile the shown one; its selection and ranges come back with it. An id that is closed by now is
        passed over."""
        if entry_id == self._current or entry_id not in self._entries:
            return
        if self._current is not None:
            self._remembered[self._current] = self.selection.value
            self._ranges[self._current] = self.ranges.history
        self._current = entry_id
        self._announce()

    def close(self, entry_id: int) -> None:
        """Closes a profile; its neighbour is shown."""
        ids = list(self._entries)
        place = ids.index(entry_id)
        del self._entries[entry_id]
        self._remembered.pop(entry_id, None)
        self._ranges.pop(entry_id, None)
        self.states.forget(entry_id)
        ids.remove(entry_id)
        if entry_id == self._current:
            self._current = ids[min(place, len(ids) - 1)] if ids else None
            self._announce()
        else:
            self._tell_moved()
        self._tell_gone()

    def _tell_moved(self) -> None:
        if self._together:
            self._moved = True
        else:
            self.entries_changed.emit()

    def _tell_gone(self) -> None:
        if self._together:
            self._gone = True
        else:
            self.entry_closed.emit()

    def _announce(self) -> None:
        self.hover.clear()
        self.selection.clear()
        self._showing += 1
        self.ranges.restore(self._ranges.get(self._current or 0, RangeHistory()))
        self.notes.show(self._current)
        self.updated.emit(Update(self.profile))
        self.entries_changed.emit()  # at once: sections that follow find the docks on the screen
        if self._current is not None:
            self.selection.set(self._remembered.get(self._current))
