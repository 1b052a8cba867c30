"""Where each process, lane and counter stands: bands stacked from the top down, pure arithmetic over pixels."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.profile.arrays import I64, Bool, Integers, among
from app.views.timeline.bands import COUNTER, LANE, PROCESS, Band, Bands, LaneBands
from app.views.timeline.model import Processes

SPARED = 4
"""Rows of so many pixels and more leave their last one empty."""
HEAD, SMALL_HEAD = 24, 14
LANE_GAP = 4
COUNTER_HEIGHT = 48
FOLDED = 16
"""Height of what is folded: all of its rows in so many lines."""
ROW_HEIGHTS = {"tall": 28, "normal": 20, "compact": 8}
LEAST_ROW = 2
MOST_FIXED = 0.6
"""Share of the room that pinned lanes may keep for themselves; those beyond it scroll with the others."""


class Layout(Struct, frozen=True, eq=False):
    """``bands`` from the top down, without gaps between them; ``height`` of them all; the first ``fixed`` pixels
    (pinned lanes) stay where they are when the others are scrolled. ``row_bands`` are those that rows are drawn in
    and that are not pinned, by rising rows, ``pins`` the pinned ones; ``headings`` those of processes; ``lane_bands``
    tells for each lane the band it shows in, folded or not."""

    bands: Bands
    height: int
    fixed: int
    pins: Bands
    row_bands: Bands
    headings: Bands
    lane_bands: LaneBands

    @classmethod
    def of(cls, bands: Bands, fixed: int, place_of_lane: I64) -> Layout:
        """``bands``: pinned ones first; ``place_of_lane``: int64[lanes], an index into them or -1."""
        pinned = bands.pinned > 0
        with_rows = bands.table[(bands.rows > 0) & ~pinned]
        return cls(
            bands,
            bands.bottom,
            fixed,
            Bands(bands.table[pinned]),
            Bands(with_rows[np.argsort(Bands(with_rows).first_row, kind="stable")]),
            Bands(bands.table[bands.kinds == PROCESS]),
            LaneBands(bands, place_of_lane),
        )

    # -- the picture: a window over the rows that begins ``top`` pixels down ------------------------------

    def line(self, y: int, top: int) -> int:
        """The line of the picture at which pixel ``y`` of the rows stands."""
        return y if y < self.fixed else y - top

    def under(self, line: int, top: int) -> int:
        """The pixel of the rows that a line of the picture shows."""
        return line if line < self.fixed else line + top

    def edge(self, y: int) -> int:
        """The line of the picture above which nothing of a band at ``y`` may be seen."""
        return 0 if y < self.fixed else self.fixed

    def in_view(self, top: int, height: int) -> tuple[Band, ...]:
        """The bands that a picture of ``height`` lines shows."""
        if not len(self.bands):
            return ()
        tops = self.bands.y
        still = int(np.searchsorted(tops, self.fixed)) if self.fixed else 0
        first = max(still, int(np.searchsorted(tops, top + self.fixed, "right")) - 1)
        last = int(np.searchsorted(tops, max(top + self.fixed, top + height - 1), "right"))
        return self.bands[:still] + self.bands[first:last]

    def sticky(self, top: int) -> tuple[Band, int] | None:
        """The heading that stays in sight though its place is scrolled away, and the pixel of the rows at which it
        then stands: the first that is seen, or higher where the next heading pushes it out. None where the heading
        itself is in sight."""
        edge = top + self.fixed
        place = int(np.searchsorted(self.headings.y, edge, "right")) - 1
        if place < 0 or self.headings.y[place] == edge:
            return None
        if place + 1 < len(self.headings):
            following = self.headings[place + 1]
            return self.headings[place], min(edge, following.y - self.headings[place].height)
        return self.headings[place], edge

    # -- the rows -----------------------------------------------------------------------------------------

    def at(self, y: int) -> Band | None:
        """The band at pixel ``y`` of the rows."""
        if not 0 <= y < self.height:
            return None
        return self.bands[int(np.searchsorted(self.bands.y, y, "right")) - 1]

    def row_at(self, y: int) -> int:
        """The row at pixel ``y``; -1 where there is none (between lanes, in a heading, in something folded)."""
        band = self.at(y)
        if band is None or band.folded or not band.rows:
            return -1
        number = (y - band.rows_y) // band.row_height
        return band.first_row + number if 0 <= number < band.rows else -1

    def band_of_row(self, row: int) -> Band | None:
        """The band that row ``row`` is drawn in, folded or not; None where it is left out."""
        pinned = next((band for band in self.pins if band.holds(row)), None)
        if pinned is not None:
            return pinned
        place = int(np.searchsorted(self.row_bands.first_row, row, "right")) - 1
        if place < 0:
            return None
        band = self.row_bands[place]
        return band if band.holds(row) else None

    def row_y(self, row: int) -> tuple[int, int] | None:
        """(y, height) of a row; that of the band where it is folded."""
        band = self.band_of_row(row)
        if band is None:
            return None
        if band.folded:
            return band.rows_y, band.row_height
        return band.rows_y + (row - band.first_row) * band.row_height, band.row_height


class Sizes(Struct, frozen=True):
    """Pixels: of a row, of the heading of a process, of a counter."""

    row: int
    head: int = HEAD
    counter: int = COUNTER_HEIGHT

    @classmethod
    def of(cls, rows_as: str, text: int) -> Sizes:
        """What suits a text ``text`` pixels high; rows of no fixed height count as normal."""
        normal = max(ROW_HEIGHTS["normal"], text + 4 + -text % 4)
        row = {"tall": normal + 8, "compact": ROW_HEIGHTS["compact"]}.get(rows_as, normal)
        return cls(row, max(HEAD, normal + 4), max(COUNTER_HEIGHT, 2 * normal + 8))


def lay_out(groups: Processes, first_row: Integers, choice: RowChoice, sizes: Sizes, room: int = 0) -> Layout:
    """Stacks pinned lanes, then processes with their lanes and counters. ``first_row``: int64[lanes + 1]; ``room``:
    pixels in which all of it is seen, which says how many pinned lanes can stay. A lone process without a name gets
    no heading."""
    pins = _lanes(np.array(choice.pins, np.int64), first_row, choice, sizes).stacked(0)
    pins.pinned[:] = 1
    bottoms = pins.y + pins.height
    fixed = int(bottoms[bottoms <= MOST_FIXED * room].max(initial=0))
    all_lanes = choice.lanes_of(groups)
    lanes_left, counters_left = choice.lanes_left(all_lanes), choice.counters_left(groups.counters)
    lanes, counters = all_lanes[lanes_left], groups.counters[counters_left]
    of_lane, of_counter = groups.of_lanes()[lanes_left], groups.of_counters()[counters_left]
    folded = np.zeros(len(groups), np.bool_)
    heads = Bands.blank(0, PROCESS, np.zeros(0, np.int64))
    if groups.headed:
        folded = among(np.arange(len(groups)), list(choice.folded_groups))
        shown = np.bincount(np.concatenate((of_lane, of_counter)), minlength=len(groups)) > 0
        heads = _heads(groups, np.flatnonzero(shown), folded, first_row, sizes)
    open_lanes, open_counters = ~folded[of_lane], ~folded[of_counter]
    parts = (heads, _lanes(lanes[open_lanes], first_row, choice, sizes), _counters(counters[open_counters], sizes))
    group = np.concatenate((heads.indices, of_lane[open_lanes], of_counter[open_counters]))
    place_of_group = ranks(choice.groups_of(groups), len(groups))
    order = np.argsort(place_of_group[group], kind="stable")  # heading, its lanes, its counters
    below = Bands(np.concatenate([part.table for part in parts])[order]).stacked(pins.bottom)
    bands = Bands(np.concatenate((pins.table, below.table)))
    place = np.full(len(first_row) - 1, -1, np.int64)
    of_head, of_band = np.flatnonzero(bands.kinds == PROCESS), np.flatnonzero(bands.kinds == LANE)
    if len(of_head):
        head_of_group = np.full(len(groups), -1, np.int64)
        head_of_group[bands.indices[of_head]] = of_head
        place[lanes[~open_lanes]] = head_of_group[of_lane[~open_lanes]]
    place[bands.indices[of_band]] = of_band
    return Layout.of(bands, fixed, place)


def _heads(groups: Processes, shown: I64, folded: Bool, first_row: Integers, sizes: Sizes) -> Bands:
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


def _lanes(lanes: I64, first_row: Integers, choice: RowChoice, sizes: Sizes) -> Bands:
    row_height = sizes.row
    gap = LANE_GAP if row_height > 2 * LANE_GAP else 1 if row_height < LANE_GAP else 2
    bands = Bands.blank(len(lanes), LANE, lanes)
    rows = first_row[lanes + 1] - first_row[lanes]
    folded = among(lanes, list(choice.folded_lanes)) & (rows > 1)
    bands.first_row[:], bands.rows[:], bands.folded[:] = first_row[lanes], rows, folded
    bands.height[:] = np.where(folded, FOLDED, np.maximum(rows, 1) * row_height) + gap
    bands.row_height[:] = np.where(folded, FOLDED, row_height)
    bands.rows_y[:] = gap // 2
    return bands


def _counters(counters: I64, sizes: Sizes) -> Bands:
    bands = Bands.blank(len(counters), COUNTER, counters)
    bands.height[:] = sizes.counter
    return bands


def lay_out_to_fit(groups: Processes, first_row: Integers, choice: RowChoice, room: int, most: Sizes) -> Layout:
    """Rows as high as lets everything fit into ``room`` pixels, ``most`` at most, headings low where that helps; as
    far as rows can still be distinguished."""
    for head in (most.head, SMALL_HEAD):
        layout = lay_out(groups, first_row, choice, replace(most, row=LEAST_ROW, head=head), room)
        if layout.height <= room:
            break
    else:
        return layout
    bands = layout.bands
    rows = int(np.maximum(bands.rows, 1)[(bands.kinds == LANE) & (bands.folded == 0)].sum())
    height = min(most.row, LEAST_ROW + (room - layout.height) // max(rows, 1))
    while height > LEAST_ROW:
        layout = lay_out(groups, first_row, choice, replace(most, row=height, head=head), room)
        if layout.height <= room:
            break
        height -= 1  # the gaps between lanes have grown, too
    return layout


class RowChoice(Struct, frozen=True):
    """What a person chose of the rows. ``folded_groups``, ``folded_lanes``; ``pins``: lanes that stand at the top, in
    this order; ``lanes``, ``counters``: those that a filter leaves, None all; ``lane_order``, ``group_order``: the
    lanes and processes that do not stand where the file has them, in their order. A folded process shows all of its
    lanes."""

    folded_groups: frozenset[int] = frozenset()
    folded_lanes: frozenset[int] = frozenset()
    pins: tuple[int, ...] = ()
    lanes: frozenset[int] | None = None
    counters: frozenset[int] | None = None
    lane_order: tuple[int, ...] = ()
    group_order: tuple[int, ...] = ()

    def lanes_of(self, groups: Processes) -> I64:
        """int64: all lanes in their order, those of a process one after another, processes in the file's order."""
        order = np.array(self.lane_order, np.int64)
        if not len(order):
            return groups.lanes
        group = np.full(int(max(order.max(), groups.lanes.max(initial=0))) + 1, -1, np.int64)
        group[groups.lanes] = groups.of_lanes()
        return rearranged(groups.lanes, order[np.argsort(group[order], kind="stable")])

    def groups_of(self, groups: Processes) -> I64:
        """int64: all processes in their order."""
        return rearranged(np.arange(len(groups)), np.array(self.group_order, np.int64))

    def lanes_left(self, lanes: I64) -> Bool:
        """bool[lanes]: which of these lanes stand in their own process."""
        return _left(self.lanes, lanes) & ~among(lanes, self.pins)

    def counters_left(self, counters: I64) -> Bool:
        """bool[counters]: which of these counter tracks are shown."""
        return _left(self.counters, counters)


def rearranged(items: I64, order: I64) -> I64:
    """int64: ``items``, of which those in ``order`` follow each other like that, in the places that they have among the
    others."""
    known = order[among(order, items)]
    if not len(known):
        return items
    result = items.copy()
    result[among(items, known)] = known
    return result


def ranks(order: I64, count: int) -> I64:
    """int64[count]: the place of each item in ``order``, -1 for those that are not in it."""
    places = np.full(count, -1, np.int64)
    places[order] = np.arange(len(order))
    return places


def _left(left: frozenset[int] | None, index: I64) -> Bool:
    return np.ones(len(index), np.bool_) if left is None else among(index, list(left))
