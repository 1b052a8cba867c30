"""What part of a timeline is seen, and how it moves."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from app.profile.arrays import I64
from app.profile.selection import TimeRange
from app.views.timeline import view as views
from app.views.timeline.bands import Band
from app.views.timeline.lanes import Lanes
from app.views.timeline.layout import LANE_GAP
from app.views.timeline.model import Model
from app.views.timeline.view import (
    Bounds,
    History,
    View,
)


class Navigation:
    """``view`` is what is seen; every gesture that changes it goes through ``go``, so that it can be undone, and
    ``changed`` is called. ``focused``: the view and the stretch of the last focus; ``reach``: how far the view may go
    besides the timeline itself, to what is shown beside it. In all that follows ``held`` says that a key or a button is
    held down: its steps are one gesture."""

    def __init__(self, model: Model, lanes: Lanes, changed: Callable[[], None]) -> None:
        self.model = model
        self.lanes = lanes
        self.changed = changed
        self.history = History()
        self.reach: tuple[float, float] | None = None
        self.focused: tuple[View, TimeRange] | None = None
        self.view = self.home

    @property
    def bounds(self) -> Bounds:
        """How far the view may go at the moment."""
        room, bounds = int(self.lanes.place.body.height), self.model.bounds
        start, end = self.reach or (bounds.start, bounds.end)
        return replace(
            bounds,
            start=min(start, bounds.start),
            end=max(end, bounds.end),
            height=self.lanes.layout.height,
            room=room,
        )

    @property
    def home(self) -> View:
        """The first view."""
        start, end = self.model.home
        air = (end - start) * views.MARGIN
        return views.clamped(View(start - air, end + air), self.bounds)

    @property
    def shows_everything(self) -> bool:
        """Whether the whole width is in view."""
        return replace(views.whole(self.bounds), top=self.view.top) == self.view

    @property
    def is_home(self) -> bool:
        """Whether the width of the first view is in view."""
        return replace(self.home, top=self.view.top) == self.view

    # -- gestures -----------------------------------------------------------------------------------------

    def go(self, view: View, kind: str = "", *, held: bool = False) -> bool:
        """Changes the view; False when it stays what it is. Gestures of one ``kind`` in a row are one."""
        if views.alike(view, self.view):
            return False
        self.history.leave(self.view, kind, time.monotonic(), held=held)
        self.focused = None
        self.show(view)
        return True

    def show(self, view: View) -> None:
        """Another view, which is no gesture."""
        self.view = view
        self.changed()

    def follow(self, start: float, end: float) -> None:
        """Shows another stretch of time because that is shown elsewhere; rows stay."""
        view = replace(self.view, start=start, end=end)
        if not views.alike(view, self.view):
            self.show(view)

    def stay_within(self) -> None:
        """Keeps the view inside of its bounds, which have changed."""
        self.view = views.clamped(self.view, self.bounds)

    def back(self) -> None:
        """The view before the last gesture."""
        self.show(views.clamped(self.history.back(self.view), self.bounds))

    def forward(self) -> None:
        """Undoes ``back``."""
        self.show(views.clamped(self.history.forward(self.view), self.bounds))

    def fit(self) -> bool:
        """Shows everything."""
        return self.go(replace(views.whole(self.bounds), top=0))

    def zoom_at(self, moment: float, factor: float, *, held: bool = False) -> None:
        """Narrows or widens the view about a moment."""
        self.go(views.zoomed(self.view, factor, moment, self.bounds), "zoom", held=held)

    def pan(self, fraction: float, *, held: bool = False) -> None:
        """Moves the view by a share of its width."""
        self.go(views.panned(self.view, fraction, self.bounds), "pan", held=held)

    def scroll_rows(self, rows: int, *, held: bool = False) -> None:
        """Moves down (positive) or up."""
        height = self.lanes.sizes.row + LANE_GAP
        self.go(views.scrolled(self.view, rows * height, self.bounds), "rows", held=held)

    def scroll_to(self, top: int) -> None:
        """The first pixel of the rows that is shown (a scroll bar moved)."""
        self.go(views.scrolled(self.view, top - self.view.top, self.bounds), "scroll bar")

    def show_stretch(self, start: float, end: float, kind: str = "", *, held: bool = False) -> bool:
        """Zooms to a stretch of time."""
        return self.go(views.clamped(View(start, end, self.view.top), self.bounds), kind, held=held)

    # -- bringing things to view --------------------------------------------------------------------------

    def focus(self, index: I64) -> None:
        """Brings slices to view; where that changes nothing any more, shows everything."""
        self.focus_stretch(self.model.stretch_of(index), int(index[0]) if len(index) else None)

    def focus_stretch(self, stretch: TimeRange | None, index: int | None = None) -> None:
        """Brings a stretch of time, and the row of slice ``index``, to view (a moment without zooming); where that
        changes nothing any more, shows everything."""
        if stretch is None or self.focused == (self.view, stretch):
            self.focused = None
            self.fit()
            return
        start, end = stretch.start, stretch.end
        half = self.view.span / 2
        view = views.around(self.view, start, end, self.bounds)
        if start == end and index is None:
            view = views.clamped(View(start - half, start + half, self.view.top), self.bounds)
        self.go(view if index is None else self._with_row(view, index))
        self.focused = (self.view, stretch)

    def reveal(self, index: int, *, held: bool = False) -> None:
        """Brings a slice to view without changing the zoom."""
        start = self.model.start_of(index)
        view = views.revealing(self.view, start, start + self.model.duration_of(index), self.bounds)
        self.go(self._with_row(view, index), "step", held=held)

    def reveal_row(self, index: int) -> None:
        """Scrolls to the row of a slice; the stretch of time in view stays."""
        self.show(self._with_row(self.view, index))

    def reveal_lane(self, lane: int, *, held: bool = False) -> None:
        """Unfolds the process of a lane and scrolls to it."""
        self.lanes.open_lane(lane)
        band = self.lanes.layout.lane_bands.get(lane)
        if band is not None:
            self.reveal_band(band, held=held)

    def reveal_band(self, band: Band, *, held: bool = False) -> None:
        """Scrolls to a lane or heading."""
        fixed = self.lanes.layout.fixed
        if band.y >= fixed:
            top = band.y - self.lanes.sizes.head - fixed
            self.go(views.revealing_rows(self.view, top, band.bottom, self.bounds), "step", held=held)

    def reveal_stretch(self, start: float, end: float) -> None:
        """Brings a stretch of time to view without changing the zoom."""
        self.go(views.revealing(self.view, start, end, self.bounds))

    def _with_row(self, view: View, index: int) -> View:
        row = self.model.rows.row_of(index)
        self.lanes.open_row(row)
        layout = self.lanes.layout
        placed = layout.row_y(row)
        if placed is None or placed[0] < layout.fixed:
            return view
        top = placed[0] - 4 - self.lanes.sizes.head - layout.fixed
        return views.revealing_rows(view, top, placed[0] + placed[1] + 4, self.bounds)
