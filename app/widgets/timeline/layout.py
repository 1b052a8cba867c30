"""Where each process, lane and counter stands: pure arithmetic over pixels, no Qt."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["process", "lane", "counter"]

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
    pinned: bool = False

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def holds(self, row: int) -> bool:
        return self.first_row <= row < self.first_row + self.rows


@dataclass(frozen=True, slots=True)
class Layout:
    """``bands`` from the top down, without gaps between them; ``height`` of them all; the first ``fixed`` pixels
    (pinned lanes) stay where they are when the others are scrolled. ``row_bands`` are those that rows are drawn in,
    pinned ones first, then by rising rows; ``headings`` those of processes; ``lane_bands`` tells for each lane the
    band it shows in, folded or not."""

    bands: tuple[Band, ...]
    tops: tuple[int, ...]
    height: int
    fixed: int
    pins: tuple[Band, ...]
    row_bands: tuple[Band, ...]
    row_starts: tuple[int, ...]
    headings: tuple[Band, ...]
    heading_tops: tuple[int, ...]
    lane_bands: dict[int, Band]

    @classmethod
    def of(cls, bands: list[Band], fixed: int, lane_bands: dict[int, Band]) -> Layout:
        """``bands``: pinned ones first."""
        rows = tuple(band for band in bands if band.rows and not band.pinned)
        headings = tuple(band for band in bands if band.kind == "process")
        return cls(
            tuple(bands),
            tuple(band.y for band in bands),
            bands[-1].bottom if bands else 0,
            fixed,
            tuple(band for band in bands if band.pinned),
            rows,
            tuple(band.first_row for band in rows),
            headings,
            tuple(band.y for band in headings),
            lane_bands,
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
        if not self.bands:
            return ()
        still = bisect_right(self.tops, self.fixed - 1) if self.fixed else 0
        first = max(still, bisect_right(self.tops, top + self.fixed) - 1)
        last = bisect_right(self.tops, max(top + self.fixed, top + height - 1))
        return self.bands[:still] + self.bands[first:last]

    def sticky(self, top: int) -> tuple[Band, int] | None:
        """The heading that stays in sight though its place is scrolled away, and the pixel of the rows at which it
        then stands: the first that is seen, or higher where the next heading pushes it out. None where the heading
        itself is in sight."""
        edge = top + self.fixed
        place = bisect_right(self.heading_tops, edge) - 1
        if place < 0 or self.headings[place].y == edge:
            return None
        if place + 1 < len(self.headings):
            return self.headings[place], min(edge, self.headings[place + 1].y - self.headings[place].height)
        return self.headings[place], edge

    # -- the rows -----------------------------------------------------------------------------------------

    def at(self, y: int) -> Band | None:
        """The band at pixel ``y`` of the rows."""
        if not 0 <= y < self.height:
            return None
        return self.bands[bisect_right(self.tops, y) - 1]

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
        place = bisect_right(self.row_starts, row) - 1
        return self.row_bands[place] if place >= 0 and self.row_bands[place].holds(row) else None

    def row_y(self, row: int) -> tuple[int, int] | None:
        """(y, height) of a row; that of the band where it is folded."""
        band = self.band_of_row(row)
        if band is None:
            return None
        if band.folded:
            return band.rows_y, band.row_height
        return band.rows_y + (row - band.first_row) * band.row_height, band.row_height
