"""Draws amounts per tile as overlaid lines: each layer from zero, and the sum of all."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.profile.arrays import F64
from app.widgets.plot.fold import fold
from app.widgets.plot.layout import PlotLayout
from app.widgets.plot.picture import PlotPicture
from app.widgets.theme import Theme

WIDTH = 1.5


def draw_lines(painter: QPainter, layout: PlotLayout, picture: PlotPicture, theme: Theme) -> None:
    """Draws one line per layer; a pixel column that covers several places shows the largest. No data is a gap."""
    painter.save()
    painter.setClipRect(layout.plot)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fills = picture.fills(theme)
    for layer, fill in zip(picture.layers, fills, strict=True):
        _draw(painter, layout, np.asarray(layer, np.float64), fill)
    if len(picture.layers) > 1:
        _draw(painter, layout, picture.totals, theme.text)
    painter.restore()


def _draw(painter: QPainter, layout: PlotLayout, amounts: F64, colour: str) -> None:
    painter.setPen(QPen(QColor(colour), WIDTH, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
    columns = max(round(layout.plot.width()), 1)
    most = fold(amounts, layout.view.start, layout.view.end, columns).most
    for first, after in stretches(most):
        heights = (layout.plot.bottom() - most[first:after] / layout.top * layout.plot.height()).tolist()
        left = layout.plot.left() + first + 0.5
        points = [QPointF(left + x, y) for x, y in enumerate(heights)]
        if len(points) == 1:  # Qt draws nothing for a single point, and data must not look like a gap
            points = [points[0] - QPointF(0.5, 0.0), points[0] + QPointF(0.5, 0.0)]
        painter.drawPolyline(QPolygonF(points))


def stretches(amounts: F64) -> list[tuple[int, int]]:
    """(first, after) of each run with data."""
    known = np.concatenate(([False], ~np.isnan(amounts), [False]))
    edges = np.flatnonzero(known[1:] != known[:-1]).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))
