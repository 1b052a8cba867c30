"""Names at roofs and points: as many as fit without touching one another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF, QPolygonF, QTransform

from app.panels.roofline.chart import Chart, Roof
from app.panels.roofline.words import roof_label, slope_label
from app.widgets.plane.view import PlaneLayout
from app.widgets.texts import advance

AWAY = 9.0
AROUND_POINT = 8.0
SHARES = (0.5, 0.35, 0.65, 0.2, 0.8)
"""Where along a slope its name is tried."""


@dataclass(frozen=True, slots=True)
class Label:
    """A text around ``middle``, turned by ``angle`` degrees; ``row`` of the roof that it belongs to."""

    text: str
    middle: QPointF
    width: float
    height: float
    row: int
    angle: float = 0.0

    @property
    def box(self) -> QRectF:
        """Before it is turned and put around its middle."""
        return QRectF(-self.width / 2, -self.height / 2, self.width, self.height)

    @property
    def place(self) -> QPolygonF:
        """What it covers."""
        return QTransform().translate(self.middle.x(), self.middle.y()).rotate(self.angle).map(QPolygonF(self.box))


Candidates: TypeAlias = Iterator[list[Label]]
"""For each text, the places where it may stand."""


def x_place(chart: Chart, decade: float) -> float:
    return decade - chart.x[0]


def y_place(chart: Chart, decade: float) -> float:
    return decade - chart.y[0]


def place_labels(
    layout: PlaneLayout, chart: Chart, roofs: list[Roof], spots: dict[int, QPointF], metrics: QFontMetricsF
) -> list[Label]:
    """Names of flat roofs, then of points, then of slopes; what would touch another, or a point, is left out."""
    size = 2 * AROUND_POINT
    taken = [QPolygonF(QRectF(p.x() - AROUND_POINT, p.y() - AROUND_POINT, size, size)) for p in spots.values()]
    found: list[Label] = []
    texts: set[str] = set()
    for tried in (
        *_flat(layout, chart, roofs, metrics),
        *_beside(roofs, spots, metrics),
        *_slopes(layout, chart, roofs, metrics),
    ):
        label = next((one for one in tried if _free(one, layout, taken)), None)
        if label is not None and label.text not in texts:
            taken.append(label.place)
            texts.add(label.text)
            found.append(label)
    return found


def slope_seen(layout: PlaneLayout, chart: Chart, roof: Roof) -> tuple[QPointF, QPointF]:
    """The ends of the slanted part, as far as it lies inside the plot."""
    view = layout.view
    ridge, height = x_place(chart, math.log10(roof.ridge)), y_place(chart, math.log10(roof.compute))
    left = min(max(view.x.start, ridge - (height - view.y.start)), ridge)
    start = QPointF(layout.x_of(left), layout.y_of(height - (ridge - left)))
    return start, QPointF(layout.x_of(ridge), layout.y_of(height))


def _flat(layout: PlaneLayout, chart: Chart, roofs: list[Roof], metrics: QFontMetricsF) -> Candidates:
    """Over the right end of each flat roof, or under it."""
    for roof in roofs:
        text = roof_label(roof)
        width, height = _size(text, metrics)
        y = layout.y_of(y_place(chart, math.log10(roof.compute)))
        x = layout.plot.right() - 4 - width / 2
        yield [Label(text, QPointF(x, y + side * (height / 2 + 3)), width, height, roof.row) for side in (-1, 1)]


def _beside(roofs: list[Roof], spots: dict[int, QPointF], metrics: QFontMetricsF) -> Candidates:
    """Right, left, below or above a point."""
    for roof in roofs:
        if roof.row not in spots or not roof.name:
            continue
        spot = spots[roof.row]
        width, height = _size(roof.name, metrics)
        across, up = AWAY + width / 2, AWAY + height / 2
        steps = ((across, 0.0), (-across, 0.0), (0.0, up), (0.0, -up))
        yield [Label(roof.name, QPointF(spot.x() + x, spot.y() + y), width, height, roof.row) for x, y in steps]


def _slopes(layout: PlaneLayout, chart: Chart, roofs: list[Roof], metrics: QFontMetricsF) -> Candidates:
    """On the slope itself, as contour lines are labelled."""
    for roof in roofs:
        text = slope_label(roof)
        width, height = _size(text, metrics)
        start, end = slope_seen(layout, chart, roof)
        run, rise = end.x() - start.x(), end.y() - start.y()
        length = math.hypot(run, rise)
        if length < width + 16:
            continue
        angle = math.degrees(math.atan2(rise, run))
        middles = (QPointF(start.x() + run * share, start.y() + rise * share) for share in SHARES)
        yield [Label(text, middle, width, height, roof.row, angle) for middle in middles]


def _size(text: str, metrics: QFontMetricsF) -> tuple[float, float]:
    return advance(text, metrics) + 6, metrics.height()


def _free(label: Label, layout: PlaneLayout, taken: list[QPolygonF]) -> bool:
    place = label.place
    return layout.plot.contains(place.boundingRect()) and not any(place.intersects(other) for other in taken)
