"""What a timeline shows at the moment, and how gestures change it. No Qt."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from app.profile.arrays import I64, Integers
from app.profile.selection import TimeRange
from app.widgets.display import Look
from app.widgets.timeline import view as views
from app.widgets.timeline.arranged import Arranged
from app.widgets.timeline.layout import Band
from app.widgets.timeline.model import Model
from app.widgets.timeline.scene import Place, Scene
from app.widgets.timeline.shades import Shades
from app.widgets.timeline.view import History, View


class Shown(Arranged):
    """One timeline on one canvas. Every change of the view goes through ``go``, so that it can be taken back."""

    def __init__(self, model: Model, look: Look, place: Place) -> None:
        super().__init__(model, place)
        self.look = look
        self.shades = Shades.of(model.slot_names, look.theme)
        self.history = History()
        self._focused: tuple[View, TimeRange] | None = None

    def scene(self) -> Scene:
        """What to paint."""
        contents = self.contents
        return Scene(
            model=self.model,
            renderer=contents.renderer,
            tracks=contents.tracks,
            layout=self.layout,
            view=self.view,
            place=self.place,
            shades=self.shades,
            theme=self.look.theme,
            look=self.look,
            found=contents.found,
            chosen=contents.chosen,
            busy=contents.busy,
            notes=self.notes,
            flows=contents.flows,
            centres=contents.centres(self.layout) if contents.flows is not None else None,
        )

    def like(self, before: Shown) -> None:
        """The same timeline read again, or further: zoom with its history, folds and rows as they were left."""
        self.place, self.rows_as, self.gutter_chosen = before.place, before.rows_as, before.gutter_chosen
        if len(before.model.groups) == len(self.model.groups):
            self.choice = before.choice
            self.lane_filter = before.lane_filter
        self.contents.hide(before.contents.hidden)
        self.contents.show_flows(before.contents.flow_names)
        self.arrange()
        self.view = views.clamped(before.view, self.bounds)
        self.history = before.history

    def set_look(self, look: Look) -> None:
        if look.theme != self.look.theme:
            self.shades = Shades.of(self.model.slot_names, look.theme)
        self.look = look

    # -- gestures -----------------------------------------------------------------------------------------

    def go(self, view: View, kind: str = "", *, held: bool = False) -> bool:
        """Changes the view; False when it stays what it is. ``held``: by a key that is held down."""
        if view == self.view:
            return False
        self.history.leave(self.view, kind, time.monotonic(), held=held)
        self.view = view
        self._focused = None
        return True

    def back(self) -> None:
        self.view = views.clamped(self.history.back(self.view), self.bounds)

    def forward(self) -> None:
        self.view = views.clamped(self.history.forward(self.view), self.bounds)

    def fit(self) -> bool:
        return self.go(replace(views.whole(self.bounds), top=0))

    def extent(self, index: I64) -> TimeRange | None:
        """From the first start to the last end of slices."""
        if not len(index):
            return None
        start = self.model.rows.start[index]
        return TimeRange(float(start.min()), float((start + self.model.rows.duration[index]).max()))

    def extent_of_lanes(self, lanes: Iterable[int]) -> TimeRange | None:
        """From the first start to the last end of what lies on lanes."""
        first_row, rows = self.model.timeline.lanes.first_row, self.model.rows
        found = [(rows.first[row], rows.first[row + 1]) for lane in lanes for row in _rows_of(first_row, lane)]
        filled = np.array([both for both in found if both[0] < both[1]], np.int64).reshape(-1, 2)
        if not len(filled):
            return None
        first, last = filled[:, 0], filled[:, 1] - 1  # starts and ends rise inside a row
        return TimeRange(float(rows.start[first].min()), float((rows.start[last] + rows.duration[last]).max()))

    def focus(self, index: I64) -> bool:
        """Brings slices to view; where that changes nothing any more, shows everything."""
        return self.focus_stretch(self.extent(index), int(index[0]) if len(index) else None)

    def focus_stretch(self, stretch: TimeRange | None, index: int | None = None) -> bool:
        """Brings a stretch of time, and the row of slice ``index``, to view (a moment without zooming); where that
        changes nothing any more, shows everything."""
        if stretch is None or self._focused == (self.view, stretch):
            self._focused = None
            return self.fit()
        start, end = stretch.start, stretch.end
        half = self.view.span / 2
        view = views.around(self.view, start, end, self.bounds)
        if start == end and index is None:
            view = views.clamped(View(start - half, start + half, self.view.top), self.bounds)
        changed = self.go(view if index is None else self._with_row(view, index))
        self._focused = (self.view, stretch)
        return changed

    def reveal(self, index: int, kind: str = "", *, held: bool = False) -> bool:
        """Brings a slice to view without changing the zoom."""
        start = self.model.start_of(index)
        view = views.revealing(self.view, start, start + self.model.duration_of(index), self.bounds)
        return self.go(self._with_row(view, index), kind, held=held)

    def reveal_lane(self, lane: int, *, held: bool = False) -> bool:
        """Unfolds the process of a lane and scrolls to it."""
        self.open_lane(lane)
        band = self.layout.lane_bands.get(lane)
        return band is not None and self.reveal_band(band, held=held)

    def reveal_band(self, band: Band, *, held: bool = False) -> bool:
        """Scrolls to a lane or heading."""
        if band.y < self.layout.fixed:
            return False
        top = band.y - self.sizes.head - self.layout.fixed
        return self.go(views.revealing_rows(self.view, top, band.bottom, self.bounds), "step", held=held)

    def reveal_stretch(self, start: float, end: float) -> bool:
        """Brings a stretch of time to view without changing the zoom."""
        return self.go(views.revealing(self.view, start, end, self.bounds))

    def show_stretch(self, start: float, end: float) -> bool:
        """Zooms to a stretch of time."""
        return self.go(views.clamped(View(start, end, self.view.top), self.bounds))

    def _with_row(self, view: View, index: int) -> View:
        row = self.model.rows.row_of(index)
        self.open_row(row)
        placed = self.layout.row_y(row)
        if placed is None or placed[0] < self.layout.fixed:
            return view
        top = placed[0] - 4 - self.sizes.head - self.layout.fixed
        return views.revealing_rows(view, top, placed[0] + placed[1] + 4, self.bounds)


def _rows_of(first_row: Integers, lane: int) -> range:
    """The rows of a lane; none of one that is not there."""
    known = 0 <= lane < len(first_row) - 1
    return range(int(first_row[lane]), int(first_row[lane + 1])) if known else range(0)
