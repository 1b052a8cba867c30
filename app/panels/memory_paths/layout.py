"""Geometry of the diagram, its legend and its notes, and hit testing."""

from __future__ import annotations

import math

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from app.analysis.ascend.diagram.parts import Arrow, Box, Diagram, Point, Rect
from app.views.span import Span
from app.widgets.plane.view import PlaneView

PAD = 8.0
SIDE_SHARE = 0.2
SIDE_EMS = (15.0, 17.0)
"""Least and greatest width of the side column, in widths of the letter m."""
WORTHWHILE = 1.05
"""Legend and notes are below the diagram if that makes it larger by more than this factor."""
LEGEND_LINES = 7
BELOW_LINES = (7, 18)
"""Least and greatest number of lines below the diagram; more than the least only if there is room."""
MOST_SCALE = 2.5
DEEPEST = 12.0
"""Greatest zoom factor."""
REACH = 7.0
"""An arrow is hit within this distance in pixels of the screen."""


class Layout(Struct, frozen=True):
    """``plot``: the visible area of the diagram; ``legend`` and ``notes`` beside or below it. A logical pixel of the
    diagram takes ``scale`` pixels; its upper left corner is at ``origin``."""

    plot: QRectF
    legend: QRectF
    notes: QRectF
    scale: float
    origin: QPointF

    def at(self, point: QPointF) -> Point:
        """The point of the diagram at a point of the screen."""
        return (point.x() - self.origin.x()) / self.scale, (point.y() - self.origin.y()) / self.scale


def lay_out(place: QRectF, diagram: Diagram, view: PlaneView, metrics: QFontMetricsF) -> Layout:
    """Divides ``place`` into its parts, and centres the visible part of the diagram in its area. Legend and notes are
    beside it, or below it where that leaves a larger diagram."""
    inside = place.adjusted(PAD, PAD, -PAD, -PAD)
    beside, below = _beside(inside, metrics), _below(inside, diagram, metrics)
    larger = _fit(below[0], diagram) > WORTHWHILE * _fit(beside[0], diagram)
    area, legend, notes = below if larger else beside
    scale = max(_fit(area, diagram), 1e-3) * view.x.size / view.x.width
    origin = QPointF(
        _edge(area.left(), area.width(), diagram.width * scale, _middle(view.x)),
        _edge(area.top(), area.height(), diagram.height * scale, _middle(view.y)),
    )
    return Layout(area, legend, notes, scale, origin)


def _fit(area: QRectF, diagram: Diagram) -> float:
    """The scale at which the whole diagram is visible in ``area``."""
    return min(area.width() / diagram.width, area.height() / diagram.height, MOST_SCALE)


def _beside(inside: QRectF, metrics: QFontMetricsF) -> tuple[QRectF, QRectF, QRectF]:
    """The areas of diagram, legend and notes, with these in a column at the right."""
    em, line = metrics.horizontalAdvance("m"), math.ceil(metrics.height())
    width = min(max(inside.width() * SIDE_SHARE, SIDE_EMS[0] * em), SIDE_EMS[1] * em)
    area = QRectF(inside.left(), inside.top(), max(inside.width() - width - 2 * PAD, 1.0), inside.height())
    legend = QRectF(area.right() + 2 * PAD, area.top(), width, LEGEND_LINES * line)
    notes = QRectF(legend.left(), legend.bottom() + PAD, width, max(area.bottom() - legend.bottom() - PAD, 0.0))
    return area, legend, notes


def _below(inside: QRectF, diagram: Diagram, metrics: QFontMetricsF) -> tuple[QRectF, QRectF, QRectF]:
    """The areas of diagram, legend and notes, with these in a row below."""
    line = math.ceil(metrics.height())
    used = min(inside.width() / diagram.width, MOST_SCALE) * diagram.height
    left = max(inside.height() - PAD - used, BELOW_LINES[0] * line)
    below = min(left, BELOW_LINES[1] * line, max(inside.height() / 2, inside.height() - PAD - used))
    area = QRectF(inside.left(), inside.top(), inside.width(), max(inside.height() - below - PAD, 1.0))
    half = (inside.width() - 2 * PAD) / 2
    legend = QRectF(area.left(), area.bottom() + PAD, half, below)
    notes = QRectF(legend.right() + 2 * PAD, legend.top(), half, below)
    return area, legend, notes


def _middle(span: Span) -> float:
    return (span.start + span.end) / 2 / span.size


def _edge(start: float, room: float, size: float, middle: float) -> float:
    """Where the diagram begins along one axis: centred if it fits, otherwise with ``middle`` (a share of its size) in
    the centre as far as no room is wasted."""
    if size <= room:
        return start + (room - size) / 2
    return min(max(start + room / 2 - size * middle, start + room - size), start)


def arrow_at(layout: Layout, arrows: list[Arrow], point: QPointF) -> Arrow | None:
    """The arrow nearest to ``point``, or the one whose label is under it."""
    x, y = layout.at(point)
    for arrow in arrows:
        if _inside(arrow.label, x, y):
            return arrow
    distances = [(distance_to(arrow, (x, y)), number) for number, arrow in enumerate(arrows)]
    nearest, number = min(distances, default=(math.inf, -1))
    return arrows[number] if nearest * layout.scale <= REACH else None


def box_at(layout: Layout, diagram: Diagram, point: QPointF) -> Box | None:
    """The box under ``point``."""
    x, y = layout.at(point)
    return next((box for box in diagram.boxes if _inside(box.rect, x, y)), None)


def distance_to(arrow: Arrow, point: Point) -> float:
    """Distance of ``point`` from the arrow's lines, in logical pixels."""
    return min(
        _from_segment(point, first, second)
        for line in arrow.lines
        for first, second in zip(line.points, line.points[1:], strict=False)
    )


def _inside(rect: Rect, x: float, y: float) -> bool:
    return rect.x <= x <= rect.right and rect.y <= y <= rect.bottom


def _from_segment(point: Point, first: Point, second: Point) -> float:
    (x, y), (ax, ay), (bx, by) = point, first, second
    length = (bx - ax) ** 2 + (by - ay) ** 2
    share = 0.0 if not length else min(max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0.0), 1.0)
    return math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))
