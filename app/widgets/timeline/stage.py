"""What the parts of a timeline's canvas act upon: the timeline that is shown, what is selected of it, what lies under
the pointer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from app.profile.arrays import I64
from app.profile.selection import TimeRange
from app.views.timeline.bands import Band
from app.views.timeline.lanes import Lanes
from app.views.timeline.state import Shown
from app.widgets.timeline.marks import Marks
from app.widgets.timeline.pick import Hit


def no_slices() -> I64:
    return np.empty(0, np.int64)


class ShownEdit(Struct, frozen=True, eq=False):
    """``what`` a person did to the timeline that is shown, and how it is undone and redone there, or where the same is
    shown again; ``numbered``: it names lanes by their numbers."""

    what: str
    undo: Callable[[Shown], object]
    redo: Callable[[Shown], object]
    numbered: bool


def nobody(_: ShownEdit) -> None:
    """Is called while nothing follows."""


class Stage(Struct, eq=False):
    """``selected``: slices, rising; ``one_lane``: all rows are one lane, which need not be selected;
    ``range``: the one that is set; ``here``: what lies under the pointer, None where
    it is elsewhere, or does not matter until it moves; ``marks``: what is painted over the data; ``edited`` is called
    when a person folds, pins, hides or moves lanes, or hides slices."""

    shown: Shown | None = None
    one_lane: bool = False
    selected: I64 = field(default_factory=no_slices)
    range: TimeRange | None = None
    here: Hit | None = None
    marks: Marks = field(default_factory=Marks)
    edited: Callable[[ShownEdit], object] = nobody

    def mark(self, **changes: object) -> bool:
        """Changes fields of ``marks``; False where they stay what they are. ``hovered`` alone ends ``several``."""
        if "hovered" in changes:
            changes.setdefault("several", None)
        marks = replace(self.marks, **changes)
        changed = marks != self.marks
        self.marks = marks
        return changed

    # -- the selection ------------------------------------------------------------------------------------

    def selected_stretch(self) -> TimeRange | None:
        """The extent of the selected slices, else of all that lies on the selected lanes."""
        if self.shown is None:
            return None
        if len(self.selected) or not self.marks.lanes:
            return self.shown.model.stretch_of(self.selected)
        return self.shown.model.stretch_of_lanes(self.marks.lanes)

    def chosen_stretch(self) -> TimeRange | None:
        """From the first start to the last end of what is selected, else that of the chosen note."""
        note = self.shown.notes.chosen_note if self.shown is not None else None
        if not len(self.selected) and note is not None:
            return TimeRange(note.start, note.end)
        return self.selected_stretch()

    # -- lanes --------------------------------------------------------------------------------------------

    def arrange(self, what: str, act: Callable[[Lanes], object]) -> None:
        """Does what a person wants with lanes, so that it can be undone; ``what`` completes "Undo {what}"."""
        if self.shown is not None:
            lanes = self.shown.lanes
            before = lanes.arrangement
            act(lanes)
            after = lanes.arrangement
            if after != before:
                old, new = before.changed_from(after), after.changed_from(before)
                undo, redo = (lambda shown: shown.lanes.arrange(old)), (lambda shown: shown.lanes.arrange(new))
                self.edited(ShownEdit(what, undo, redo, numbered=True))

    def leave_out(self, what: str, hidden: frozenset[str], only: frozenset[str]) -> bool:
        """Leaves out slices of the names ``hidden``, and of all but ``only`` (if any), which can be undone; False where
        nothing changes."""
        if self.shown is None or (hidden, only) == self.shown.contents.names:
            return False
        before = self.shown.contents.names
        self.shown.contents.name(hidden, only)
        undo, redo = (lambda shown: shown.contents.name(*before)), (lambda shown: shown.contents.name(hidden, only))
        self.edited(ShownEdit(what, undo, redo, numbered=False))
        return True

    def current_lane(self) -> int | None:
        """The lane under the pointer, else the selected one, else that of the selected slice."""
        pointed = self.pointed_lane()
        return self.selected_lane() if pointed is None else pointed

    def lane_to_pin(self) -> int | None:
        """The selected lane, else that of the selected slice, else the one under the pointer."""
        selected = self.selected_lane()
        return self.pointed_lane() if selected is None else selected

    def pointed_lane(self) -> int | None:
        """The lane under the pointer."""
        if self.here is None or self.here.band is None or self.here.band.kind != "lane":
            return None
        return self.here.band.index

    def selected_lane(self) -> int | None:
        """The first selected lane, else that of the first selected slice."""
        if self.shown is None or self.marks.lanes:
            return self.marks.lanes[0] if self.marks.lanes else None
        return self.shown.model.lane_of(int(self.selected[0])) if len(self.selected) else None

    def process_meant(self) -> Band | None:
        """The heading of the process under the pointer, else of that of the lane that is meant."""
        if self.shown is None:
            return None
        if self.here is not None and self.here.band is not None and self.here.band.kind == "process":
            return self.shown.lanes.heading(self.here.band.index)
        lane = self.current_lane()
        return None if lane is None else self.shown.lanes.heading(int(self.shown.model.group_of_lane[lane]))

    def fold_meant(self) -> Band | None:
        """What a key folds or unfolds: the process where it is pointed at, folded or wholly selected, else the lane
        where it has several rows."""
        if self.shown is None:
            return None
        process, lane = self.process_meant(), self.current_lane()
        here = self.here.band.kind if self.here is not None and self.here.band is not None else ""
        if process is not None:
            several = len(self.marks.lanes) > 1
            whole = several and set(self.marks.lanes) == set(self.shown.lanes.lanes_of(process))
            if here == "process" or (process.folded and here != "lane") or (whole and here != "lane"):
                return process
        band = None if lane is None else self.shown.layout.lane_bands.get(lane)
        return band if band is not None and band.kind == "lane" and self.shown.lanes.foldable(band.index) else None
