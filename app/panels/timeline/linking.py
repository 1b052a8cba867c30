"""Links the canvas to the document: to the shared selection, hover and range, and to its notes."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.analysis.links import translate
from app.document.document import Document
from app.panels.timeline.figure_tables import SOURCE as TABLE
from app.panels.timeline.searching import SOURCE, Searching
from app.panels.timeline.strip import Strip
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.overview import Overview
from app.widgets.timeline.pick import first_on_shown_lane, in_sight
from app.widgets.timeline.state import Shown

MOST_HOVERED = 300
MOST_LANES = 64
"""Number of selected slices whose lanes are looked up."""
NOTHING: I64 = np.empty(0, np.int64)


class Linking(QObject):
    """Links the canvas to the selection, hover and range; ``profile`` is the one whose timeline is on the canvas."""

    def __init__(
        self, document: Document, canvas: TimelineCanvas, overview: Overview, strip: Strip, search: Searching
    ) -> None:
        super().__init__(canvas)
        self._document, self._canvas, self._overview = document, canvas, overview
        self._strip, self._search = strip, search
        self.profile: Profile | None = None
        canvas.chosen.connect(self._chosen)
        canvas.lanes_chosen.connect(self._lanes_chosen)
        canvas.pointed.connect(self._pointed)
        canvas.range_chosen.connect(self._set_range)
        strip.range_entered.connect(self._set_range)
        strip.named.connect(lambda index: document.selection.set(Selection("slice", tuple(index.tolist()), TABLE)))

    # -- from the document --------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Marks selected slices or lanes; ``reveal``: scrolls to the first of them."""
        profile, shown = self.profile, self._canvas.shown
        if profile is None or shown is None:
            return
        if selection is not None and selection.kind == "lane":
            count = len(shown.model.timeline.lanes.thread)
            self._canvas.set_selected(NOTHING, selection.indices)
            known = tuple(lane for lane in selection.indices if 0 <= lane < count)
            self._strip.set_lanes(known, limit=True)
            if known and reveal:
                self._canvas.reveal_lane(known[0])
            return
        index = NOTHING if selection is None else _slices_of(profile, shown, selection)
        self._canvas.set_selected(index)
        lanes = np.unique([shown.model.lane_of(int(one)) for one in index[:MOST_LANES]]).tolist()
        self._strip.set_lanes(tuple(int(lane) for lane in lanes))
        if reveal and len(index) and not in_sight(shown, index):
            wanted = first_on_shown_lane(shown, index)
            self._canvas.reveal_lane(shown.model.lane_of(wanted))
            self._canvas.reveal(wanted)
        self._search.say()

    def show_hover(self, hover: Selection | None) -> None:
        """Marks slices that are hovered in another panel."""
        profile, shown = self.profile, self._canvas.shown
        if profile is None or shown is None:
            return
        index = NOTHING if hover is None or hover.kind == "lane" else _slices_of(profile, shown, hover)
        self._canvas.set_hovered(tuple(index[:MOST_HOVERED].tolist()))

    def show_ranges(self, ranges: Ranges) -> None:
        """Shows the range wherever time is drawn."""
        self._canvas.set_range(ranges.time)
        self._overview.set_range(ranges.time)
        self._strip.set_range(ranges.time)

    # -- to the document ----------------------------------------------------------------------------------

    def _chosen(self, index: int | None) -> None:
        chosen = None if index is None else Selection("slice", (index,), SOURCE)
        self._document.selection.set(chosen)

    def _lanes_chosen(self, chosen: tuple[int, ...], add: bool) -> None:
        """Selects the lanes whose name, or whose process's name, was clicked; ``add``: toggles them in the current
        selection."""
        before = self._document.selection.value
        already = before.indices if add and before is not None and before.kind == "lane" else ()
        others = tuple(lane for lane in already if lane not in chosen)
        lanes = others if set(chosen) <= set(already) else (*others, *chosen)
        self._document.selection.set(Selection("lane", lanes, SOURCE) if lanes else None)

    def _pointed(self, index: int | None) -> None:
        self._document.hover.set(None if index is None else Selection("slice", (index,), SOURCE))

    def _set_range(self, stretch: TimeRange | None) -> None:
        ranges = self._document.ranges
        ranges.set(replace(ranges.value, time=stretch))


def _slices_of(profile: Profile, shown: Shown, selection: Selection) -> I64:
    index = translate(profile, selection, "slice")
    return np.unique(index[(index >= 0) & (index < len(shown.model.rows.start))])


class Noting(QObject):
    """Links canvas, overview and list to the notes of the document."""

    def __init__(self, document: Document, canvas: TimelineCanvas, overview: Overview, strip: Strip) -> None:
        super().__init__(canvas)
        self._notes = document.notes
        self._canvas, self._overview, self._strip = canvas, overview, strip
        document.notes.changed.connect(self.show_notes)
        canvas.notes.wanted.connect(self._note)
        canvas.choosing.note_chosen.connect(document.notes.choose)
        canvas.notes.renamed.connect(document.notes.rename)
        strip.note_chosen.connect(self._choose)
        strip.note_renamed.connect(document.notes.rename)

    def show_notes(self) -> None:
        """Shows the notes; called when they change or another timeline is shown."""
        self._canvas.set_notes(self._notes.value, self._notes.chosen)
        self._overview.update()
        self._strip.set_notes(self._notes.value, self._notes.chosen)

    def rename(self) -> None:
        """Starts editing the name of the selected note, in the list or on the canvas."""
        focus = QApplication.focusWidget()
        in_list = focus is not None and self._strip.isAncestorOf(focus)
        if not (in_list and self._strip.rename_note()):
            self._canvas.notes.rename()

    def _note(self, stretch: TimeRange, text: str, write: bool) -> None:
        """Adds a note; ``write``: starts editing its name."""
        self._notes.add(stretch.start, stretch.end, text)
        if write and self._notes.chosen is not None:
            self._canvas.notes.edit(self._notes.chosen)

    def _choose(self, index: int) -> None:
        """Selects a note and reveals it on the canvas."""
        self._notes.choose(index)
        if self._notes.chosen is not None and self._canvas.shown is not None:
            note = self._notes.value[self._notes.chosen]
            self._canvas.shown.navigation.reveal_stretch(note.start, note.end)
