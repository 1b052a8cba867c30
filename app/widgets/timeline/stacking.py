"""Stacks processes, lanes and counters into a layout. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.profile.arrays import I64, Bool, Integers
from app.widgets.timeline.bands import COUNTER as COUNTER_KIND
from app.widgets.timeline.bands import LANE, PROCESS, Bands
from app.widgets.timeline.groups import Groups
from app.widgets.timeline.layout import Layout

HEAD, SMALL_HEAD = 24, 14
LANE_GAP = 4
COUNTER = 48
FOLDED = 16
"""Height of what is folded: all of its rows in so many lines."""
ROW_HEIGHTS = {"tall": 28, "normal": 20, "compact": 8}
LEAST_ROW = 2
MOST_FIXED = 0.6
"""Share of the room that pinned lanes may keep for themselves; those beyond it scroll with the others."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose of the rows. ``folded_groups``, ``folded_lanes``; ``pins``: lanes that stand at the top, in
    this order; ``lanes``, ``counters``: those that a filter leaves, None all. A folded process shows all of its
    lanes."""

    folded_groups: frozenset[int] = frozenset()
    folded_lanes: frozenset[int] = frozenset()
    pins: tuple[int, ...] = ()
    lanes: frozenset[int] | None = None
    counters: frozenset[int] | None = None

    def lanes_left(self, lanes: I64) -> Bool:
        """bool[lanes]: which of these lanes stand in their own process."""
        return _left(self.lanes, lanes) & ~_among(frozenset(self.pins), lanes)

    def counters_left(self, counters: I64) -> Bool:
        """bool[counters]: which of these counter tracks are shown."""
        return _left(self.counters, counters)


def _left(left: frozenset[int] | None, index: I64) -> Bool:
    return np.ones(len(index), np.bool_) if left is None else _among(left, index)


def _among(chosen: frozenset[int], index: I64) -> Bool:
    """bool[index]: which of these are among the chosen ones."""
    if not chosen or not len(index):
        return np.zeros(len(index), np.bool_)
    return np.isin(index, np.fromiter(chosen, np.int64, len(chosen)))


@dataclass(frozen=True, slots=True)
class Sizes:
    """Pixels: of a row, of the heading of a process, of a counter."""

    row: int
    head: int = HEAD
    counter: int = COUNTER

    @classmethod
    def of(cls, rows_as: str, text: int) -> Sizes:
        """What suits a text ``text`` pixels high; rows of no fixed height count as normal."""
        normal = max(ROW_HEIGHTS["normal"], text + 4 + -text % 4)
        row = {"tall": normal + 8, "compact": ROW_HEIGHTS["compact"]}.get(rows_as, normal)
        return cls(row, max(HEAD, normal + 4), max(COUNTER, 2 * normal + 8))


def lay_out(groups: Groups, first_row: Integers, choice: Choice, sizes: Sizes, room: int = 0) -> Layout:
    """Stacks pinned lanes, then processes with their lanes and counters. ``first_row``: int64[lanes + 1]; ``room``:
    pixels in which all of it is seen, which says how many pinned lanes can stay. A lone process without a name gets
    no heading."""
    pins = _lanes(np.array(choice.pins, np.int64), first_row, choice, sizes).stacked(0)
    pins.pinned[:] = 1
    bottoms = pins.y + pins.height
    fixed = int(bottoms[bottoms <= MOST_FIXED * room].max(initial=0))
    lanes_left, counters_left = choice.lanes_left(groups.lanes), choice.counters_left(groups.counters)
    lanes, counters = groups.lanes[lanes_left], groups.counters[counters_left]
    of_lane, of_counter = groups.of_lanes()[lanes_left], groups.of_counters()[counters_left]
    folded = np.zeros(len(groups), np.bool_)
    heads = Bands.blank(0, PROCESS, np.zeros(0, np.int64))
    if groups.headed:
        folded = _among(choice.folded_groups, np.arange(len(groups)))
        shown = np.bincount(np.concatenate((of_lane, of_counter)), minlength=len(groups)) > 0
        heads = _heads(groups, np.flatnonzero(shown), folded, first_row, sizes)
    open_lanes, open_counters = ~folded[of_lane], ~folded[of_counter]
    parts = (heads, _lanes(lanes[open_lanes], first_row, choice, sizes), _counters(counters[open_counters], sizes))
    group = np.concatenate((heads.indices, of_lane[open_lanes], of_counter[open_counters]))
    order = np.argsort(group, kind="stable")  # a heading before its lanes, these before its counters
    below = Bands(np.concatenate([part.table for part in parts])[order]).stacked(pins.bottom)
    bands = Bands(np.concatenate((pins.table, below.table)))
    place = np.full(len(first_row) - 1, -1, np.int64)
    of_head, of_band = np.flatnonzero(bands.kind == PROCESS), np.flatnonzero(bands.kind == LANE)
    if len(of_head):
        place[lanes[~open_lanes]] = of_head[np.searchsorted(bands.indices[of_head], of_lane[~open_lanes])]
    place[bands.indices[of_band]] = of_band
    return Layout.of(bands, fixed, place)


def _heads(groups: Groups, shown: I64, folded: Bool, first_row: Integers, sizes: Sizes) -> Bands:
    """The headings of these processes; what is folded shows all rows of its lanes, which are neighbours."""
    heads = Bands.blank(len(shown), PROCESS, shown)
    heads.height[:] = sizes.head
    heads.row_height[:] = min(FOLDED, sizes.head - 2)
    heads.rows_y[:] = (sizes.head - min(FOLDED, sizes.head - 2)) // 2
    heads.folded[:] = folded[shown]
    full = np.flatnonzero(folded[shown] & (np.diff(groups.first_lane)[shown] > 0))
    first = first_row[groups.lanes[groups.first_lane[shown[full]]]]
    heads.first_row[full] = first
    heads.rows[full] = first_row[groups.lanes[groups.first_lane[shown[full] + 1] - 1] + 1] - first
    return heads


def _lanes(lanes: I64, first_row: Integers, choice: Choice, sizes: Sizes) -> Bands:
    row_height = sizes.row
    gap = LANE_GAP if row_height > 2 * LANE_GAP else 1 if row_height < LANE_GAP else 2
    bands = Bands.blank(len(lanes), LANE, lanes)
    rows = first_row[lanes + 1] - first_row[lanes]
    folded = _among(choice.folded_lanes, lanes) & (rows > 1)
    bands.first_row[:], bands.rows[:], bands.folded[:] = first_row[lanes], rows, folded
    bands.height[:] = np.where(folded, FOLDED, np.maximum(rows, 1) * row_height) + gap
    bands.row_height[:] = np.where(folded, FOLDED, row_height)
    bands.rows_y[:] = gap // 2
    return bands


def _counters(counters: I64, sizes: Sizes) -> Bands:
    bands = Bands.blank(len(counters), COUNTER_KIND, counters)
    bands.height[:] = sizes.counter
    return bands


def lay_out_to_fit(groups: Groups, first_row: Integers, choice: Choice, room: int, most: Sizes) -> Layout:
    """Rows as high as lets everything fit into ``room`` pixels, ``most`` at most, headings low where that helps; as
    far as rows can still be told apart."""
    for head in (most.head, SMALL_HEAD):
        layout = lay_out(groups, first_row, choice, replace(most, row=LEAST_ROW, head=head), room)
        if layout.height <= room:
            break
    else:
        return layout
    bands = layout.bands
    rows = int(np.maximum(bands.rows, 1)[(bands.kind == LANE) & (bands.folded == 0)].sum())
    height = min(most.row, LEAST_ROW + (room - layout.height) // max(rows, 1))
    while height > LEAST_ROW:
        layout = lay_out(groups, first_row, choice, replace(most, row=height, head=head), room)
        if layout.height <= room:
            break
        height -= 1  # the gaps between lanes have grown, too
    return layout
