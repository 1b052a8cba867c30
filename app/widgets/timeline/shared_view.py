"""Two timelines, one above the other, that show the same stretch of time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.analysis.compare.timelines import TimeMap
from app.views.timeline import view as views
from app.views.timeline.counterpart import Counterpart
from app.views.timeline.navigation import Navigation
from app.views.timeline.shared_order import UNMOVED, follow_order, order_of
from app.views.timeline.state import Shown
from app.views.timeline.view import History, View
from app.widgets.timeline.canvas import TimelineCanvas

ROWS = ("rows", "scroll bar")
"""Gestures that only scroll the rows of one of the two."""


class SharedHistory(History, kw_only=True):  # the fields of History have defaults
    """The history of another timeline (``leader``) that shows the same: gestures on either are undone on both.
    ``mapped``: a view of that one as one of this, with the rows scrolled so far."""

    leader: Navigation
    mapped: Callable[[View, int], View]

    def leave(self, view: View, kind: str, now: float, *, held: bool = False) -> None:
        del view
        if kind not in ROWS:
            self.leader.history.leave(self.leader.view, kind, now, held=held)

    def back(self, view: View) -> View:
        return self.mapped(self.leader.history.back(self.leader.view), view.top)

    def forward(self, view: View) -> View:
        return self.mapped(self.leader.history.forward(self.leader.view), view.top)


class SharedView(QObject):
    """``after`` (the comparison, above) and ``before`` (the baseline, below). Whatever moves one moves the other, which
    ``time_map`` places on its axis; names are equally wide, and lanes are in the same order. ``rows_together``: where
    the rows of one are scrolled, those of the other follow, so that lanes that belong together stand at the same
    height."""

    def __init__(self, after: TimelineCanvas, before: TimelineCanvas) -> None:
        super().__init__(before)
        self._after, self._before = after, before
        self._following = False
        self._tops = 0, 0
        self._orders = UNMOVED, UNMOVED
        self.rows_together = True
        self.time_map: TimeMap | None = None
        after.view_changed.connect(lambda: self._follow(after))
        before.view_changed.connect(lambda: self._follow(before))

    def join(self, after: Shown, before: Shown, time_map: TimeMap) -> None:
        """Shows two timelines together; both are on their canvases."""
        one, other = after.model, before.model
        self.time_map = time_map
        self._following = True
        after.compare(
            after.counterpart or Counterpart(one, other), (time_map.to_after(other.start), time_map.to_after(other.end))
        )
        before.compare(
            before.counterpart or Counterpart(other, one, baseline=True),
            (time_map.to_before(one.start), time_map.to_before(one.end)),
        )
        self._tops = after.view.top, before.view.top
        self._orders = order_of(after), order_of(before)
        before.navigation.history = SharedHistory(leader=after.navigation, mapped=self._to_before)
        self._following = False
        self._follow(self._after)

    def part(self) -> None:
        """They are no longer shown together."""
        self.time_map = None

    def match_order(self) -> None:
        """Moves the lanes of the baseline to the order of those above, if that is not the file's."""
        after, before = self._after.shown, self._before.shown
        if after is not None and before is not None and after.lanes.any_moved:
            self._following = True  # else the baseline would lead in turn, which may not have what was moved above
            follow_order(after, before)
            self._orders = order_of(after), order_of(before)
            self._following = False

    def _to_before(self, view: View, top: int) -> View:
        if self.time_map is None:
            return View(view.start, view.end, top)
        return View(self.time_map.to_before(view.start), self.time_map.to_before(view.end), top)

    def _follow(self, leader: TimelineCanvas) -> None:
        """Shows in the other canvas what ``leader`` shows."""
        time_map, after, before = self.time_map, self._after.shown, self._before.shown
        if self._following or time_map is None or after is None or before is None:
            return
        self._following = True
        self._follow_order(leader is self._after, after, before)
        if leader is self._after:
            before.navigation.follow(time_map.to_before(after.view.start), time_map.to_before(after.view.end))
            before.lanes.set_gutter(after.place.gutter)
            if after.view.top != self._tops[0]:
                self._scroll(after, before)
        else:
            after.navigation.follow(time_map.to_after(before.view.start), time_map.to_after(before.view.end))
            if before.place.gutter != after.place.gutter:
                after.lanes.set_gutter(before.place.gutter)
            if before.view.top != self._tops[1]:
                self._scroll(before, after)
        self._tops = after.view.top, before.view.top
        self._following = False

    def _follow_order(self, above: bool, after: Shown, before: Shown) -> None:
        """Moves lanes and processes as in the one above or in the other, where they were moved there."""
        one, other = (after, before) if above else (before, after)
        if order_of(one) != self._orders[0 if above else 1]:
            follow_order(one, other)
        self._orders = order_of(after), order_of(before)

    def _scroll(self, leader: Shown, other: Shown) -> None:
        """Scrolls the rows of ``other`` so that the first lane in view stands where the one that it belongs to does."""
        counterpart = leader.counterpart
        if not self.rows_together or counterpart is None:
            return
        top = leader.view.top
        for band in leader.layout.in_view(top, int(leader.place.body.height)):
            if band.kind != "lane" or band.pinned or band.y < top + leader.layout.fixed:
                continue
            partner = other.layout.lane_bands.get(counterpart.lane_of(band.index))
            if partner is not None and not partner.pinned and partner.kind == "lane":
                below = partner.y - other.layout.fixed - (band.y - leader.layout.fixed - top)
                other.navigation.show(views.scrolled(other.view, below - other.view.top, other.bounds))
                return
