"""The open profiles, the one that is shown, and its selection, hover and ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.document.answers import AnswersModel
from app.document.baselines import Baselines
from app.document.edits import Edit, Edits
from app.document.entry import Entry
from app.document.selection import Linked, MatchModel, RangeModel, SelectionModel
from app.document.states import NotesModel, States, TimeUnits
from app.document.user_choices import QueryHistory, SourceFiles, ThresholdsModel
from app.language import tr
from app.profile.selection import Ranges

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from app.formats.source import Source
    from app.profile.profile import Profile
    from app.profile.selection import Selection

RANGE = tr("range")
"""In "Undo {what}"."""


class Update(Struct, frozen=True):
    """The update sent to panels: the profile now shown (None: nothing is open) and its new sections (None: another
    profile is shown, and all are new). ``outdated``: those of them that replace what a preview showed."""

    profile: Profile | None
    sections: frozenset[str] | None = None
    outdated: frozenset[str] = frozenset()

    @property
    def whole(self) -> bool:
        return self.sections is None

    def touches(self, *names: str) -> bool:
        """Whether any of these sections (or "issues") changed."""
        return self.sections is None or not self.sections.isdisjoint(names)


class Document(QObject):
    """The open profiles; lives in the window's thread. Signals: ``updated`` (Update) for the shown profile,
    ``entries_changed`` when profiles open, finish or close or another is shown, ``entry_closed`` after one was closed
    or replaced, ``open_wanted`` (paths) when a panel requests to open files that a profile names or contains,
    ``target_wanted`` (Target) when a panel requests to show something in another one."""

    updated = Signal(object)
    entries_changed = Signal()
    entry_closed = Signal()
    open_wanted = Signal(object)
    target_wanted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.selection = SelectionModel(self)
        self.hover = SelectionModel(self)
        self.linked = Linked(self, self.selection, self.hover)
        self.matches = MatchModel(self)
        self.ranges = RangeModel(self)
        self.states = States(self)
        self.edits = Edits(self)
        self.notes = NotesModel(self.states, self.edits, self)
        self.source_files = SourceFiles(self)
        self.thresholds = ThresholdsModel(self)
        self.answers = AnswersModel(self.thresholds, self)
        self.queries = QueryHistory(self)
        self.time_units = TimeUnits(self.states, self)
        self.baselines = Baselines(self, self.states, self)
        self._entries: dict[int, Entry] = {}
        self._current: int | None = None
        self._remembered: dict[int, Selection | None] = {}
        self._ranges: dict[int, Ranges] = {}
        self._showing = 0
        self._next = 1
        self._together = 0
        self._moved = self._gone = False
        self.ranges.replaced.connect(self._add_range)
        self.selection.changed.connect(self.notes.give_way)
        self.notes.taken.connect(self.selection.clear)
        self.time_units.changed.connect(self._change_unit)
        self.updated.connect(lambda update: self.linked.follow(update.profile))
        self.updated.connect(lambda update: self.answers.follow(update.profile))
        self.entry_closed.connect(self.baselines.drop_closed)
        self.entries_changed.connect(self.baselines.recall)
        self.entries_changed.connect(self.baselines.follow)
        self.records: Callable[[Entry], AbstractContextManager[Source]] | None = None
        """Set by the loader: opens the text with the records of a profile's timeline, for ``app/formats/records.py``;
        in any thread."""
        self.record: Callable[[int, int], Mapping[str, Any]] | None = None
        """Set by the loader: maps (entry id, ordinal) to the arguments of that record, decoded again from its file.
        Raises FormatError where the file changed."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The open profiles, in the order of their jobs: one that is read sooner than others does not pass them."""
        return tuple(self._entries.values())

    def entry(self, entry_id: int) -> Entry | None:
        """The open profile of that id; None if it has been closed."""
        return self._entries.get(entry_id)

    @property
    def current(self) -> Entry | None:
        return None if self._current is None else self._entries[self._current]

    @property
    def current_id(self) -> int | None:
        """The id of the shown profile, None without one; panels store their state by it."""
        return self._current

    @property
    def showing(self) -> int:
        """A number that changes whenever another profile is shown or the shown one is reloaded; anything computed under
        another number is stale."""
        return self._showing

    @property
    def profile(self) -> Profile | None:
        return None if self.current is None else self.current.profile

    @contextmanager
    def together(self) -> Iterator[None]:
        """Emits ``entries_changed`` and ``entry_closed`` once at the end of the block: every subscriber goes through
        all profiles, and opening a folder can add hundreds."""
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

    def add(self, profile: Profile, job: int, *, show: bool = True, cached: bool = False) -> int:
        """Adds a profile and returns its entry id. With ``show``, or if nothing else is open, it is shown at once."""
        entry = Entry(self._next, profile, job, cached=cached, opened_by=job)
        self._next += 1
        self._insert(entry)
        if show or self._current is None:
            self.show(entry.id)
        else:
            self._publish_moved()
        return entry.id

    def _insert(self, entry: Entry) -> None:
        """Adds an entry behind the last one that its job or an earlier job opened."""
        later = list(takewhile(lambda other: other.opened_by > entry.opened_by, reversed(self._entries.values())))
        self._entries[entry.id] = entry
        for other in reversed(later):
            self._entries[other.id] = self._entries.pop(other.id)

    def grow(self, entry_id: int, profile: Profile, changed: frozenset[str]) -> None:
        """Replaces a profile by one with more sections; ignores an id that has been closed. ``changed``: names of the
        new sections. Where they replace what a preview showed, the same items stay selected."""
        if entry_id not in self._entries:
            return
        profile = self.time_units.applied(entry_id, profile)
        before = self._entries[entry_id].profile
        known = changed.intersection(before.filled())
        outdated = frozenset(name for name in known if before.section(name) is not profile.section(name))
        self._entries[entry_id] = replace(self._entries[entry_id], profile=profile)
        shown = entry_id == self._current
        selected = self.selection.value if shown else self._remembered.get(entry_id)
        if selected is not None and outdated:
            selected = _same(before, profile, selected)
        if not shown:
            self._remembered[entry_id] = selected
            return
        if outdated:
            self.hover.clear()
        if selected != self.selection.value:
            self.selection.clear()  # so that no subscriber looks up an old index in the new profile
        self.updated.emit(Update(profile, changed, outdated))
        self.selection.set(selected)

    def replace(self, entry_id: int, profile: Profile, job: int) -> None:
        """Replaces the profile of an entry after a reload; ignores an id that has been closed. The same items stay
        selected, wherever they are in the new profile; ranges and views are kept."""
        if entry_id not in self._entries:
            return
        profile = self.time_units.applied(entry_id, profile)
        before, shown = self._entries[entry_id].profile, entry_id == self._current
        selected = self.selection.value if shown else self._remembered.get(entry_id)
        if selected is not None:
            selected = _same(before, profile, selected)
        opened_by = self._entries[entry_id].opened_by
        self._entries[entry_id] = Entry(entry_id, profile, job, done=True, opened_by=opened_by)
        if shown:
            self.hover.clear()
            self.selection.clear()  # so that no subscriber looks up an old index in the new profile
            self._showing += 1
            self.updated.emit(Update(profile))
            self.selection.set(selected)
        else:
            self._remembered[entry_id] = selected
        self._publish_moved()
        self._publish_gone()

    def finish(self, entry_id: int) -> None:
        """Marks a profile as complete."""
        if entry_id in self._entries:
            self._entries[entry_id] = replace(self._entries[entry_id], done=True)
            self._publish_moved()

    def show(self, entry_id: int) -> None:
        """Shows this profile and restores its selection and ranges; ignores an id that has been closed."""
        if entry_id == self._current or entry_id not in self._entries:
            return
        self.states.saving.emit()  # a name that is being written belongs to the profile that is shown until now
        if self._current is not None:
            self._remembered[self._current] = self.selection.value
            self._ranges[self._current] = self.ranges.value
        self._current = entry_id
        self._announce()

    def show_or_open(self, paths: Sequence[Path]) -> None:
        """Shows the profile of exactly these files if it is open, else requests to open them."""
        wanted = set(paths)
        for entry in self.entries:
            if wanted and not entry.is_part and set(entry.profile.origin.paths) == wanted:
                self.show(entry.id)
                return
        if wanted:
            self.open_wanted.emit(tuple(paths))

    def _change_unit(self, entry_id: int) -> None:
        """Shows the times of a profile in the unit that the user set."""
        entry = self._entries.get(entry_id)
        if entry is None:
            return
        profile = self.time_units.applied(entry_id, entry.profile)
        self._entries[entry_id] = replace(entry, profile=profile)
        if entry_id == self._current:
            self.updated.emit(Update(profile, frozenset(("timeline", "issues"))))

    def close(self, entry_id: int) -> None:
        """Closes a profile; if it was shown, its neighbour is shown instead."""
        self.states.saving.emit()
        ids = list(self._entries)
        place = ids.index(entry_id)
        del self._entries[entry_id]
        self._remembered.pop(entry_id, None)
        self._ranges.pop(entry_id, None)
        self.states.forget(entry_id)
        self.source_files.retain(self._entries)
        self.time_units.forget(entry_id)
        self.edits.forget(entry_id)
        ids.remove(entry_id)
        if entry_id == self._current:
            self._current = ids[min(place, len(ids) - 1)] if ids else None
            self._announce()
        else:
            self._publish_moved()
        self._publish_gone()

    def _publish_moved(self) -> None:
        if self._together:
            self._moved = True
        else:
            self.entries_changed.emit()

    def _publish_gone(self) -> None:
        if self._together:
            self._gone = True
        else:
            self.entry_closed.emit()

    def _add_range(self, before: Ranges, after: Ranges) -> None:
        self.edits.add(Edit(RANGE, partial(self.ranges.show, before), partial(self.ranges.show, after)))

    def _announce(self) -> None:
        self.hover.clear()
        self.selection.clear()
        self._showing += 1
        self.ranges.show(self._ranges.get(self._current or 0, Ranges()))
        self.edits.show(self._current)
        self.notes.show(self._current)
        self.updated.emit(Update(self.profile))
        self.entries_changed.emit()  # not deferred: the docks must exist before further sections arrive
        if self._current is not None:
            self.selection.set(self._remembered.get(self._current))


def _same(before: Profile, after: Profile, selected: Selection) -> Selection | None:
    """The same items in another reading of the files; None if none is left."""
    from app.analysis.same_things import same_things  # imports numpy

    return same_things(before, after, selected)
