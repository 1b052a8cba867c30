"""What the panel shows of the tiles, of one profile or of two. No widgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis import bins
from app.analysis.table import Table
from app.analysis.tables.poplar_memory import figures_table, ipu_table, tile_table
from app.analysis.tile_figures import Content, statistics
from app.language import labelled, plural, tr
from app.panels.tile_memory.picture import TILES, amounts, bars_of, floor_of, fullest, histogram_of
from app.profile.arrays import I64, Array
from app.views.chart.histogram import HistogramPicture
from app.views.look import Look
from app.views.plot import PlotPicture
from app.views.tile_memory.places import Places, View, places
from app.views.units import format_value, percent
from app.widgets.floor.scene import FloorPicture
from app.widgets.plot.outline import Flag


class Shown(Protocol):
    """Pictures and texts of a figure of the tiles. ``part``: the number of one of its parts, -1 for all."""

    def places(self, view: View) -> Places: ...
    def bars(self, where: Places, *, limit: bool, lines: bool) -> PlotPicture: ...
    def flags(self, where: Places, picture: PlotPicture) -> tuple[Flag, ...]: ...
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

    def flags(self, where: Places, picture: PlotPicture) -> tuple[Flag, ...]:
        flag = fullest(picture, where, picture.totals, limited=bool(self.content.limit))
        return () if flag is None else (flag,)

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


Written: TypeAlias = Callable[[float], str]
MOST_PARTS = 3
NOT_ALL = tr("gaps not counted")
"""Shown in place of the free memory: without its gaps, a full tile would look half empty."""


def words(content: Content, part: int, tiles: I64, of: str, look: Look) -> str:
    """Maximum, sum, mean, median and max / mean of a part (-1: of all parts) over ``tiles``, described by ``of``. If
    tiles have a limit, the use of the fullest comes first, because the end of the line may be cut off."""
    values = amounts(content, part)[0][tiles].astype(np.float64)
    limit, one = content.limit if part < 0 else None, len(tiles) == 1
    tiles, values = tiles[~np.isnan(values)], values[~np.isnan(values)]
    if not len(values):
        return tr("no data{of}", of=of)
    figures = statistics(values)

    def written(amount: float, clock_hz: float | None = content.clock_hz) -> str:
        whole = int(amount) if float(amount).is_integer() else amount
        return format_value(whole, content.unit, look, clock_hz)

    if one:
        return " · ".join(_of_one(content, part, int(tiles[0]), written))
    worst = int(tiles[int(np.argmax(values))])
    parts: list[str] = [plural("{count:,} tile{of}", "{count:,} tiles{of}", count=len(tiles), of=of)]
    what = tr("fullest tile") if limit else tr("max on tile")
    most = f"{written(figures.most)}{_full(content, part, figures.most, written)}"
    parts.append(labelled(f"{what} {worst:,}", most))
    if content.adds_up:
        parts.append(tr("sum {written}", written=written(figures.total, None)))  # over tiles: no duration
    parts += [
        tr("mean {written}", written=written(figures.mean)),
        tr("median {written}", written=written(figures.median)),
    ]
    if figures.mean:
        parts.append(tr("max / mean {ratio}", ratio=f"{figures.ratio:.2f}"))
    return " · ".join(parts)


def _full(content: Content, part: int, amount: float, written: Written) -> str:
    """How full a tile is with ``amount``; "" if there is no limit."""
    limit = content.limit if part < 0 else None
    if not limit:
        return ""
    left = limit - amount
    amount_left = written(abs(left))
    room = tr("{amount} free", amount=amount_left) if left >= 0 else tr("{amount} over the limit", amount=amount_left)
    state = room if content.fills else NOT_ALL
    return tr(" ({amount} of a tile, {state})", amount=percent(100 * amount / limit), state=state)


def _of_one(content: Content, part: int, tile: int, written: Written) -> list[str]:
    """The figure of one tile, and its largest parts."""
    amount = float(amounts(content, part)[0][tile])
    texts: list[str] = [
        tr(
            "tile {tile:,}: {written}{full}",
            tile=tile,
            written=written(amount),
            full=_full(content, part, amount, written),
        )
    ]
    if part < 0 and len(content.parts) > 1:
        own = sorted(((float(values[tile]), title) for _, title, values, _ in content.parts), reverse=True)
        texts += [f"{title} {written(size)}" for size, title in own[:MOST_PARTS] if size > 0]
    return texts
