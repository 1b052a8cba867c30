"""Pictures of the tile memory panel. No widgets."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.bins import bins
from app.analysis.memory import Breakdown
from app.analysis.tile_figures import SHARED, TITLES, Choice, Content, by_ipu, content_of, largest_first
from app.language import labelled, tr
from app.profile.arrays import Array
from app.profile.profile import Profile
from app.views.chart.histogram import HistogramPicture
from app.views.look import Look, Theme
from app.views.plot import GAPS, OTHERS, Limit, PlotPicture, plot_picture
from app.views.tile_memory.places import Places, places
from app.widgets.chart.scene import ChartPainter
from app.widgets.floor.scene import FloorPicture, FloorScene, floor_picture
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.outline import Flag
from app.widgets.plot.scene import PlotScene

COLOURS: Final[dict[str, str]] = {
    "interleaved": "#0072B2",
    "nonInterleaved": "#56B4E9",
    "overflowed": "#D55E00",
    "between": "#A3ABB6",
    "always": "#0072B2",
    "temporary_max": "#E69F00",
    "own": "#0072B2",
    "shared": "#CC79A7",
}
"""Colours of the parts that every profile has; gaps are unused memory, so they are grey."""
MOST_LAYERS: Final = 12
"""More categories than this cannot be told apart by colour; the smaller ones are merged (the table has them all)."""
LIMIT_NAME: Final = tr("Memory of a tile")
IPU_LIMIT: Final = tr("Memory of an IPU")
TILES: Final = tr("tiles")
"""What histograms count."""


def bars_of(content: Content, where: Places, *, limit: bool = True, lines: bool = False) -> PlotPicture:
    """Stacked bars, one per place, or lines; for IPUs the sums over their tiles, whose cycles are no durations."""
    joined = len(where.first) - 1 != content.tiles
    layers: list[tuple[str, Array]] = [
        (title, by_ipu(content, values) if joined else values[where.tiles]) for _, title, values, _ in content.parts
    ]
    colours = tuple(COLOURS[key] for key, _, _, _ in content.parts if key in COLOURS)
    if content.id in ("category", SHARED):
        unused = [layer for layer in layers if layer[0] == GAPS]
        layers = largest_first([layer for layer in layers if layer[0] != GAPS], MOST_LAYERS, OTHERS) + unused
    line = None
    if limit and content.limit:
        line = Limit(content.limit * content.per_ipu, IPU_LIMIT) if joined else Limit(content.limit, LIMIT_NAME)
        line = line if line.value else None
    fits = len(colours) == len(layers)
    return plot_picture(
        content.title_by_ipu if joined else content.title,
        *(content.unit, where.axis, layers),
        limit=line,
        colours=colours if fits else (),
        clock_hz=None if joined and content.adds_up else content.clock_hz,
        lines=lines,
        helps=_helps(content, layers),
    )


def fullest(
    picture: PlotPicture, where: Places, amounts: Array, *, limited: bool, baseline: bool = False
) -> Flag | None:
    """The mark of the place with the most; None if no place has more than the others."""
    known = amounts[~np.isnan(amounts)]
    if not len(known) or known.min() == known.max():
        return None
    place = int(np.argmax(np.where(np.isnan(amounts), -np.inf, amounts)))
    most, limit = float(amounts[place]), picture.limit
    over = limit is not None and most > limit.value
    return Flag(place, most, _name_of(where, place, limited=limited, baseline=baseline), baseline, over)


def _name_of(where: Places, place: int, *, limited: bool, baseline: bool) -> str:
    """What a mark is called: the tile, or the IPU where places are those."""
    if len(where.tiles) != len(where.first) - 1:
        return tr("baseline's IPU {ipu:,}", ipu=place) if baseline else tr("IPU {ipu:,}", ipu=place)
    tile = int(where.tiles[place])
    if baseline:
        return tr("baseline's tile {tile:,}", tile=tile)
    return tr("fullest: tile {tile:,}", tile=tile) if limited else tr("tile {tile:,}", tile=tile)


def _helps(content: Content, layers: list[tuple[str, Array]]) -> tuple[str, ...]:
    """The meaning of each layer; for merged ones, the list of them."""
    known = {title: about for _, title, _, about in content.parts}
    drawn = {title for title, _ in layers}
    joined = [title for _, title, values, _ in content.parts if title not in drawn and values.any()]
    return tuple(known.get(title, ", ".join(joined)) for title, _ in layers)


def histogram_of(content: Content, part: int, *, limit: bool = True) -> HistogramPicture | None:
    """How many tiles have how much of a part (-1: of all parts)."""
    values, title = amounts(content, part)
    top = float(content.limit) if limit and content.limit and part < 0 else None
    made = bins(values, top=top, binary=content.unit == "B")
    if made is None:
        return None
    line = Limit(content.limit, LIMIT_NAME) if limit and content.limit and part < 0 else None
    return HistogramPicture(title, made, content.unit, TILES, line, content.clock_hz)


def floor_of(content: Content, part: int, *, log: bool = False) -> FloorPicture:
    """The tiles as a grid, coloured by a part (-1: by all parts)."""
    values, title = amounts(content, part)
    return floor_picture(title, values, content.unit, content.per_ipu, log=log, clock_hz=content.clock_hz)


def amounts(content: Content, part: int) -> tuple[Array, str]:
    """(values of a part or of all parts, their name)."""
    if not 0 <= part < len(content.parts):
        return content.total, content.title
    _, title, values, _ = content.parts[part]
    return values, labelled(content.title, title)


def picture_of(profile: Profile, by: Breakdown, *, gaps: bool = True, limit: bool = True) -> PlotPicture | None:
    """The bars of a breakdown; None if the file lacks the data."""
    content = content_of(profile, Choice(by, TITLES[by]), gaps=gaps)
    return None if content is None else bars_of(content, places(content, "tile"), limit=limit)


def draw_bars(painter: QPainter, place: QRectF, profile: Profile, theme: Theme, by: Breakdown) -> None:
    picture = picture_of(profile, by)
    if picture is not None:
        draw_whole(painter, place, PlotScene(picture), Look(theme=theme))


def draw_content(painter: QPainter, place: QRectF, content: Content | None, theme: Theme) -> None:
    """Draws the bars of any content."""
    if content is not None:
        draw_whole(painter, place, PlotScene(bars_of(content, places(content, "tile"))), Look(theme=theme))


def draw_histogram_of(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    content = content_of(profile, Choice("none", TITLES["none"]))
    picture = None if content is None else histogram_of(content, -1)
    if picture is not None:
        look = Look(theme=theme)
        ChartPainter().draw_whole(painter, picture.chart(look), place, look)


def draw_floor_of(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    content = content_of(profile, Choice("none", TITLES["none"]))
    if content is not None and bool(np.any(~np.isnan(content.total))):
        draw_whole(painter, place, FloorScene(floor_of(content, -1)), Look(theme=theme))
