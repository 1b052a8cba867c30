"""A timeline that moves: what commands, buttons and strips can tell it (app.widgets.canvas.Canvas)."""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.profile.selection import TimeRange
from app.widgets.timeline import view as views
from app.widgets.timeline.layout import LANE_GAP
from app.widgets.timeline.painted import PaintedTimeline
from app.widgets.timeline.pick import first_seen, neighbour


class MovedTimeline(PaintedTimeline):
    """Signals: ``chosen`` (slice index or None: clicked, stepped to) and ``range_chosen`` (TimeRange or None)."""

    chosen = Signal(object)
    range_chosen = Signal(object)
    held = False

    def reveal(self, index: int) -> None:
        """Brings a slice to view, keeping the zoom."""
        if self.shown is not None:
            self.shown.reveal(index, "step", held=self.held)
            self._changed()

    def reveal_stretch(self, start: float, end: float) -> None:
        """Brings a stretch of time to view, keeping the zoom."""
        if self.shown is not None and self.shown.reveal_stretch(start, end):
            self._changed()

    def zoom_to(self, stretch: TimeRange) -> None:
        """Shows a stretch of time nearly as wide as the picture; a moment only in the middle."""
        if self.shown is not None:
            self.shown.focus_stretch(stretch)
            self._changed()

    def show_stretch(self, start: float, end: float) -> None:
        """Zooms to a stretch of time, as one gesture."""
        self.go_to(start, end, "")

    def go_to(self, start: float, end: float, kind: str) -> None:
        """Shows a stretch of time; calls of the same ``kind`` in a row are one gesture."""
        if self.shown is not None:
            self._go(views.clamped(views.View(start, end, self.shown.view.top), self.shown.bounds), kind)

    def zoom_at(self, moment: float, factor: float) -> None:
        """Narrows or widens the view about a moment."""
        if self.shown is not None:
            self._go(views.zoomed(self.shown.view, factor, moment, self.shown.bounds), "zoom")

    # -- app.widgets.canvas.Canvas ------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        """Narrows or widens the view, about the pointer where it is over the rows."""
        if self.shown is not None:
            scene = self.shown.scene()
            x = self.mapFromGlobal(self.cursor().pos()).x() if self.underMouse() else -1
            over = scene.body.x <= x <= scene.body.x + scene.body.width
            self.zoom_at(scene.time(x) if over else (scene.view.start + scene.view.end) / 2, factor)

    def pan(self, fraction: float) -> None:
        """Moves the view by a share of its width."""
        if self.shown is not None:
            self._go(views.panned(self.shown.view, fraction, self.shown.bounds), "pan")

    def scroll_rows(self, rows: int) -> None:
        """Moves down (positive) or up."""
        if self.shown is not None:
            height = self.shown.sizes.row + LANE_GAP
            self._go(views.scrolled(self.shown.view, rows * height, self.shown.bounds), "rows")

    def scroll_to(self, top: int) -> None:
        """The first pixel of the rows that is shown (a scroll bar moved)."""
        if self.shown is not None:
            self._go(views.scrolled(self.shown.view, top - self.shown.view.top, self.shown.bounds), "scroll bar")

    def fit(self) -> None:
        """Shows everything."""
        if self.shown is not None and self.shown.fit():
            self._changed()

    def focus_selection(self) -> None:
        """Brings the selection (else the range) to view; a second call in a row shows everything."""
        if self.shown is not None:
            one = int(self._selected[0]) if len(self._selected) else None
            self.shown.focus_stretch(self.chosen_stretch() or self._range, one)
            self._changed()

    def back(self) -> None:
        """The view before the last gesture."""
        if self.shown is not None:
            self.shown.back()
            self._changed()

    def forward(self) -> None:
        """Takes ``back`` back."""
        if self.shown is not None:
            self.shown.forward()
            self._changed()

    def step_item(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) slice of the row, keeping the zoom."""
        if self.shown is None:
            return
        if len(self._selected):
            index = neighbour(self.shown, int(self._selected[0]), direction)
        else:
            index = first_seen(self.shown)
        if index is not None:
            self.chosen.emit(index)
            self.reveal(index)

    def selection_to_range(self) -> None:
        """Makes the extent of the selected slices or lanes, or of the chosen note, the range."""
        stretch = self.chosen_stretch()
        if stretch is not None and stretch.end > stretch.start:
            self.range_chosen.emit(stretch)

    def chosen_stretch(self) -> TimeRange | None:
        """From the first start to the last end of what is selected, else that of the chosen note."""
        if self.shown is None:
            return None
        note = self.shown.chosen_note
        if not len(self._selected) and note is not None:
            return TimeRange(note.start, note.end)
        return self.selected_stretch()

    def selected_stretch(self) -> TimeRange | None:
        """The extent of the selected slices, else of all that lies on the selected lanes."""
        if self.shown is None:
            return None
        if len(self._selected) or not self._marks.lanes:
            return self.shown.extent(self._selected)
        return self.shown.extent_of_lanes(self._marks.lanes)

    def _go(self, view: views.View, kind: str) -> None:
        if self.shown is not None and self.shown.go(view, kind, held=self.held):
            self._changed()
