"""What figures of a timeline refer to: a range, lanes, hits, and the same of a baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.compare.timelines import TimeMap
from app.analysis.timeline.name_groups import NameGroups
from app.language import tr
from app.profile.arrays import I64, among, distinct
from app.profile.file_state import TimeNote
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection, TimeRange
from app.views.look import Look
from app.views.timeline.model import Model
from app.views.timeline.rows import Rows, spread
from app.views.timeline.state import Shown

MOST_LANES = 64
"""Number of selected slices whose lanes are looked up."""
NOTHING: I64 = np.empty(0, np.int64)

Follows: TypeAlias = Literal["range", "notes", "lanes", "only", "hits", "pipes"]
"""The parts of a request that change while the timeline stays."""


class Request(Struct, frozen=True, eq=False):
    """What the figures refer to: the whole timeline, or ``stretch``. ``counted``: the slices that statistics by name
    count, less than all where only pipes are shown; ``lanes``: the selected lanes, or the lanes of
    selected slices; ``only``: lanes that statistics are limited to (empty: no limit); ``hits`` of the search in
    stepping order, None without a search; ``before``: the same for the baseline, None without one; ``groups``: those
    of the names, None where statistics have a row for each name."""

    profile: Profile
    model: Model
    counted: Rows
    stretch: TimeRange | None = None
    notes: tuple[TimeNote, ...] = ()
    lanes: tuple[int, ...] = ()
    only: tuple[int, ...] = ()
    hits: I64 | None = None
    before: Request | None = None
    groups: NameGroups | None = None

    @property
    def count(self) -> int:
        return count_in(self.model, self.counted, self.stretch, self.only)

    @property
    def pipes_only(self) -> bool:
        return self.counted is not self.model.rows


def _windows(model: Model, counted: Rows, stretch: TimeRange | None, only: tuple[int, ...]) -> tuple[I64, I64]:
    """The slices [low, high) among ``counted`` of each row (``only``: of these lanes, empty for all) that overlap a
    time range (None: all of them)."""
    rows = np.flatnonzero(among(model.lane_of_row, only)) if only else np.arange(counted.count)
    if stretch is None:
        return counted.first[rows], counted.first[rows + 1]
    return counted.windows(rows, stretch.start, stretch.end)


def slices_in(model: Model, counted: Rows, stretch: TimeRange | None, only: tuple[int, ...] = ()) -> I64:
    """int64: the slices among ``counted`` of these lanes (empty: of all) that overlap a time range; reads no others."""
    index, _ = spread(*_windows(model, counted, stretch, only))
    return index if counted.origin is None else counted.origin[index]


def count_in(model: Model, counted: Rows, stretch: TimeRange | None, only: tuple[int, ...] = ()) -> int:
    """Number of slices, without instants, among ``counted`` of these lanes (empty: of all) that overlap a time range
    (None: all of them)."""
    instants = _instants(model, counted)
    if stretch is None and not only:
        return len(counted.start) - len(instants)
    low, high = _windows(model, counted, stretch, only)
    high = np.maximum(low, high)
    marks = np.searchsorted(instants, high) - np.searchsorted(instants, low)
    return int((high - low - marks).sum())


def _instants(model: Model, counted: Rows) -> I64:
    """int64, ascending: the places of instants in ``counted``."""
    own, origin = model.timeline.instants.slice, counted.origin
    if origin is None or not len(own):
        return own
    place = np.searchsorted(origin, own).astype(np.int64)
    counted_marks: I64 = place[np.append(origin, -1)[place] == own]
    return counted_marks


def slices_in_sight(shown: Shown) -> I64:
    """int64, rising: the slices in the visible time range and rows, without filtered ones."""
    index = slices_in(shown.model, shown.model.rows, TimeRange(shown.view.start, shown.view.end))
    bands = shown.layout.in_view(shown.view.top, int(shown.place.body.height))
    rows = [np.arange(band.first_row, band.first_row + band.rows) for band in bands if band.rows]
    row = np.searchsorted(shown.model.rows.first, index, "right") - 1
    index = index[among(row, np.concatenate([np.empty(0, np.int64), *rows]))]
    origin = shown.contents.rows.origin
    return index if origin is None else index[among(index, origin)]


def slices_of(linked: Callable[[Selection, Kind], I64], model: Model, selection: Selection | None) -> I64:
    """int64, rising: the slices that a selection of slices or of anything linked to them stands for; none for one of
    lanes. ``linked`` looks items up
    (`Shared.linked`)."""
    if selection is None or selection.kind == "lane":
        return NOTHING
    index = linked(selection, "slice")
    count = len(model.rows.start)
    if bool((index[1:] > index[:-1]).all()):  # a million are not copied while a frame waits
        low, high = np.searchsorted(index, (0, count)).tolist()
        return index[low:high]
    return distinct(index[(index >= 0) & (index < count)])


def lanes_of(model: Model, selection: Selection | None, slices: I64) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lanes that are selected, or those of the first selected ``slices``; and the lanes that figures are limited
    to: those that are selected themselves."""
    if selection is not None and selection.kind == "lane":
        count = len(model.timeline.lanes.thread)
        lanes = tuple(lane for lane in selection.indices if 0 <= lane < count)
        return lanes, lanes
    lanes = tuple(sorted({model.lane_of(one) for one in slices[:MOST_LANES].tolist()}))
    return lanes, ()


NO_LANE = (-1,)
"""Limits figures to nothing, where none of the lanes that they are limited to has a partner."""


class BaselineSide(Struct, frozen=True, eq=False):
    """``profile`` is the baseline, ``shown`` its timeline, ``time_map`` says where its times lie."""

    profile: Profile
    shown: Shown
    time_map: TimeMap

    def request(
        self, above: Shown, stretch: TimeRange | None, lanes: tuple[int, ...], only: tuple[int, ...]
    ) -> Request:
        """The same figures of the baseline: of the range where it lies there, and of the lanes that belong to those
        above; hits of the search are its own."""
        contents = self.shown.contents
        hits = None if contents.hits is None else contents.hits.rows.origin
        own = None if stretch is None else self.time_map.range_before(stretch)
        partners = self._partners(above, lanes), self._partners(above, only) or NO_LANE[: len(only)]
        return Request(self.profile, self.shown.model, contents.counted, own, (), *partners, hits)

    def about_range(self, stretch: TimeRange, look: Look) -> str:
        """Where the range lies in the baseline."""
        own = self.time_map.range_before(stretch)
        return tr("in the baseline {stretch}", stretch=self.shown.model.clock.stretch(own.start, own.end, look))

    def _partners(self, above: Shown, lanes: tuple[int, ...]) -> tuple[int, ...]:
        """The lanes of the baseline that belong to these."""
        counterpart = above.counterpart
        if counterpart is None:
            return ()
        return tuple(dict.fromkeys(lane for lane in map(counterpart.lane_of, lanes) if lane >= 0))
