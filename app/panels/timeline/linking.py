"""Links the canvas to the document: to the shared selection, hover and range, and to its notes."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QObject

from app.document.document import Document, Update
from app.panels.timeline import SOURCE
from app.panels.timeline.notices import SummaryLine
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.timeline.request import NOTHING, lanes_of, slices_of
from app.widgets.shared import Shared
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.overview import Overview
from app.widgets.timeline.pick import first_on_shown_lane, in_sight
from app.widgets.timeline.scope import TimelineScope
from app.widgets.timeline.search_controls import CanvasSearch


class Linking(QObject):
    """Links the canvas to the selection, hover and range; ``profile`` is the one whose timeline is on the canvas. While
    that is a former profile (a large timeline takes some time), nothing is chosen there: its slices have other
    numbers."""

    def __init__(
        self, document: Document, canvas: TimelineCanvas, overview: Overview, line: SummaryLine, search: CanvasSearch
    ) -> None:
        super().__init__(canvas)
        self._document, self._canvas, self._overview = document, canvas, overview
        self._line, self._search = line, search
        self._shared = Shared(document, SOURCE)
        self.profile: Profile | None = None
        self._stale = False
        document.updated.connect(self._updated)
        canvas.chosen.connect(self._chosen)
        canvas.lanes_chosen.connect(self._lanes_chosen)
        canvas.choosing.toggled.connect(self._toggled)
        canvas.pointed.connect(self._pointed)
        canvas.range_chosen.connect(self._set_range)

    def show_profile(self, profile: Profile | None) -> None:
        """Says whose timeline is on the canvas now."""
        self.profile = profile
        self._stale = False

    def _updated(self, update: Update) -> None:
        self._stale |= update.whole or "timeline" in update.outdated

    # -- from the document --------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Marks selected slices or lanes; ``reveal``: scrolls to the first of them."""
        profile, shown = self.profile, self._canvas.shown
        if profile is None or shown is None:
            return
        index = slices_of(self._shared.linked, shown.model, selection)
        _, only = lanes_of(shown.model, selection, NOTHING)
        self._line.set_limit(only)
        if selection is not None and selection.kind == "lane":
            self._canvas.set_selected(NOTHING, selection.indices)
            if only and reveal:
                self._canvas.reveal_lane(only[0])
            return
        self._canvas.set_selected(index)
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
        self._canvas.set_hovered(slices_of(self._shared.linked, shown.model, hover))

    def show_ranges(self, ranges: Ranges) -> None:
        """Shows the range wherever time is drawn."""
        self._canvas.set_range(ranges.time)
        self._overview.set_range(ranges.time)
        self._line.set_range(ranges.time)

    # -- to the document ----------------------------------------------------------------------------------

    def _chosen(self, index: int | None) -> None:
        if self._stale:
            return
        chosen = None if index is None else Selection("slice", (index,), SOURCE)
        self._document.selection.set(chosen)

    def _toggled(self, index: int) -> None:
        """Adds a slice to the selection, or removes it."""
        if self._stale:
            return
        before = self._document.selection.value
        already = before.indices if before is not None and before.kind == "slice" else ()
        slices = tuple(one for one in already if one != index) if index in already else (*already, index)
        self._document.selection.set(Selection("slice", slices, SOURCE) if slices else None)

    def _lanes_chosen(self, chosen: tuple[int, ...], add: bool) -> None:
        """Selects the lanes whose name, or whose process's name, was clicked; ``add``: toggles them in the current
        selection."""
        if self._stale:
            return
        before = self._document.selection.value
        already = before.indices if add and before is not None and before.kind == "lane" else ()
        clicked = set(chosen)
        others = tuple(lane for lane in already if lane not in clicked)
        lanes = others if clicked <= set(already) else (*others, *chosen)
        self._document.selection.set(Selection("lane", lanes, SOURCE) if lanes else None)

    def _pointed(self, index: int | None) -> None:
        if self._stale:
            return
        self._document.hover.set(None if index is None else Selection("slice", (index,), SOURCE))

    def _set_range(self, stretch: TimeRange | None) -> None:
        if self._stale:
            return
        ranges = self._document.ranges
        ranges.set(replace(ranges.value, time=stretch))


class Noting(QObject):
    """Links canvas and overview to the notes of the document."""

    def __init__(self, document: Document, canvas: TimelineCanvas, overview: Overview, scope: TimelineScope) -> None:
        super().__init__(canvas)
        self._notes, self._edits = document.notes, document.edits
        self._canvas, self._overview = canvas, overview
        document.notes.changed.connect(self.show_notes)
        canvas.notes.wanted.connect(self._note)
        canvas.choosing.note_chosen.connect(document.notes.choose)
        canvas.notes.renamed.connect(document.notes.rename)
        canvas.notes.field.closed.connect(document.edits.seal)
        document.states.saving.connect(canvas.notes.field.report)
        scope.stretch_wanted.connect(self._show_stretch)

    def show_notes(self) -> None:
        """Shows the notes; called when they change or another timeline is shown."""
        self._canvas.set_notes(self._notes.value, self._notes.chosen)
        self._overview.update()

    def rename(self) -> None:
        """Starts editing the name of the selected note."""
        self._canvas.notes.rename()

    def _note(self, stretch: TimeRange, text: str) -> None:
        """Adds a note and starts editing its name, which belongs to the same edit."""
        if self._notes.add(stretch.start, stretch.end, text) and self._notes.chosen is not None:
            self._canvas.notes.edit(self._notes.chosen)

    def _show_stretch(self, stretch: TimeRange, fill: bool) -> None:
        """Shows a stretch that another panel asks for; ``fill``: as large as the canvas."""
        if self._canvas.shown is not None:
            navigation = self._canvas.shown.navigation
            if fill:
                navigation.focus_stretch(stretch)
            else:
                navigation.reveal_stretch(stretch.start, stretch.end)
