"""Draws plots of amounts per tile, for the screen and for export alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from app.profile.arrays import F64, I64, U32
from app.widgets.colours import blend
from app.widgets.display import Look
from app.widgets.plot.fold import Folded, fold, raster
from app.widgets.plot.groups import MARK, draw_groups, folds
from app.widgets.plot.picture import PlotPicture
from app.widgets.span import Span
from app.widgets.theme import Theme
from app.widgets.tile_axis import axis_height, draw_borders, draw_tile_axis
from app.widgets.timeline.ticks import multiples, nice_step
from app.widgets.units import Scale, format_value, scale_for

GAP = 8.0
HEADROOM = 1.06
TICK_SPACE = 40.0
SWATCH = 10.0
LEGEND_SHARE = 0.25
NO_DATA_CODE = 255
LIGHTER = 0.45


@dataclass(frozen=True, slots=True)
class PlotLayout:
    """``bars``: where amounts are drawn, 0 at its bottom and ``top`` at its top; ``legend`` is empty for one layer."""

    head: QRectF
    scale: QRectF
    bars: QRectF
    axis: QRectF
    legend: QRectF
    view: Span
    top: float

    def place_at(self, x: float) -> float:
        return self.view.start + (x - self.bars.left()) * self.view.width / max(self.bars.width(), 1.0)

    def x_of(self, place: float) -> float:
        return self.bars.left() + (place - self.view.start) * self.bars.width() / max(self.view.width, 1e-9)

    def y_of(self, amount: float) -> float:
        return self.bars.bottom() - amount / self.top * self.bars.height()

    def block_at(self, point: QPointF) -> range | None:
        """The places that the pixel column under ``point`` stands for; None beside the bars."""
        if not self.bars.contains(point):
            return None
        x, size = math.floor(point.x()), int(self.view.size)
        first = min(max(math.floor(self.place_at(x)), 0), size - 1)
        return range(first, min(max(math.floor(self.place_at(x + 1)), first + 1), size))


def amount_scale(picture: PlotPicture, look: Look) -> Scale:
    return scale_for(picture.top, picture.unit, look, picture.clock_hz)


def lay_out(place: QRectF, picture: PlotPicture, view: Span, look: Look, metrics: QFontMetricsF) -> PlotLayout:
    """The parts inside ``place``."""
    scale = amount_scale(picture, look)
    left = metrics.horizontalAdvance(scale.text(picture.top * HEADROOM)) + 2 * GAP
    legend = 0.0
    if len(picture.names) > 1:
        longest = max(metrics.horizontalAdvance(name) for name in picture.names)
        legend = min(longest + SWATCH + 3 * GAP, place.width() * LEGEND_SHARE)
    head = QRectF(place.left(), place.top(), place.width(), math.ceil(metrics.height()) + 8)
    below = axis_height(metrics, picture.axis)
    height = max(place.height() - head.height() - below, 1.0)
    width = max(place.width() - left - legend - GAP, 1.0)
    bars = QRectF(math.floor(place.left() + left), head.bottom(), math.floor(width), math.floor(height))
    return PlotLayout(
        head,
        QRectF(place.left(), bars.top(), left - GAP / 2, bars.height()),
        bars,
        QRectF(bars.left(), bars.bottom(), bars.width(), below),
        QRectF(bars.right() + GAP, bars.top(), legend, bars.height()),
        view,
        picture.top * HEADROOM or 1.0,
    )


def draw_plot(
    painter: QPainter, place: QRectF, picture: PlotPicture, look: Look, view: Span | None = None
) -> PlotLayout:
    """The whole picture (or what ``view`` sees of it) into ``place``; returns where everything lies."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    layout = lay_out(place, picture, view or Span.whole(picture.axis.size), look, metrics)
    theme = look.theme
    _draw_scale(painter, layout, picture, look, metrics)
    if picture.axis.size and picture.grouped:
        draw_groups(painter, layout.bars, layout.view, layout.top, picture, theme)
    elif picture.axis.size:
        _draw_bars(painter, layout, picture, theme, painter.device().devicePixelRatio())
    draw_borders(painter, layout.bars, layout.view.start, layout.view.end, picture.axis, theme)
    draw_tile_axis(painter, layout.axis, layout.view.start, layout.view.end, picture.axis, theme)
    _draw_limit(painter, layout, picture, look, metrics)
    _draw_legend(painter, layout, picture, theme, metrics)
    painter.setPen(QColor(theme.text))
    title = metrics.elidedText(picture.title, Qt.TextElideMode.ElideRight, layout.head.width() - 2 * GAP)
    flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    painter.drawText(layout.head.adjusted(GAP, 0, -GAP, 0), flags, title)
    return layout


