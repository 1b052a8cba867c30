"""Where each process, lane and counter stands: pure arithmetic over pixels, no Qt."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from app.profile.arrays import Integers

Kind: TypeAlias = Literal["process", "lane", "counter"]

HEAD, SMALL_HEAD = 24, 14
LANE_GAP = 4
COUNTER = 48
FOLDED = 16
"""Height of what is folded: all of its rows in so many lines."""
ROW_HEIGHTS = {"tall": 28, "normal": 20, "compact": 8}
LEAST_ROW = 2
SPARED = 4
"""Rows of so many pixels and more leave their last one empty."""


@dataclass(frozen=True, slots=True)
class Group:
    """A process: its name, the lanes to show of it (a lane that holds nothing but counters is none) and its
    counter tracks."""

    name: str
    lanes: tuple[int, ...]
    counters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Band:
    """One horizontal stretch of the picture. ``index`` is that of the group, lane or counter track; ``y`` and
    ``height`` are pixels from the top of all rows; rows first_row .. first_row + rows - 1 are drawn in it, each
    ``row_height`` high from ``rows_y`` on (folded: all of them together squeezed into so many pixels)."""

    kind: Kind
    index: int
    y: int
    height: int
    first_row: int = 0
    rows: int = 0
    row_height: int = 0
    rows_y: int = 0
    folded: bool = False

    @property
    def bottom(self) -> int:
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Folds:
    """What a person folded: groups and lanes, by index."""

    groups: frozenset[int] = frozenset()
    lanes: frozenset[int] = frozenset()


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


@dataclass(frozen=True, slots=True)
class Layout:
    """``bands`` from the top down, without gaps between them; ``height`` of them all. ``row_bands`` are those that
    rows are drawn in, by rising rows; ``headings`` those of processes; ``lane_bands`` tells for each lane the band
    it shows in, folded or not."""

    bands: tuple[Band, ...]
    tops: tuple[int, ...]
    height: int
    row_bands: tuple[Band, ...]
    row_starts: tuple[int, ...]
    headings: tuple[Band, ...]
    heading_tops: tuple[int, ...]
    lane_bands: dict[int, Band]

    def at(self, y: int) -> Band | None:
        """The band at pixel ``y`` of the rows."""
        if not 0 <= y < self.height:
            return None
        return self.bands[bisect_right(self.tops, y) - 1]

    def between(self, top: int, bottom: int) -> tuple[Band, ...]:
        """The bands that show in top..bottom."""
        if not self.bands:
            return ()
        first = max(0, bisect_right(self.tops, top) - 1)
        return self.bands[first : bisect_right(self.tops, max(top, bottom - 1))]

    def pinned(self, top: int) -> tuple[Band, int] | None:
        """The heading that stays in sight though ``top`` lies below it, and where it then stands: at the top, or
        higher where the next heading pushes it out. None where the heading itself is in sight."""
        place = bisect_right(self.heading_tops, top) - 1
        if place < 0 or self.headings[place].y == top:
            return None
        if place + 1 < len(self.headings):
            return self.headings[place], min(top, self.headings[place + 1].y - self.headings[place].height)
        return self.headings[place], top

    def row_at(self, y: int) -> int:
        """The row at pixel ``y``; -1 where there is none (between lanes, in a heading, in something folded)."""
        band = self.at(y)
        if band is None or band.folded or not band.rows:
            return -1
        number = (y - band.rows_y) // band.row_height
        return band.first_row + number if 0 <= number < band.rows else -1

    def band_of_row(self, row: int) -> Band | None:
        """The band that row ``row`` is drawn in, folded or not."""
        place = bisect_right(self.row_starts, row) - 1
        if place < 0 or row >= self.row_bands[place].first_row + self.row_bands[place].rows:
            return None
        return self.row_bands[place]

    def row_y(self, row: int) -> tuple[int, int] | None:
        """(y, height) of a row; that of the band where it is folded."""
        band = self.band_of_row(row)
        if band is None:
            return None
        if band.folded:
            return band.rows_y, band.row_height
        return band.rows_y + (row - band.first_row) * band.row_height, band.row_height


def lay_out(groups: Iterable[Group], first_row: Integers, folds: Folds, sizes: Sizes) -> Layout:
    """Stacks processes, their lanes and counters. ``first_row``: int64[lanes + 1]. A lone process without a
    name gets no heading."""
    groups = tuple(groups)
    headed = len(groups) > 1 or any(group.name for group in groups)
    bands: list[Band] = []
    of_lane: dict[int, Band] = {}
    y = 0
    for number, group in enumerate(groups):
        if headed:
            folded = number in folds.groups
            rows = _rows(group, first_row) if folded else (0, 0)
            strip = min(FOLDED, sizes.head - 2)
            top = y + (sizes.head - strip) // 2
            bands.append(Band("process", number, y, sizes.head, *rows, strip, top, folded))
            y += sizes.head
            if folded:
                of_lane.update(dict.fromkeys(group.lanes, bands[-1]))
                continue
        for band in _members(group, first_row, folds, sizes, y):
            bands.append(band)
            y = band.bottom
            if band.kind == "lane":
                of_lane[band.index] = band
    with_rows = tuple(band for band in bands if band.rows)
    headings = tuple(band for band in bands if band.kind == "process")
    return Layout(
        tuple(bands),
        tuple(band.y for band in bands),
        y,
        with_rows,
        tuple(band.first_row for band in with_rows),
        headings,
        tuple(band.y for band in headings),
        of_lane,
    )


def _members(group: Group, first_row: Integers, folds: Folds, sizes: Sizes, y: int) -> Iterable[Band]:
    row_height = sizes.row
    gap = LANE_GAP if row_height > 2 * LANE_GAP else 1 if row_height < LANE_GAP else 2
    for lane in group.lanes:
        first, rows = int(first_row[lane]), int(first_row[lane + 1] - first_row[lane])
        folded = lane in folds.lanes and rows > 1
        height = (FOLDED if folded else max(rows, 1) * row_height) + gap
        yield Band("lane", lane, y, height, first, rows, FOLDED if folded else row_height, y + gap // 2, folded)
        y += height
    for track in group.counters:
        yield Band("counter", track, y, sizes.counter)
        y += sizes.counter


def _rows(group: Group, first_row: Integers) -> tuple[int, int]:
    """(first, count) of the rows of a group, whose lanes are neighbours."""
    if not group.lanes:
        return 0, 0
    first = int(first_row[group.lanes[0]])
    return first, int(first_row[group.lanes[-1] + 1]) - first


def lay_out_to_fit(groups: tuple[Group, ...], first_row: Integers, folds: Folds, room: int, most: Sizes) -> Layout:
    """Rows as high as lets everything fit into ``room`` pixels, ``most`` at most, headings low where that helps; as
    far as rows can still be told apart."""
    for head in (most.head, SMALL_HEAD):
        layout = lay_out(groups, first_row, folds, replace(most, row=LEAST_ROW, head=head))
        if layout.height <= room:
            break
    else:
        return layout
    rows = sum(max(band.rows, 1) for band in layout.bands if band.kind == "lane" and not band.folded)
    height = min(most.row, LEAST_ROW + (room - layout.height) // max(rows, 1))
    while height > LEAST_ROW:
        layout = lay_out(groups, first_row, folds, replace(most, row=height, head=head))
        if layout.height <= room:
            break
        height -= 1  # the gaps between lanes have grown, too
    return layout
