"""Marks and dashes, so that roofs are told apart without their colours."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.panels.roofline.chart import Chart, Roof
from app.widgets.theme import Theme

RADIUS = 6.0
PATTERNS = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DotLine)
CORNERS = (0, 4, 3, 5, 6)
"""0 is a circle; others stand on a corner or a side by turns."""


def pattern(chart: Chart, roof: Roof) -> Qt.PenStyle:
    """Roofs of one computing unit are drawn alike."""
    names = list(dict.fromkeys((other.compute_name, other.compute) for other in chart.roofs))
    return PATTERNS[names.index((roof.compute_name, roof.compute)) % len(PATTERNS)]


def draw_symbol(
    painter: QPainter, spot: QPointF, chart: Chart, roof: Roof, ink: QColor, theme: Theme, radius: float = RADIUS
) -> None:
    """The mark of a roof's point: each in its chart has another shape, as long as there are some."""
    number = [other.row for other in chart.roofs].index(roof.row)
    corners, turned = CORNERS[number % len(CORNERS)], number // len(CORNERS) % 2
    painter.setPen(QPen(QColor(theme.surface), 1.5))
    painter.setBrush(ink)
    if not corners:
        painter.drawEllipse(spot, radius, radius)
    else:
        size = radius * (1.25 if corners < 5 else 1.1)
        turn = -math.pi / 2 + (math.pi / corners if turned else 0.0)
        angles = [turn + 2 * math.pi * corner / corners for corner in range(corners)]
        painter.drawPolygon(
            QPolygonF([QPointF(spot.x() + size * math.cos(a), spot.y() + size * math.sin(a)) for a in angles])
        )
    painter.setBrush(Qt.BrushStyle.NoBrush)