def _draw_bars(painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme, ratio: float) -> None:
    height, width = max(1, round(layout.bars.height() * ratio)), max(1, round(layout.bars.width() * ratio))
    folded = fold(picture.totals, layout.view.start, layout.view.end, width)
    single = len(picture.layers) == 1
    edges = _edges(picture, folded, layout.top, height)
    if single:  # lighter between the most and the least of a column
        edges = np.concatenate((edges, _rows(folded.least[None, :], layout.top, height)))
    codes = raster(edges, height)
    codes[:, np.isnan(folded.most)] = NO_DATA_CODE
    fills = picture.fills(theme)
    drawn = (blend(theme.surface, fills[0], LIGHTER), fills[0]) if single else fills[::-1]
    colours = np.zeros(256, np.uint32)
    for code, fill in enumerate(drawn, start=1):
        colours[code] = _packed(fill)
    colours[NO_DATA_CODE] = _packed(theme.no_data)
    pixels: U32 = np.take(colours, codes)
    if not single:
        many = np.flatnonzero((folded.after - folded.first > 1) & (folded.least < folded.most))
        least = np.clip(_rows(folded.least[many], layout.top, height), 0, height - 1)
        pixels[least, many] = _packed(theme.text)
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(layout.bars, image)


def _edges(picture: PlotPicture, folded: Folded, top: float, height: int) -> I64:
    """Pixel rows of the upper edges, uppermost layer first."""
    stacked = np.zeros((len(picture.layers), len(folded.worst)), np.float64)
    below = np.zeros(len(folded.worst), np.float64)
    for number, layer in enumerate(picture.layers):
        below = below + np.nan_to_num(layer[folded.worst].astype(np.float64))
        stacked[number] = below
    return _rows(stacked[::-1], top, height)


def _rows(amounts: F64, top: float, height: int) -> I64:
    """Pixel rows of amounts (no data: the ground); what is above zero is at least one pixel high."""
    known = np.nan_to_num(amounts)
    rows = np.rint((1 - known / top) * height)
    rows[(known > 0) & (rows >= height)] = height - 1
    return rows.astype(np.int64)


def _packed(colour: str) -> int:
    return 0xFF000000 | int(colour[1:], 16)


def _draw_scale(
    painter: QPainter, layout: PlotLayout, picture: PlotPicture, look: Look, metrics: QFontMetricsF
) -> None:
    scale, theme = amount_scale(picture, look), look.theme
    step = nice_step(layout.top / scale.factor, max(1, int(layout.bars.height() / TICK_SPACE))) * scale.factor
    decimals = max(0, -math.floor(math.log10(step / scale.factor) + 1e-9)) if step > 0 else 0
    written = Scale(scale.factor, scale.suffix, min(decimals, 3))
    flags = Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value
    for amount in multiples(0.0, layout.top, step):
        y = layout.y_of(amount)
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(layout.bars.left(), y, layout.bars.right(), y))
        painter.setPen(QColor(theme.muted))
        box = QRectF(layout.scale.left(), y - metrics.height() / 2, layout.scale.width(), metrics.height())
        painter.drawText(box, flags, written.text(amount) if amount else "0")


def _draw_limit(
    painter: QPainter, layout: PlotLayout, picture: PlotPicture, look: Look, metrics: QFontMetricsF
) -> None:
    limit, theme = picture.limit, look.theme
    if limit is None:
        return
    y = layout.y_of(limit.value)
    painter.setPen(QPen(QColor(theme.error), 1))
    painter.drawLine(QLineF(layout.bars.left(), y, layout.bars.right(), y))
    text = f"{limit.name}: {format_value(limit.value, picture.unit, look, picture.clock_hz)}"
    width = metrics.horizontalAdvance(text) + 8
    box = QRectF(layout.bars.right() - width - 4, y - metrics.height() - 2, width, metrics.height())
    if box.top() < layout.head.bottom() - metrics.height():
        box.moveTop(y + 2)
    painter.fillRect(box, QColor(theme.surface))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value, text)


def _draw_legend(
    painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme, metrics: QFontMetricsF
) -> None:
    """The layers from the top of the stack to its bottom (or from left to right); what does not fit is counted."""
    if len(picture.names) < 2:
        return
    line = metrics.height() + 4
    room = max(1, int(layout.legend.height() / line))
    entries = list(zip(picture.names, picture.fills(theme), strict=True))[:: 1 if picture.grouped else -1]
    shown = entries if len(entries) <= room else entries[: room - 1]
    marks = picture.grouped and folds(picture, layout.view, layout.bars.width())
    flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    for number, (name, fill) in enumerate(shown):
        y = layout.legend.top() + number * line
        height = MARK if marks and number else SWATCH
        painter.fillRect(QRectF(layout.legend.left(), y + (line - height) / 2, SWATCH, height), QColor(fill))
        painter.setPen(QColor(theme.text))
        box = QRectF(layout.legend.left() + SWATCH + 6, y, layout.legend.width() - SWATCH - 6, line)
        painter.drawText(box, flags, metrics.elidedText(name, Qt.TextElideMode.ElideRight, box.width()))
    if len(shown) < len(entries):
        painter.setPen(QColor(theme.muted))
        box = QRectF(layout.legend.left(), layout.legend.top() + len(shown) * line, layout.legend.width(), line)
        painter.drawText(box, flags, f"and {len(entries) - len(shown)} more")
