"""Two timelines, one above the other, that show the same stretch of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QObject

from app.analysis.compare.timelines import TimeMap
from app.profile.arrays import I32, I64
from app.views.timeline import view as views
from app.views.timeline.counterpart import Counterpart
from app.views.timeline.layout import ranks
from app.views.timeline.navigation import Navigation
from app.views.timeline.order import aligned, displaced
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


Order: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The lanes and the processes that were moved."""
UNMOVED: Order = (), ()


def order_of(shown: Shown) -> Order:
    """The lanes and the processes of a timeline that were moved, in their new order."""
    return shown.lanes.choice.lane_order, shown.lanes.choice.group_order


def follow_order(leader: Shown, other: Shown) -> None:
    """Moves the lanes and processes of ``other`` to the order of those of ``leader`` that they belong to. What belongs
    to none stays; without moved lanes, or processes, in ``leader`` they stand where the file has them. Nothing happens
    before it is known what belongs together."""
    partners = None if other.counterpart is None else other.counterpart.lane_partners
    if partners is None:
        return
    choice, groups = other.lanes.choice, other.model.groups
    lanes: tuple[int, ...] = ()
    if leader.lanes.choice.lane_order:
        rank = ranks(leader.lanes.choice.lanes_of(leader.model.groups), len(leader.model.group_of_lane))
        own = choice.lanes_of(groups)
        lanes = displaced(aligned(own, _looked_up(rank, partners[own]), groups.of_lanes()), groups.lanes)
    processes: tuple[int, ...] = ()
    if leader.lanes.choice.group_order:
        rank = ranks(leader.lanes.choice.groups_of(leader.model.groups), len(leader.model.groups))
        of_group = _partner_groups(leader, other, partners)
        order = choice.groups_of(groups)
        places = _looked_up(rank, of_group[order])
        processes = displaced(aligned(order, places, np.zeros(len(order), np.int64)), np.arange(len(groups)))
    if (lanes, processes) != order_of(other):
        other.lanes.choose(replace(choice, lane_order=lanes, group_order=processes))


def _looked_up(rank: I64, partners: I32 | I64) -> I64:
    """int64[partners]: the rank of each partner, -1 without one."""
    return np.where(partners >= 0, rank[np.maximum(partners, 0)], -1)


def _partner_groups(leader: Shown, other: Shown, partners: I32) -> I64:
    """int64[processes of other]: the process of ``leader`` that holds the partner of its first lane with one, or -1."""
    of_group = np.full(len(other.model.groups), -1, np.int64)
    matched = np.flatnonzero(partners >= 0)[::-1]  # the first lane is written last
    of_group[other.model.group_of_lane[matched]] = leader.model.group_of_lane[partners[matched]]
    return of_group
