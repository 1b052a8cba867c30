"""The order of tiles in a plot: by number, sorted, or grouped by IPU."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.tile_figures import Content
from app.language import tr
from app.profile.arrays import F64, I64, distinct
from app.views.axis import TileAxis

View: TypeAlias = Literal["tile", "sorted", "ipu", "histogram", "floor", "figures"]
VIEWS: Final[dict[View, str]] = {
    "tile": tr("By tile"),
    "sorted": tr("Sorted"),
    "ipu": tr("By IPU"),
    "histogram": tr("Histogram"),
    "floor": tr("Floor plan"),
    "figures": tr("Figures"),
}


class Places(Struct, frozen=True, eq=False):
    """Position p of a plot shows the tiles ``tiles[first[p]:first[p + 1]]``; ``place_of``: int64[tiles]."""

    axis: TileAxis
    tiles: I64
    first: I64
    place_of: I64

    def tiles_of(self, first: int, last: int) -> I64:
        """The tiles of positions first .. last, rising."""
        return np.sort(self.tiles[int(self.first[first]) : int(self.first[last + 1])])

    def places_of(self, tiles: I64) -> I64:
        """The positions that show any of ``tiles``, rising."""
        return distinct(self.place_of[tiles[(tiles >= 0) & (tiles < len(self.place_of))]])


class Ranked(Struct, frozen=True, eq=False):
    """Labels of sorted positions: the tile, its IPU, its rank."""

    tiles: I64
    own: TileAxis

    def get(self, index: int, default: str = "") -> str:
        if not 0 <= index < len(self.tiles):
            return default
        return tr("{name}, rank {index:,}", name=self.own.name(int(self.tiles[index])), index=index + 1)


def places(content: Content, view: View) -> Places:
    """The position of each tile in a view of bars."""
    return places_of(content.total, content.per_ipu, view)


def places_of(total: F64, per_ipu: int, view: View) -> Places:
    """The same for any amounts of tiles, NaN for no data."""
    count = len(total)
    own = TileAxis(count, group=per_ipu)
    numbers = np.arange(count, dtype=np.int64)
    if view == "sorted":
        order = np.argsort(-np.where(np.isnan(total), -np.inf, total), kind="stable").astype(np.int64)
        place_of = np.empty(count, np.int64)
        place_of[order] = numbers
        return Places(TileAxis(count, tr("Rank"), names=Ranked(order, own)), order, np.arange(count + 1), place_of)
    if view == "ipu":
        size = per_ipu or max(count, 1)
        ipus = max(-(-count // size), 1)
        first = np.minimum(np.arange(ipus + 1, dtype=np.int64) * size, count)
        return Places(TileAxis(ipus, "IPU"), numbers, first, numbers // size)
    return Places(own, numbers, np.arange(count + 1), numbers)
