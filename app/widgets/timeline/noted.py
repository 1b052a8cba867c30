"""A timeline that takes notes, pins lanes and leaves things out."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRect, Signal
from PySide6.QtWidgets import QWidget

from app.profile.selection import TimeRange
from app.profile.time_note import TimeNote
from app.widgets.display import Display
from app.widgets.inline_edit import InlineEdit
from app.widgets.timeline.layout import Band
from app.widgets.timeline.model import Model
from app.widgets.timeline.moved import MovedTimeline
from app.widgets.timeline.note_strip import note_boxes
from app.widgets.timeline.pick import Hit, first_lane_seen, neighbour_band

MOST_HIDDEN = 100_000
"""Slices of a selection whose names are looked at."""


class NotedTimeline(MovedTimeline):
    """Has the abilities TakesNotes, PinsLanes, HoldsLanes and HidesSlices. Signals: ``note_wanted`` (TimeRange, name,
    whether the name is to be written at once), ``note_chosen`` (index), ``note_renamed`` (index, name), ``filtered``
    when other things are left out, ``lanes_chosen`` (lane indices, and whether besides those that are selected)."""

    note_wanted = Signal(object, str, bool)
    note_chosen = Signal(object)
    note_renamed = Signal(object, str)
    filtered = Signal()
    lanes_chosen = Signal(object, bool)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(display, parent)
        self._here: Hit | None = None
        self._edited: int | None = None
        self._editor = InlineEdit(self)
        self._editor.written.connect(self._renamed)

    # -- notes --------------------------------------------------------------------------------------------

    def set_notes(self, notes: tuple[TimeNote, ...], chosen: int | None) -> None:
        """The notes of the timeline that is shown."""
        if self.shown is None:
            return
        before = self.shown.place
        self.shown.set_notes(notes, chosen)
        self._mark(note=chosen)
        if self.shown.place != before:
            self._changed()
        self.update()

    def note_selection(self) -> None:
        """A note over the extent of the selected slices or lanes, else of the range."""
        if self.shown is None:
            return
        stretch = self.selected_stretch()
        if stretch is None and self._range is not None:
            self.note_wanted.emit(self._range, "Range", False)
        elif stretch is not None:
            self.note_wanted.emit(stretch, self._selection_name(self.shown.model), False)

    def _selection_name(self, model: Model) -> str:
        slices, lanes = len(self._selected), self._marks.lanes
        if not slices:
            return model.lane_label(lanes[0]) if len(lanes) == 1 else f"{len(lanes):,} lanes"
        return model.name(int(self._selected[0])) if slices == 1 else f"{slices:,} slices"

    def note_here(self) -> None:
        """A note at the pointer, else in the middle of what is seen; its name is written next."""
        if self.shown is not None:
            view = self.shown.view
            moment = self._marks.cursor if self._marks.cursor is not None else (view.start + view.end) / 2
            self.note_wanted.emit(TimeRange(moment, moment), f"Note {len(self.shown.notes.notes) + 1}", True)

    def rename_note(self) -> None:
        """Opens a field over the name of the chosen note."""
        if self._marks.note is not None:
            self.edit_note(self._marks.note)

    def edit_note(self, index: int) -> None:
        """Opens a field over the name of a note, which is brought to view."""
        if self.shown is None or not 0 <= index < len(self.shown.notes.notes):
            return
        note = self.shown.notes.notes[index]
        self.reveal_stretch(note.start, note.end)
        for box in note_boxes(self.shown.scene()):
            if box.number == index:
                left = max(box.name_at if box.narrow else box.left, self.shown.place.gutter)
                place = QRect(round(left), round(box.top), round(max(box.room - left, 0)), round(box.height))
                self._edited = index
                self._editor.edit(place, note.text, "Name of the note")

    def _renamed(self, text: str) -> None:
        if self._edited is not None:
            self.note_renamed.emit(self._edited, text)

    # -- what is left out ---------------------------------------------------------------------------------

    def hide_names(self, names: frozenset[str]) -> None:
        """Slices of these names, and no others, are left out of the picture."""
        if self.shown is not None and names != self.shown.contents.hidden:
            self.shown.contents.hide(names)
            self._filtered()

    def hide_selected(self) -> None:
        """Slices named like the selected ones are left out, too."""
        if self.shown is not None and len(self._selected):
            ids = np.unique(self.shown.model.timeline.slices.name[self._selected[:MOST_HIDDEN]])
            names = frozenset(self.shown.model.timeline.strings.get(text) for text in ids.tolist())
            self.hide_names(self.shown.contents.hidden | names)

    def filter_lanes(self, text: str) -> None:
        """Only lanes whose names hold all words of ``text`` are shown."""
        if self.shown is not None and text != self.shown.lane_filter:
            self.shown.filter_lanes(text)
            self._filtered()

    def show_all(self) -> None:
        """Nothing is left out."""
        self.filter_lanes("")
        self.hide_names(frozenset())

    @property
    def anything_hidden(self) -> bool:
        return self.shown is not None and bool(self.shown.contents.hidden or self.shown.lane_filter.strip())

    def show_flows(self, names: tuple[str, ...]) -> None:
        """Draws the arrows of these categories, besides those of the selection."""
        if self.shown is not None:
            self.shown.contents.show_flows(names)
            self._changed()

    def _filtered(self) -> None:
        self._working.start()
        self._changed()
        self.filtered.emit()

    # -- pins ---------------------------------------------------------------------------------------------

    def toggle_pin(self) -> None:
        """Pins the lane under the pointer, else that of the selection, to the top; a pinned one goes back."""
        lane = self.lane_meant()
        if self.shown is not None and lane is not None:
            self.shown.toggle_pin(lane)
            self._changed()

    def lane_meant(self) -> int | None:
        """The lane under the pointer, else the selected one, else that of the selected slice."""
        if self.shown is None:
            return None
        band = self._here.band if self._here is not None else None
        if band is not None and band.kind == "lane":
            return band.index
        if self._marks.lanes:
            return self._marks.lanes[0]
        return self.shown.model.lane_of(int(self._selected[0])) if len(self._selected) else None

    def unpin_all(self) -> None:
        """All lanes go back to their places."""
        if self.shown is not None:
            self.shown.unpin_all()
            self._changed()

    # -- lanes --------------------------------------------------------------------------------------------

    def step_lane(self, direction: int) -> None:
        """Selects the lane (or the lanes of the folded process) below (+1) or above (-1) the selected one, or that of
        the selected slice; where nothing is selected, the first in sight. Where the pointer rests no longer matters
        until it moves."""
        if self.shown is None:
            return
        self._here = None
        now = self.lane_meant()
        band = first_lane_seen(self.shown) if now is None else neighbour_band(self.shown, now, direction)
        if band is not None:
            self._choose_band(band)
            self.shown.reveal_band(band, held=self.held)
            self._changed()

    def choose_lane(self) -> None:
        """Selects the lane under the pointer, else that of the selected slice."""
        lane = self.lane_meant()
        if lane is not None:
            self.lanes_chosen.emit((lane,), False)

    def _choose_band(self, band: Band, *, add: bool = False) -> None:
        """Selects a lane, or all lanes of a process."""
        lanes = self.shown.lanes_of(band) if self.shown is not None else ()
        if lanes:
            self.lanes_chosen.emit(lanes, add)

    def can_fold(self) -> bool:
        """Whether there is something to fold or unfold by ``toggle_fold``."""
        return self._foldable() is not None

    def toggle_fold(self) -> None:
        """Folds or unfolds the process or lane under the pointer, else that of the selection: a lane of several rows,
        or the process where it is folded or selected as a whole."""
        band = self._foldable()
        if band is not None:
            self.fold(band)

    def can_fold_process(self) -> bool:
        """Whether what is meant belongs to a process with a heading."""
        return self._process() is not None

    def toggle_process(self) -> None:
        """Folds or unfolds the process under the pointer, else that of the selection."""
        band = self._process()
        if band is not None:
            self.fold(band)

    def fold(self, band: Band) -> None:
        """Folds a process or a lane of several rows, or unfolds it."""
        if self.shown is None or band.kind == "counter":
            return
        if band.kind == "process":
            self.shown.toggle_group(band.index)
        elif self.shown.foldable(band.index):
            self.shown.toggle_lane(band.index)
        self._changed()

    def _process(self) -> Band | None:
        """The heading of the process that is meant."""
        if self.shown is None:
            return None
        here = self._here.band if self._here is not None else None
        if here is not None and here.kind == "process":
            return self.shown.heading(here.index)
        lane = self.lane_meant()
        return None if lane is None else self.shown.heading(int(self.shown.model.group_of_lane[lane]))

    def _foldable(self) -> Band | None:
        """The process where it is pointed at, folded or wholly selected, else the lane where it has several rows."""
        if self.shown is None:
            return None
        process, lane = self._process(), self.lane_meant()
        here = self._here.band.kind if self._here is not None and self._here.band is not None else ""
        if process is not None:
            several = len(self._marks.lanes) > 1
            whole = several and set(self._marks.lanes) == set(self.shown.lanes_of(process))
            if here == "process" or (process.folded and here != "lane") or (whole and here != "lane"):
                return process
        band = None if lane is None else self.shown.layout.lane_bands.get(lane)
        return band if band is not None and band.kind == "lane" and self.shown.foldable(band.index) else None

    def reveal_lane(self, lane: int) -> None:
        """Unfolds the process of a lane, drops a filter that leaves it out, and scrolls to it."""
        if self.shown is None:
            return
        if self.shown.left_out(lane):
            self.filter_lanes("")
        self.shown.reveal_lane(lane, held=self.held)
        self._changed()

    @property
    def any_pinned(self) -> bool:
        return self.shown is not None and bool(self.shown.choice.pins)
