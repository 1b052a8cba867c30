"""The tiles that the panel is about: those of the selection or the range, and what it tells of them to others."""

from __future__ import annotations

import numpy as np

from app.document.document import Document
from app.language import tr
from app.profile.arrays import I64
from app.profile.selection import Selection
from app.widgets.shared import Shared

CONTENTS = "tile-contents"
"""Source of what is selected in the tables below the tiles: it is on the tiles that they are about."""
NONE: I64 = np.empty(0, np.int64)


class ChosenTiles:
    """``tiles``: int64, rising: the selected ones, or those on which lies what is selected elsewhere."""

    def __init__(self, document: Document, shared: Shared) -> None:
        self._document = document
        self._shared = shared
        self.tiles: I64 = NONE

    def follow(self, selection: Selection | None, count: int) -> I64:
        """Another selection, of whatever kind; of the tiles below ``count``. What is selected in the tables below lies
        on the tiles, which stay."""
        kept = self.tiles[self.tiles < count]
        if selection is not None and selection.source == CONTENTS and len(kept):
            self.tiles = kept
            return kept
        tiles = self._shared.items(selection, "tile")
        self.tiles = np.unique(tiles[(tiles >= 0) & (tiles < count)])
        return self.tiles

    def within(self, count: int) -> I64 | None:
        """The tiles of the range, None without one."""
        found = self._document.ranges.value.tiles
        if found is None:
            return None
        tiles = np.array(found.tiles, np.int64)
        return tiles[tiles < count]

    def counted(self, count: int) -> tuple[I64, str]:
        """Which tiles figures are of, and in words: the selected ones, else the range, else all."""
        if len(self.tiles):
            return self.tiles, " selected"
        within = self.within(count)
        return (np.arange(count), "") if within is None else (within, tr(" in the range"))

    def choose(self, tiles: I64, *, adding: bool) -> None:
        if adding:
            tiles = np.union1d(self.tiles, tiles)
        if len(tiles):
            self._shared.select("tile", tiles)

    def limit(self, tiles: I64) -> None:
        """Makes them the range."""
        self._shared.limit_to_tiles(tiles)

    def point(self, tile: int) -> None:
        """-1: at none."""
        self._shared.point("tile", tile)
