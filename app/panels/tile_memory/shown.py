"""What the panel shows of the tiles, of one profile or of two. No widgets."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from app.analysis import bins
from app.analysis.table import Table
from app.analysis.tables.poplar_memory import figures_table, ipu_table, tile_table
from app.analysis.tile_breakdowns import Content
from app.panels.tile_memory.picture import TILES, amounts, bars_of, floor_of, histogram_of
from app.panels.tile_memory.spread import words
from app.profile.arrays import I64, Array
from app.views.chart.histogram import HistogramPicture
from app.views.look import Look
from app.views.plot.picture import PlotPicture
from app.views.tile_memory.places import Places, View, places
from app.widgets.floor.draw import FloorPicture


class Shown(Protocol):
    """Pictures and texts of a figure of the tiles. ``part``: the number of one of its parts, -1 for all."""

    def places(self, view: View) -> Places: ...
    def bars(self, where: Places, *, limit: bool, lines: bool) -> PlotPicture: ...
    def histogram(self, part: int, *, limit: bool) -> HistogramPicture | None: ...
    def floor(self, part: int) -> FloorPicture: ...
    def amounts(self, part: int) -> Array: ...
    def histogram_table(self, part: int, *, limit: bool) -> Table | None: ...
    def words(self, part: int, tiles: I64, of: str, look: Look) -> str: ...


class Alone(Struct, frozen=True):
    """A figure of one profile."""

    content: Content

    def places(self, view: View) -> Places:
        return places(self.content, view)

    def bars(self, where: Places, *, limit: bool, lines: bool) -> PlotPicture:
        return bars_of(self.content, where, limit=limit, lines=lines)

    def histogram(self, part: int, *, limit: bool) -> HistogramPicture | None:
        return histogram_of(self.content, part, limit=limit)

    def floor(self, part: int) -> FloorPicture:
        return floor_of(self.content, part)

    def amounts(self, part: int) -> Array:
        return amounts(self.content, part)[0]

    def histogram_table(self, part: int, *, limit: bool) -> Table | None:
        picture = self.histogram(part, limit=limit)
        return None if picture is None else bins.table(picture.title, picture.bins, self.content.unit, TILES)

    def words(self, part: int, tiles: I64, of: str, look: Look) -> str:
        return words(self.content, part, tiles, of, look)


def table_of(content: Content, view: View, tiles: I64, of: str) -> Table:
    """The table of a view; ``tiles`` are those that the figures of the view Figures refer to, described by ``of``."""
    if view == "ipu":
        return ipu_table(content)
    if view == "figures":
        return figures_table(content, tiles[tiles < content.tiles], of)
    return tile_table(content)
