"""Stacks processes, lanes and counters into a layout. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from app.profile.arrays import Integers
from app.widgets.timeline.layout import Band, Group, Layout

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

    def rest(self, group: Group) -> Group:
        """What is left of a process."""
        return Group(
            group.name,
            tuple(lane for lane in group.lanes if lane not in self.pins and _in(self.lanes, lane)),
            tuple(track for track in group.counters if _in(self.counters, track)),
        )


def _in(left: frozenset[int] | None, index: int) -> bool:
    return left is None or index in left


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


def lay_out(groups: Iterable[Group], first_row: Integers, choice: Choice, sizes: Sizes, room: int = 0) -> Layout:
    """Stacks pinned lanes, then processes with their lanes and counters. ``first_row``: int64[lanes + 1]; ``room``:
    pixels in which all of it is seen, which says how many pinned lanes can stay. A lone process without a name gets
    no heading."""
    groups = tuple(groups)
    headed = len(groups) > 1 or any(group.name for group in groups)
    bands = [replace(band, pinned=True) for band in _lanes(choice.pins, first_row, choice, sizes, 0)]
    of_lane = {band.index: band for band in bands}
    fixed = max((band.bottom for band in bands if band.bottom <= MOST_FIXED * room), default=0)
    y = bands[-1].bottom if bands else 0
    for number, group in enumerate(groups):
        rest = choice.rest(group)
        if not rest.lanes and not rest.counters:
            continue
        if headed:
            folded = number in choice.folded_groups
            rows = _rows(group, first_row) if folded else (0, 0)
            strip = min(FOLDED, sizes.head - 2)
            top = y + (sizes.head - strip) // 2
            bands.append(Band("process", number, y, sizes.head, *rows, strip, top, folded))
            y += sizes.head
            if folded:
                of_lane.update(dict.fromkeys(rest.lanes, bands[-1]))
                continue
        for band in _members(rest, first_row, choice, sizes, y):
            bands.append(band)
            y = band.bottom
            if band.kind == "lane":
                of_lane[band.index] = band
    return Layout.of(bands, fixed, of_lane)


def _members(group: Group, first_row: Integers, choice: Choice, sizes: Sizes, y: int) -> Iterator[Band]:
    for band in _lanes(group.lanes, first_row, choice, sizes, y):
        yield band
        y = band.bottom
    for track in group.counters:
        yield Band("counter", track, y, sizes.counter)
        y += sizes.counter


def _lanes(lanes: Iterable[int], first_row: Integers, choice: Choice, sizes: Sizes, y: int) -> Iterator[Band]:
    row_height = sizes.row
    gap = LANE_GAP if row_height > 2 * LANE_GAP else 1 if row_height < LANE_GAP else 2
    for lane in lanes:
        first, rows = int(first_row[lane]), int(first_row[lane + 1] - first_row[lane])
        folded = lane in choice.folded_lanes and rows > 1
        height = (FOLDED if folded else max(rows, 1) * row_height) + gap
        yield Band("lane", lane, y, height, first, rows, FOLDED if folded else row_height, y + gap // 2, folded)
        y += height


def _rows(group: Group, first_row: Integers) -> tuple[int, int]:
    """(first, count) of the rows of a group, whose lanes are neighbours."""
    if not group.lanes:
        return 0, 0
    first = int(first_row[group.lanes[0]])
    return first, int(first_row[group.lanes[-1] + 1]) - first


def lay_out_to_fit(groups: tuple[Group, ...], first_row: Integers, choice: Choice, room: int, most: Sizes) -> Layout:
    """Rows as high as lets everything fit into ``room`` pixels, ``most`` at most, headings low where that helps; as
    far as rows can still be told apart."""
    for head in (most.head, SMALL_HEAD):
        layout = lay_out(groups, first_row, choice, replace(most, row=LEAST_ROW, head=head), room)
        if layout.height <= room:
            break
    else:
        return layout
    rows = sum(max(band.rows, 1) for band in layout.bands if band.kind == "lane" and not band.folded)
    height = min(most.row, LEAST_ROW + (room - layout.height) // max(rows, 1))
    while height > LEAST_ROW:
        layout = lay_out(groups, first_row, choice, replace(most, row=height, head=head), room)
        if layout.height <= room:
            break
        height -= 1  # the gaps between lanes have grown, too
    return layout
