"""How roofs are told apart: each of a chart has a colour, a mark and a dash of its own, so that two of the three may be
lost (in print, to the eye) and they still differ."""

from __future__ import annotations

import math
from functools import lru_cache

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.panels.roofline.chart import Chart, Roof
from app.widgets.colours import apart
from app.widgets.theme import Theme

RADIUS = 6.0
DASHES: tuple[tuple[float, ...], ...] = ((), (6, 3), (1.5, 2.5), (8, 3, 1.5, 3), (14, 4), (8, 3, 1.5, 3, 1.5, 3))
"""Lengths of strokes and gaps in widths of the pen; none is a line without gaps."""
MARKS = ("circle", "square", "triangle", "diamond", "plus", "triangle down", "cross", "star")
_ARM = 0.36
"""Half the breadth of the arms of a plus, in radii."""


def place_in(chart: Chart, roof: Roof) -> int:
    """Which of the chart's roofs it is."""
    return next((place for place, other in enumerate(chart.roofs) if other.row == roof.row), 0)


def ink(chart: Chart, roof: Roof, theme: Theme) -> QColor:
    """Its colour: that of its name in all panels, unless it is near that of another roof of the chart."""
    return QColor(_inks(tuple(other.name for other in chart.roofs), theme)[place_in(chart, roof)])


@lru_cache(maxsize=64)
def _inks(names: tuple[str, ...], theme: Theme) -> tuple[str, ...]:
    return apart(names, theme)


def mark(chart: Chart, roof: Roof) -> str:
    """The shape of its point."""
    return MARKS[place_in(chart, roof) % len(MARKS)]


def dashes(chart: Chart, roof: Roof) -> tuple[float, ...]:
    """The dashes of its line: with the mark they make 48 different pairs."""
    place = place_in(chart, roof)
    return DASHES[(place + place // math.lcm(len(MARKS), len(DASHES))) % len(DASHES)]


def line_pen(chart: Chart, roof: Roof, colour: QColor) -> QPen:
    """The pen of its line."""
    pen = QPen(colour, 2, j=Qt.PenJoinStyle.RoundJoin)
    pattern = dashes(chart, roof)
    if pattern:
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(pattern)
    return pen


def draw_symbol(
    painter: QPainter, spot: QPointF, chart: Chart, roof: Roof, colour: QColor, theme: Theme, radius: float = RADIUS
) -> None:
    """The mark of a roof's point."""
    painter.setPen(QPen(QColor(theme.surface), 1.5))
    painter.setBrush(colour)
    painter.drawPath(mark_path(mark(chart, roof), radius).translated(spot))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def mark_path(name: str, radius: float) -> QPainterPath:
    """The outline of a mark around (0, 0)."""
    path = QPainterPath()
    if name == "circle":
        path.addEllipse(QPointF(), radius, radius)
        return path
    path.moveTo(_corners(name)[0] * radius)
    for corner in _corners(name)[1:]:
        path.lineTo(corner * radius)
    path.closeSubpath()
    return path


def _corners(name: str) -> list[QPointF]:
    """The corners of a mark of radius 1, clockwise; all marks have about the same area."""
    if name == "square":
        return _around(4, 1.35, math.pi / 4)
    if name == "diamond":
        return _around(4, 1.4)
    if name == "triangle":
        return _around(3, 1.4)
    if name == "triangle down":
        return _around(3, 1.4, math.pi)
    if name == "star":
        outer, inner = _around(5, 1.45), _around(5, 0.6, math.pi / 5)
        return [corner for pair in zip(outer, inner, strict=True) for corner in pair]
    reach = 1.3
    ends = ((_ARM, reach), (_ARM, _ARM), (reach, _ARM))
    quarter = [QPointF(x, -y) for x, y in ends]
    turned = [_turned(corner, turn * math.pi / 2) for turn in range(4) for corner in quarter]
    return [_turned(corner, math.pi / 4) for corner in turned] if name == "cross" else turned


def _around(count: int, size: float, turn: float = 0.0) -> list[QPointF]:
    """Corners on a circle, the first one at the top."""
    return [_turned(QPointF(0, -size), turn + 2 * math.pi * corner / count) for corner in range(count)]


def _turned(corner: QPointF, angle: float) -> QPointF:
    cos, sin = math.cos(angle), math.sin(angle)
    return QPointF(corner.x() * cos - corner.y() * sin, corner.x() * sin + corner.y() * cos)
