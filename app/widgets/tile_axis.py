"""The tile axis under plots and heat maps: numbers, IPU boundaries, and the range shown."""

from __future__ import annotations

import math

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.views.axis import TileAxis
from app.views.look import Theme
from app.views.timeline.ticks import multiples, nice_step
from app.widgets.texts import advance

LABEL_SPACE = 72.0
TICK = 4.0
GROUP_LEAST = 36.0
"""Pixels: an IPU narrower than this gets a boundary but no name."""
APART = 4.0
"""Pixels: IPUs narrower than this get no boundaries either."""


def axis_height(metrics: QFontMetricsF, axis: TileAxis) -> float:
    """Height in pixels of the numbers, plus a line for group names if there are several groups."""
    lines = 2 if axis.borders() else 1
    return math.ceil(TICK + 2 + lines * metrics.height())


def draw_tile_axis(painter: QPainter, place: QRectF, start: float, end: float, axis: TileAxis, theme: Theme) -> None:
    """Draws the axis for the places start..end into ``place``; the tick of a place is at its middle."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    scale = place.width() / max(end - start, 1e-9)
    painter.setPen(QPen(QColor(theme.line), 0))
    painter.drawLine(QLineF(place.topLeft(), place.topRight()))
    step = max(1.0, nice_step(end - start, int(place.width() / LABEL_SPACE)))
    baseline = place.top() + TICK + 2
    title = axis.title + " "
    free_from = place.left()
    for number in multiples(max(start, 0.0), min(end, axis.size - 1), step):
        x = place.left() + (number + 0.5 - start) * scale
        if not place.left() <= x <= place.right():
            continue
        text = f"{title if free_from == place.left() else ''}{number:,.0f}"
        width = advance(text, metrics)
        left = min(max(x - width / 2, place.left()), place.right() - width)
        if left < free_from:
            continue
        painter.setPen(QPen(QColor(theme.line), 0))
        painter.drawLine(QLineF(x, place.top(), x, place.top() + TICK))
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(left, baseline, width + 1, metrics.height()), Qt.AlignmentFlag.AlignLeft.value, text)
        free_from = left + width + 8
    _draw_groups(painter, place, start, scale, axis, theme, metrics)


def _draw_groups(
    painter: QPainter, place: QRectF, start: float, scale: float, axis: TileAxis, theme: Theme, metrics: QFontMetricsF
) -> None:
    """Draws the IPU names, each centred on the visible part of its IPU."""
    if not axis.borders() or axis.group * scale < GROUP_LEAST:
        return
    top = place.top() + TICK + 2 + metrics.height()
    painter.setPen(QColor(theme.muted))
    end = start + place.width() / scale
    for first in range(int(start // axis.group) * axis.group, math.ceil(min(end, axis.size)), axis.group):
        left = max(place.left(), place.left() + (first - start) * scale)
        right = min(place.right(), place.left() + (min(first + axis.group, axis.size) - start) * scale)
        if right - left >= GROUP_LEAST:
            text = f"{axis.group_title} {first // axis.group}"
            spot = QRectF(left, top, right - left, metrics.height())
            painter.drawText(spot, Qt.AlignmentFlag.AlignHCenter.value | Qt.TextFlag.TextSingleLine.value, text)


def draw_borders(painter: QPainter, place: QRectF, start: float, end: float, axis: TileAxis, theme: Theme) -> None:
    """Draws dotted lines over a plot at the boundaries between IPUs."""
    scale = place.width() / max(end - start, 1e-9)
    if axis.group * scale < APART:
        return
    painter.setPen(QPen(QColor(theme.muted), 0, Qt.PenStyle.DotLine))
    for border in axis.borders(start, end):
        x = place.left() + (border - start) * scale
        if place.left() < x < place.right():
            painter.drawLine(QLineF(x, place.top(), x, place.bottom()))
