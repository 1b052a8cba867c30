"""Draws what a plot shows of the baseline: its total as a dashed outline, and which places only one side has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from app.profile.arrays import F64, Bool
from app.widgets.heat.marks import runs
from app.widgets.plot.fold import fold
from app.widgets.plot.layout import PlotLayout
from app.widgets.plot.picture import PlotPicture
from app.widgets.plot.sides import Sides
from app.widgets.theme import Theme

WIDTH = 1.5
HALO = 3.5
DASHES = (4.0, 2.5)
STRIP = 6.0
"""Height in pixels of the marks of places that only one side has."""


def draw_sides(painter: QPainter, layout: PlotLayout, picture: PlotPicture, sides: Sides, theme: Theme) -> None:
    """Draws the outline of the baseline over bars or lines, and the marks."""
    if picture.signed:
        painter.setPen(QPen(QColor(theme.text), 0))
        painter.drawLine(QLineF(layout.plot.left(), layout.y_of(0.0), layout.plot.right(), layout.y_of(0.0)))
    else:
        draw_outline(painter, layout, sides.before, theme)
    for places, before in ((sides.only_before, True), (sides.only_after, False)):
        for left, right in marked(layout, places):
            draw_hatch(painter, QRectF(left, layout.plot.top(), right - left, STRIP), theme, before=before)


def draw_outline(painter: QPainter, layout: PlotLayout, amounts: F64, theme: Theme) -> None:
    """Draws a dashed outline as high as ``amounts``; a pixel column that covers several places shows the largest. No
    data is a gap."""
    painter.save()
    painter.setClipRect(layout.plot)
    for corners in outline_of(layout, amounts):
        draw_dashes(painter, corners, theme)
    painter.restore()


def outline_of(layout: PlotLayout, amounts: F64) -> list[list[QPointF]]:
    """The corners of the outline, for each stretch with data: a step for each pixel column, or for each place where
    those are wider."""
    columns = max(round(layout.plot.width()), 1)
    most = fold(amounts, layout.view.start, layout.view.end, columns).most
    changed = np.flatnonzero(np.diff(most) != 0) + 1  # NaN differs from itself
    edges = np.concatenate(([0], changed, [columns]))
    lines: list[list[QPointF]] = []
    last = -1
    for first, after in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if np.isnan(most[first]):
            continue
        y = layout.y_of(float(most[first]))
        if last != first or not lines:
            lines.append([])
        lines[-1] += [QPointF(layout.plot.left() + first, y), QPointF(layout.plot.left() + after, y)]
        last = after
    return lines


def draw_dashes(painter: QPainter, corners: Sequence[QPointF], theme: Theme) -> None:
    """Draws a dashed line in the colour of the baseline that is visible on every fill."""
    line = QPolygonF(list(corners))
    painter.setPen(QPen(QColor(theme.surface), HALO, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    painter.drawPolyline(line)
    pen = QPen(QColor(theme.baseline), WIDTH, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(DASHES)
    painter.setPen(pen)
    painter.drawPolyline(line)


def draw_hatch(painter: QPainter, box: QRectF, theme: Theme, *, before: bool) -> None:
    """Draws the mark of places that only the baseline (``before``) or only the comparison has."""
    pattern = Qt.BrushStyle.BDiagPattern if before else Qt.BrushStyle.FDiagPattern
    painter.fillRect(box, QColor(theme.surface))
    painter.fillRect(box, QBrush(QColor(theme.baseline), pattern))


def marked(layout: PlotLayout, places: Bool) -> list[tuple[float, float]]:
    """(left, right) of the runs of pixel columns that show any of ``places``."""
    if not bool(places.any()):
        return []
    columns = max(round(layout.plot.width()), 1)
    most = fold(places.astype(np.float64), layout.view.start, layout.view.end, columns).most
    left = layout.plot.left()
    return [(left + first, left + last + 1) for first, last in runs(np.flatnonzero(most > 0))]
