"""Symbols of series: each series of a chart has its own colour, mark and dashes, so that they still differ if two of
the three are lost (in print, to the eye)."""

from __future__ import annotations

import math
from functools import lru_cache

from msgspec import Struct
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainterPath, QPen

from app.views.chart.model import Chart, Series
from app.views.colours import apart
from app.views.look import Theme

RADIUS = 6.0
LINE_WIDTH = 2.0
EDGE_WIDTH = 1.5
DASHES: tuple[tuple[float, ...], ...] = ((), (6, 3), (1.5, 2.5), (8, 3, 1.5, 3), (14, 4), (8, 3, 1.5, 3, 1.5, 3))
"""Lengths of dashes and gaps in pen widths; () is a solid line."""
MARKS = ("circle", "square", "triangle", "diamond", "plus", "triangle down", "cross", "star")
_ARM = 0.36
"""Half the width of the arms of a plus, in radii."""


class Ink(Struct, frozen=True):
    """The look of a series: ``mark`` "" draws no points, ``width`` 0 no line."""

    colour: str
    mark: str
    dashes: tuple[float, ...]
    width: float = LINE_WIDTH
    radius: float = RADIUS

    def pen(self) -> QPen:
        """The pen of its line; its dashes scale with its width."""
        if not self.width:
            return QPen(Qt.PenStyle.NoPen)
        pen = QPen(QColor(self.colour), self.width, j=Qt.PenJoinStyle.RoundJoin)
        if self.dashes:
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            pen.setDashPattern(self.dashes)
        return pen

    def path(self) -> QPainterPath:
        """The outline of its mark around (0, 0)."""
        return mark_path(self.mark, self.radius)


def ink(chart: Chart, series: Series, theme: Theme) -> Ink:
    """The look of a series: its own style; else the colour of its name in all panels, unless that is close to the
    colour of another series of the chart. Marks and dashes make 48 different pairs."""
    style = series.style
    if style is not None:
        return Ink(style.colour(theme), style.mark, style.dashes, style.width, style.radius)
    number = chart.numbers[series.item]
    dashes = DASHES[(number + number // math.lcm(len(MARKS), len(DASHES))) % len(DASHES)]
    return Ink(_colours(chart.names, theme)[number], MARKS[number % len(MARKS)], dashes)


@lru_cache(maxsize=64)
def _colours(names: tuple[str, ...], theme: Theme) -> tuple[str, ...]:
    return apart(names, theme)


@lru_cache(maxsize=64)
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
