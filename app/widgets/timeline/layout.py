"""Where each process, lane and counter stands: pure arithmetic over pixels, no Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import I64
from app.widgets.timeline.bands import PROCESS, Band, Bands, LaneBands

SPARED = 4
"""Rows of so many pixels and more leave their last one empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
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
        return cls(
            bands,
            bands.bottom,
            fixed,
            Bands(bands.table[pinned]),
            Bands(bands.table[(bands.rows > 0) & ~pinned]),
            Bands(bands.table[bands.kind == PROCESS]),
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
