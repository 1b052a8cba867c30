"""Where the diagram, its legend and its notes lie, and what lies under a point."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from app.analysis.ascend.diagram.parts import Arrow, Box, Diagram, Point, Rect
from app.widgets.plane.view import PlaneView
from app.widgets.span import Span

PAD = 8.0
SIDE_SHARE = 0.2
SIDE_EMS = (15.0, 17.0)
"""The column at the side is this many letters m wide, at the least and at the most."""
SIDE_ASPECT = 1.7
"""A place that is wider than this (over its height) has legend and notes at its side, else below."""
LEGEND_LINES = 7
BELOW_LINES = (7, 18)
"""Under the diagram, at the least, and at the most where it leaves room."""
MOST_SCALE = 2.5
DEEPEST = 12.0
"""How far it zooms in."""
REACH = 7.0
"""So near (in pixels of the screen) to an arrow, the pointer means it."""


@dataclass(frozen=True, slots=True)
class Layout:
    """``plot``: where the diagram is seen; ``legend`` and ``notes`` beside or below it. A logical pixel of the
    diagram is ``scale`` pixels; its upper left corner lies at ``origin``."""

    plot: QRectF
    legend: QRectF
    notes: QRectF
    scale: float
    origin: QPointF

    def at(self, point: QPointF) -> Point:
        """A point of the screen in the diagram."""
        return (point.x() - self.origin.x()) / self.scale, (point.y() - self.origin.y()) / self.scale


def lay_out(place: QRectF, diagram: Diagram, view: PlaneView, metrics: QFontMetricsF) -> Layout:
    """The parts inside ``place``; what is seen of the diagram in the middle of its area."""
    em, line = metrics.horizontalAdvance("m"), math.ceil(metrics.height())
    inside = place.adjusted(PAD, PAD, -PAD, -PAD)
    if inside.width() >= SIDE_ASPECT * inside.height():
        width = min(max(inside.width() * SIDE_SHARE, SIDE_EMS[0] * em), SIDE_EMS[1] * em)
        area = QRectF(inside.left(), inside.top(), max(inside.width() - width - 2 * PAD, 1.0), inside.height())
        legend = QRectF(area.right() + 2 * PAD, area.top(), width, LEGEND_LINES * line)
        notes = QRectF(legend.left(), legend.bottom() + PAD, width, max(area.bottom() - legend.bottom() - PAD, 0.0))
    else:
        used = min(inside.width() / diagram.width, MOST_SCALE) * diagram.height
        left = max(inside.height() - PAD - used, BELOW_LINES[0] * line)
        below = min(left, BELOW_LINES[1] * line, max(inside.height() / 2, inside.height() - PAD - used))
        area = QRectF(inside.left(), inside.top(), inside.width(), max(inside.height() - below - PAD, 1.0))
        half = (inside.width() - 2 * PAD) / 2
        legend = QRectF(area.left(), area.bottom() + PAD, half, below)
        notes = QRectF(legend.right() + 2 * PAD, legend.top(), half, below)
    fit = min(area.width() / diagram.width, area.height() / diagram.height, MOST_SCALE)
    scale = max(fit, 1e-3) * view.x.size / view.x.width
    origin = QPointF(
        _edge(area.left(), area.width(), diagram.width * scale, _middle(view.x)),
        _edge(area.top(), area.height(), diagram.height * scale, _middle(view.y)),
    )
    return Layout(area, legend, notes, scale, origin)


def _middle(span: Span) -> float:
    return (span.start + span.end) / 2 / span.size


def _edge(start: float, room: float, size: float, middle: float) -> float:
    """Where a side of the diagram begins: in the middle if there is room, else so that ``middle``, a share of it, is
    seen in the middle and nothing is wasted."""
    if size <= room:
        return start + (room - size) / 2
    return min(max(start + room / 2 - size * middle, start + room - size), start)


def arrow_at(layout: Layout, arrows: list[Arrow], point: QPointF) -> Arrow | None:
    """The arrow that is nearest to ``point``, or whose label lies under it."""
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
    """How far ``point`` lies from the arrow's lines, in logical pixels."""
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
