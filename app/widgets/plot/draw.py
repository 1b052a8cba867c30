"""Draws plots of amounts per tile, also of differences on both sides of zero, on screen and for export."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from app.language import labelled
from app.profile.arrays import F64, I64, U8, U32
from app.views.colours import blend, packed
from app.views.look import Look, Theme
from app.views.plot import Folded, PlotPicture, fold, raster
from app.views.timeline.ticks import amount_ticks
from app.views.units import format_value
from app.widgets.plot.layout import GAP, PlotLayout, amount_scale
from app.widgets.plot.legend import draw_groups, draw_legend
from app.widgets.plot.outline import Flag, draw_dashes, draw_flags, draw_sides, flag_boxes
from app.widgets.texts import advance, elided
from app.widgets.tile_axis import draw_borders, draw_tile_axis

TICK_SPACE = 40.0
MORE_TICKS = 4
NO_DATA_CODE = 255
LIGHTER = 0.45


def draw_plot(
    painter: QPainter, layout: PlotLayout, picture: PlotPicture, look: Look, flags: Sequence[Flag] = ()
) -> None:
    """Draws the visible part of ``picture`` according to ``layout``, and ``flags`` over it."""
    metrics, theme = layout.metrics, look.theme
    _draw_scale(painter, layout, picture, look, metrics)
    if picture.axis.size and picture.grouped:
        draw_groups(painter, layout.plot, layout.view, layout.top, picture, theme)
    elif picture.axis.size and picture.lines:
        draw_lines(painter, layout, picture, theme)
    elif picture.axis.size and picture.signed:
        draw_signed(painter, layout, picture, theme, painter.device().devicePixelRatio())
    elif picture.axis.size:
        _draw_bars(painter, layout, picture, theme, painter.device().devicePixelRatio())
    if picture.sides is not None and picture.axis.size:
        draw_sides(painter, layout, picture, picture.sides, theme)
    draw_borders(painter, layout.plot, layout.view.start, layout.view.end, picture.axis, theme)
    draw_tile_axis(painter, layout.axis, layout.view.start, layout.view.end, picture.axis, theme)
    draw_limit(painter, layout, picture, look, flags)
    draw_legend(painter, layout, picture, theme)
    painter.setPen(QColor(theme.text))
    title = elided(picture.title, metrics, layout.head.width() - 2 * GAP)
    aligned = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    painter.drawText(layout.head.adjusted(GAP, 0, -GAP, 0), aligned, title)
    draw_flags(painter, layout, flags, theme)


def _draw_bars(painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme, ratio: float) -> None:
    height, width = max(1, round(layout.plot.height() * ratio)), max(1, round(layout.plot.width() * ratio))
    folded = fold(picture.totals, layout.view.start, layout.view.end, width)
    single = len(picture.layers) == 1
    edges = _edges(picture, folded, layout.top, height)
    if single:  # lighter between the largest and the smallest of a column
        edges = np.concatenate((edges, _rows(folded.least[None, :], layout.top, height)))
    codes = raster(edges, height)
    codes[:, np.isnan(folded.most)] = NO_DATA_CODE
    fills = picture.fills(theme)
    drawn = (blend(theme.surface, fills[0], LIGHTER), fills[0]) if single else fills[::-1]
    colours = np.zeros(256, np.uint32)
    for code, fill in enumerate(drawn, start=1):
        colours[code] = packed(fill)
    colours[NO_DATA_CODE] = packed(theme.no_data)
    pixels: U32 = np.take(colours, codes)
    if single and picture.limit is not None:
        over = pixels[: max(0, int(_rows(np.array([picture.limit.value], np.float64), layout.top, height)[0]))]
        over[(codes[: len(over)] > 0) & (codes[: len(over)] != NO_DATA_CODE)] = packed(theme.error)
    if not single:
        many = np.flatnonzero((folded.after - folded.first > 1) & (folded.least < folded.most))
        least = np.clip(_rows(folded.least[many], layout.top, height), 0, height - 1)
        pixels[least, many] = packed(theme.text)
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(layout.plot, image)


def _edges(picture: PlotPicture, folded: Folded, top: float, height: int) -> I64:
    """Pixel rows of the upper edges of the layers, topmost layer first (int64[layers, columns])."""
    stacked = np.zeros((len(picture.layers), len(folded.worst)), np.float64)
    below = np.zeros(len(folded.worst), np.float64)
    for number, layer in enumerate(picture.layers):
        below = below + np.nan_to_num(layer[folded.worst].astype(np.float64))
        stacked[number] = below
    return _rows(stacked[::-1], top, height)


def _rows(amounts: F64, top: float, height: int) -> I64:
    """Pixel rows of amounts (no data: the bottom); positive amounts are at least one pixel high."""
    known = np.nan_to_num(amounts)
    rows = np.rint((1 - known / top) * height)
    rows[(known > 0) & (rows >= height)] = height - 1
    return rows.astype(np.int64)


def _draw_scale(
    painter: QPainter, layout: PlotLayout, picture: PlotPicture, look: Look, metrics: QFontMetricsF
) -> None:
    scale, theme = amount_scale(picture, look), look.theme
    flags = Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value
    count = max(1, int(layout.plot.height() / TICK_SPACE))
    more = (amount_ticks(layout.bottom, layout.top, scale, most) for most in range(count, count + MORE_TICKS))
    ticks = next((some for some in more if len(some) > 1), [])  # zero alone says nothing of the size
    for amount, text in ticks:
        y = layout.y_of(amount)
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(layout.plot.left(), y, layout.plot.right(), y))
        painter.setPen(QColor(theme.muted))
        box = QRectF(layout.scale.left(), y - metrics.height() / 2, layout.scale.width(), metrics.height())
        painter.drawText(box, flags, text)


def limit_box(layout: PlotLayout, title: str, width: float, y: float, *, over: bool) -> QRectF:
    """Where the label of a limit at ``y`` stands, ``width`` pixels wide: above the line, or below it where it would
    cover the title; beside the title if bars reach ``over`` the limit and there is room."""
    metrics, head = layout.metrics, layout.head
    box = QRectF(layout.plot.right() - width - 4, y - metrics.height() - 2, width, metrics.height())
    beside = advance(title, metrics) + 4 * GAP + width <= layout.plot.right() - head.left()
    if over and beside:
        box.moveTop(head.center().y() - box.height() / 2)
    elif box.top() < (head.bottom() - metrics.height() if beside else head.center().y() + metrics.height() / 2):
        box.moveTop(y + 2)
    return box


def beside_flags(box: QRectF, layout: PlotLayout, flags: Sequence[Flag]) -> QRectF:
    """``box`` moved to the left of the flags that it would cover, if there is room."""
    for mark in (part for flag in flags for part in flag_boxes(layout, flag) or ()):
        left = mark.left() - GAP - box.width()
        if box.intersects(mark) and left >= layout.plot.left():
            box = QRectF(left, box.top(), box.width(), box.height())
    return box


def draw_limit(
    painter: QPainter, layout: PlotLayout, picture: PlotPicture, look: Look, flags: Sequence[Flag] = ()
) -> None:
    """Draws the line of the limit with its label, which leaves room for ``flags``, and that of the baseline."""
    _draw_baseline_limit(painter, layout, picture, look)
    limit, theme, metrics = picture.limit, look.theme, layout.metrics
    if limit is None:
        return
    y = layout.y_of(limit.value)
    painter.setPen(QPen(QColor(theme.error), 1))
    painter.drawLine(QLineF(layout.plot.left(), y, layout.plot.right(), y))
    text = labelled(limit.name, format_value(limit.value, picture.unit, look, picture.clock_hz))
    over = bool(np.any(picture.totals > limit.value))
    box = limit_box(layout, picture.title, advance(text, metrics) + 8, y, over=over)
    box = beside_flags(box, layout, flags)
    painter.fillRect(box, QColor(theme.surface))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value, text)


def _draw_baseline_limit(painter: QPainter, layout: PlotLayout, picture: PlotPicture, look: Look) -> None:
    """Draws the limit of the baseline dashed, with its label at the left."""
    limit, metrics = picture.baseline_limit, layout.metrics
    if limit is None:
        return
    y = layout.y_of(limit.value)
    draw_dashes(painter, [QPointF(layout.plot.left(), y), QPointF(layout.plot.right(), y)], look.theme)
    text = labelled(limit.name, format_value(limit.value, picture.unit, look, picture.clock_hz))
    box = QRectF(layout.plot.left() + 4, y - metrics.height() - 2, advance(text, metrics) + 8, metrics.height())
    if box.top() < layout.head.bottom() - metrics.height():
        box.moveTop(y + 2)
    painter.fillRect(box, QColor(look.theme.surface))
    painter.setPen(QColor(look.theme.baseline))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value, text)


WIDTH = 1.5


def draw_lines(painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme) -> None:
    """Draws one line per layer; a pixel column that covers several places shows the largest. No data is a gap."""
    painter.save()
    painter.setClipRect(layout.plot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fills = picture.fills(theme)
    for layer, fill in zip(picture.layers, fills, strict=True):
        _draw(painter, layout, np.asarray(layer, np.float64), fill)
    if len(picture.layers) > 1:
        _draw(painter, layout, picture.totals, theme.text)
    painter.restore()


def _draw(painter: QPainter, layout: PlotLayout, amounts: F64, colour: str) -> None:
    painter.setPen(QPen(QColor(colour), WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    columns = max(round(layout.plot.width()), 1)
    most = fold(amounts, layout.view.start, layout.view.end, columns).most
    for first, after in stretches(most):
        share = (most[first:after] - layout.bottom) / (layout.top - layout.bottom)
        heights = (layout.plot.bottom() - share * layout.plot.height()).tolist()
        left = layout.plot.left() + first + 0.5
        points = [QPointF(left + x, y) for x, y in enumerate(heights)]
        if len(points) == 1:  # Qt draws nothing for a single point, and data must not look like a gap
            points = [points[0] - QPointF(0.5, 0.0), points[0] + QPointF(0.5, 0.0)]
        painter.drawPolyline(QPolygonF(points))


def stretches(amounts: F64) -> list[tuple[int, int]]:
    """(first, after) of each run with data."""
    known = np.concatenate(([False], ~np.isnan(amounts), [False]))
    edges = np.flatnonzero(known[1:] != known[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


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
    pixels[:, np.isnan(up.most)] = packed(theme.no_data)
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


def _colours(picture: PlotPicture, theme: Theme, *, above: bool) -> U32:
    """uint32[256]: by the number of edges above a pixel."""
    fills = picture.fills(theme)
    if len(fills) == 1:
        own = theme.more if above else theme.less
        fills = (own, blend(theme.surface, own, LIGHTER))
    colours = np.zeros(256, np.uint32)
    for code, fill in enumerate(fills[::-1], start=1):
        colours[code] = packed(fill)
    return colours
