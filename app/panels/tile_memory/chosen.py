"""The tiles that the panel's figures refer to, those of the selection or the range, and their publication."""

from __future__ import annotations

import numpy as np

from app.document.document import Document
from app.language import tr
from app.profile.arrays import I64, distinct, union
from app.profile.selection import Selection
from app.widgets.shared import Shared

CONTENTS = "tile-contents"
"""Source of selections made in the tables below the tiles; these do not change the selected tiles."""
NONE: I64 = np.empty(0, np.int64)


class ChosenTiles:
    """``tiles``: int64, rising: the selected tiles, or the tiles of items selected elsewhere."""

    def __init__(self, document: Document, shared: Shared) -> None:
        self._document = document
        self._shared = shared
        self._count = 0
        self.tiles: I64 = NONE

    def follow(self, selection: Selection | None, count: int) -> I64:
        """Updates ``tiles`` from a selection of any kind, limited to ``count`` tiles. A selection in the tables below
        the tiles does not change them, as its items are on these tiles."""
        self._count = count
        before = self.tiles[self.tiles < count]
        if selection is not None and selection.source == CONTENTS and len(before):
            self.tiles = before
            return before
        tiles = self._shared.linked(selection, "tile")
        self.tiles = distinct(tiles[(tiles >= 0) & (tiles < count)])
        return self.tiles

    def within(self, count: int) -> I64 | None:
        """The tiles of the range; None without one."""
        tile_range = self._document.ranges.value.tiles
        if tile_range is None:
            return None
        tiles = np.array(tile_range.tiles, np.int64)
        return tiles[tiles < count]

    def counted(self, count: int) -> tuple[I64, str]:
        """(tiles that figures refer to, their description): the selected ones, else the range, else all."""
        if len(self.tiles):
            return self.tiles, tr(" selected")
        within = self.within(count)
        return (np.arange(count), "") if within is None else (within, tr(" in the range"))

    def choose(self, tiles: I64, *, adding: bool) -> None:
        """Selects tiles of the profile; others are those of its baseline."""
        tiles = tiles[tiles < self._count]
        if adding:
            tiles = union(self.tiles, tiles)
        if len(tiles):
            self._shared.select("tile", tiles)

    def limit(self, tiles: I64) -> None:
        """Sets the range to these tiles."""
        self._shared.limit_to_tiles(tiles[tiles < self._count])

    def point(self, tile: int) -> None:
        """Publishes the hovered tile; -1 for none."""
        self._shared.point("tile", tile if tile < self._count else -1)
