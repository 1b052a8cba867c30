"""Labels at lines and points: as many as fit without touching one another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPolygonF, QTransform

from app.views.chart.model import LineLabel
from app.widgets.chart.seen import Seen, Stretch
from app.widgets.texts import advance

AWAY = 9.0
AROUND_POINT = 8.0
SHARES = (0.5, 0.35, 0.65, 0.2, 0.8)
"""Positions along a segment where its label is tried."""


class PlacedLabel(Struct, frozen=True):
    """A text centred on ``middle``, rotated by ``angle`` degrees."""

    text: str
    middle: QPointF
    width: float
    height: float
    angle: float = 0.0

    @property
    def box(self) -> QRectF:
        """The rectangle before it is rotated and moved to its middle."""
        return QRectF(-self.width / 2, -self.height / 2, self.width, self.height)

    @property
    def outline(self) -> QPolygonF:
        """The rectangle it covers on screen."""
        return QTransform().translate(self.middle.x(), self.middle.y()).rotate(self.angle).map(QPolygonF(self.box))


Candidates: TypeAlias = Iterator[list[PlacedLabel]]
"""For each text, its candidate positions."""


def place_labels(seen: Seen, metrics: QFontMetricsF) -> list[PlacedLabel]:
    """Places labels at the ends of lines, then at points, then along lines; skips those that would touch another label
    or a point."""
    size = 2 * AROUND_POINT
    taken = [QPolygonF(QRectF(p.x() - AROUND_POINT, p.y() - AROUND_POINT, size, size)) for _, p in seen.spots]
    labels: list[PlacedLabel] = []
    texts: set[str] = set()
    for candidates in (*_ends(seen, metrics), *_beside_points(seen, metrics), *_along_lines(seen, metrics)):
        label = next((one for one in candidates if _free(one, seen, taken)), None)
        if label is not None and label.text not in texts:
            taken.append(label.outline)
            texts.add(label.text)
            labels.append(label)
    return labels


def _ends(seen: Seen, metrics: QFontMetricsF) -> Candidates:
    """Positions above or below the right end of a segment."""
    for label, (_, end) in _labelled(seen, "end"):
        width, height = _size(label.text, metrics)
        x = min(end.x(), seen.layout.plot.right()) - 4 - width / 2
        yield [
            PlacedLabel(label.text, QPointF(x, end.y() + side * (height / 2 + 3)), width, height) for side in (-1, 1)
        ]


def _beside_points(seen: Seen, metrics: QFontMetricsF) -> Candidates:
    """Positions right, left, below or above a point."""
    for one in seen.series:
        for label in one.series.labels:
            spot = seen.spot_of(one.series, label.segment) if label.where == "point" and label.text else None
            if spot is None:
                continue
            width, height = _size(label.text, metrics)
            across, up = AWAY + width / 2, AWAY + height / 2
            steps = ((across, 0.0), (-across, 0.0), (0.0, up), (0.0, -up))
            yield [PlacedLabel(label.text, spot + QPointF(x, y), width, height) for x, y in steps]


def _along_lines(seen: Seen, metrics: QFontMetricsF) -> Candidates:
    """Positions on the line itself, as contour lines are labelled."""
    for label, (start, end) in _labelled(seen, "along"):
        width, height = _size(label.text, metrics)
        run, rise = end.x() - start.x(), end.y() - start.y()
        if math.hypot(run, rise) < width + 16:
            continue
        angle = math.degrees(math.atan2(rise, run))
        middles = (QPointF(start.x() + run * share, start.y() + rise * share) for share in SHARES)
        yield [PlacedLabel(label.text, middle, width, height, angle) for middle in middles]


def _labelled(seen: Seen, where: str) -> Iterator[tuple[LineLabel, Stretch]]:
    """Labels of one kind with the visible part of their segment."""
    for one in seen.series:
        for label in one.series.labels:
            if label.where != where:
                continue
            stretch = one.stretches[label.segment]
            if stretch is not None:
                yield label, stretch


def _size(text: str, metrics: QFontMetricsF) -> tuple[float, float]:
    return advance(text, metrics) + 6, metrics.height()


def _free(label: PlacedLabel, seen: Seen, taken: list[QPolygonF]) -> bool:
    outline = label.outline
    inside = seen.layout.plot.contains(outline.boundingRect())
    return inside and not any(outline.intersects(other) for other in taken)
