"""Paints the arrows of chosen categories: curves while they are few, plain lines when they are many."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPen, QPolygonF

from app.widgets import colours
from app.widgets.texts import advance, shown_line
from app.widgets.theme import Theme
from app.widgets.timeline.flows_drawn import Drawn, drawn_of
from app.widgets.timeline.scene import Scene

MOST_CURVES = 150
FAINT = 150
"""Of 255: lines when there are many."""


def flow_colours(names: tuple[str, ...], theme: Theme) -> Mapping[str, str]:
    """The colour of each category; the same names always have the same."""
    return colours.palette(names, theme)


def paint_flows(painter: QPainter, scene: Scene) -> Drawn | None:
    """What is in sight of them; says so where that is not all."""
    if scene.flows is None or scene.centres is None:
        return None
    drawn = drawn_of(scene.flows, scene, scene.centres)
    chosen = flow_colours(scene.flows.names, scene.theme)
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    few = len(drawn.x0) <= MOST_CURVES
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, few)
    for place, name in enumerate(scene.flows.names):
        mine = np.flatnonzero(drawn.category == place)
        ends = zip(*(part[mine].tolist() for part in (drawn.x0, drawn.y0, drawn.x1, drawn.y1)), strict=True)
        colour = QColor(chosen[name])
        if few:
            for x0, y0, x1, y1 in ends:  # in two tones, so that it shows on every fill
                paint_curve(painter, x0, y0, x1, y1, QColor(scene.theme.surface), 3.4)
                paint_curve(painter, x0, y0, x1, y1, colour, 1.4)
        else:
            colour.setAlpha(FAINT)
            painter.setPen(QPen(colour, 0))
            painter.drawLines([QLineF(x0, y0, x1, y1) for x0, y0, x1, y1 in ends])
    painter.restore()
    say_more(painter, scene, drawn)
    return drawn


def paint_curve(painter: QPainter, x0: float, y0: float, x1: float, y1: float, colour: QColor, width: float) -> None:
    """A curve that leaves to the right and arrives from the left, with a head."""
    bend = min(max(abs(x1 - x0) / 2, 24.0), 160.0)
    path = QPainterPath(QPointF(x0, y0))
    path.cubicTo(QPointF(x0 + bend, y0), QPointF(x1 - bend, y1), QPointF(x1, y1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour, width))
    painter.drawPath(path)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(x1 + dx, y1 + dy) for dx, dy in ((0.0, 0.0), (-8.0, -4.0), (-8.0, 4.0))]))


def say_more(painter: QPainter, scene: Scene, drawn: Drawn) -> None:
    """How many arrows the lines stand for, where not each has its own."""
    if drawn.total <= len(drawn.x0):
        return
    about = "about " if drawn.estimated else ""
    text = f"{len(drawn.x0):,} lines for {about}{drawn.total:,} arrows; zoom in to tell them apart"
    metrics = QFontMetrics(painter.font())
    height = metrics.height() + 6
    body = scene.body
    width = min(advance(text, metrics) + 16.0, body.width)
    box = QRectF(body.x + body.width - width, body.y + body.height - height, width, height)
    painter.fillRect(box, QColor(scene.theme.raised))
    painter.setPen(QPen(QColor(scene.theme.text)))
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), shown_line(text))
