"""Draws differences per tile as bars that are stacked upwards and downwards from zero."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from PySide6.QtGui import QImage, QPainter

from app.profile.arrays import F64, U8, U32
from app.views.colours import blend
from app.views.plot.fold import Folded, fold, raster
from app.views.plot.picture import PlotPicture
from app.views.theme import Theme
from app.widgets.plot.layout import PlotLayout

LIGHTER = 0.45


def draw_signed(painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme, ratio: float) -> None:
    """Draws the visible bars. Where a pixel column covers several places, the part above zero shows the one that
    reaches highest, and the part below zero the one that reaches lowest; with one layer, lighter what not all reach."""
    height, width = max(1, round(layout.plot.height() * ratio)), max(1, round(layout.plot.width() * ratio))
    zero = min(max(round(layout.top / (layout.top - layout.bottom) * height), 0), height)
    up, down = _folded(picture, layout, width)
    pixels = np.zeros((height, width), np.uint32)
    if zero:
        pixels[:zero] = _half(picture, up, (layout.top, zero), 1, _colours(picture, theme, above=True))
    if height > zero:
        below = _half(picture, down, (-layout.bottom, height - zero), -1, _colours(picture, theme, above=False))
        pixels[zero:] = below[::-1]
    pixels[:, np.isnan(up.most)] = _packed(theme.no_data)
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(layout.plot, image)


def _folded(picture: PlotPicture, layout: PlotLayout, width: int) -> tuple[Folded, Folded]:
    """What the pixel columns show above zero, and (upright) below it."""
    span = layout.view.start, layout.view.end, width
    if len(picture.layers) > 1:
        return fold(picture.highs, *span), fold(-picture.lows, *span)
    both = fold(picture.totals, *span)
    most, least = np.maximum(both.most, 0.0), np.maximum(both.least, 0.0)
    up = replace(both, most=most, least=least)
    return up, replace(both, most=np.maximum(-both.least, 0.0), least=np.maximum(-both.most, 0.0))


def _half(picture: PlotPicture, folded: Folded, scale: tuple[float, int], sign: int, colours: U32) -> U32:
    """uint32[height, columns]: one direction, upright. ``scale``: the largest amount and the height."""
    reach, height = scale
    edges = [np.nan_to_num(folded.least), np.nan_to_num(folded.most)]
    if len(picture.layers) > 1:
        below, edges = np.zeros(len(folded.worst), np.float64), []
        for layer in picture.layers:
            below = below + np.maximum(sign * np.nan_to_num(np.asarray(layer[folded.worst], np.float64)), 0.0)
            edges.append(below)
    codes: U8 = raster(_rows(np.stack(edges[::-1]), reach, height), height)
    return np.take(colours, codes)


def _rows(amounts: F64, reach: float, height: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Pixel rows of amounts; positive ones are at least one pixel high."""
    rows = np.rint((1 - amounts / reach) * height)
    rows[(amounts > 0) & (rows >= height)] = height - 1
    return rows.astype(np.int64)


def _colours(picture: PlotPicture, theme: Theme, *, above: bool) -> U32:
    """uint32[256]: by the number of edges above a pixel."""
    fills = picture.fills(theme)
    if len(fills) == 1:
        own = theme.more if above else theme.less
        fills = (own, blend(theme.surface, own, LIGHTER))
    colours = np.zeros(256, np.uint32)
    for code, fill in enumerate(fills[::-1], start=1):
        colours[code] = _packed(fill)
    return colours


def _packed(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)
