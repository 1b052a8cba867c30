"""The layout of a heat map: margins with totals, cells, and the cell under a point."""

from __future__ import annotations

import math

from msgspec import Struct, field
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from app.views.look import Look
from app.widgets.heat.picture import HeatPicture
from app.widgets.plane.view import PlaneView
from app.widgets.texts import advance
from app.widgets.tile_axis import axis_height

GAP = 8.0
TALLEST_ROW = 28.0
WIDEST_NAMES = 0.28
NAME_SAMPLE = 61
MARGIN_HEIGHT = 22.0
LEAST_FOR_MARGINS = 420.0
"""Pixels: a narrower picture has no margins; the table has their values."""


class HeatLayout(Struct, frozen=True, eq=False):
    """``head``: title and legend; ``names``: row names; ``plot``: the cells; ``axis``: tiles; ``beside``, ``above``:
    values of whole rows and columns, empty if there are none; ``metrics``: of the font it was laid out for. In
    ``view``, y grows downwards."""

    head: QRectF
    names: QRectF
    plot: QRectF
    axis: QRectF
    view: PlaneView
    metrics: QFontMetricsF
    beside: QRectF = field(default_factory=QRectF)
    above: QRectF = field(default_factory=QRectF)

    def at(self, point: QPointF) -> tuple[float, float]:
        """The column and row under a screen point."""
        return self.column_at(point.x()), self.row_at(point.y())

    def row_at(self, y: float) -> float:
        return self.view.y.start + (y - self.plot.top()) * self.view.y.width / max(self.plot.height(), 1.0)

    def column_at(self, x: float) -> float:
        return self.view.x.start + (x - self.plot.left()) * self.view.x.width / max(self.plot.width(), 1)

    def y_of(self, row: float) -> float:
        return self.plot.top() + (row - self.view.y.start) * self.plot.height() / max(self.view.y.width, 1e-9)

    def x_of(self, column: float) -> float:
        span = self.view.x
        return self.plot.left() + (column - span.start) * self.plot.width() / max(span.width, 1e-9)

    def block_at(self, point: QPointF) -> tuple[range, range] | None:
        """The rows and columns that the pixel under ``point`` covers; None outside the cells."""
        if not self.plot.contains(point):
            return None
        return self.rows_at(point.y()), self.columns_at(point.x())

    def rows_at(self, y: float) -> range:
        """The rows that a row of pixels covers."""
        return _cells(self.row_at(math.floor(y)), self.row_at(math.floor(y) + 1), self.view.y.size)

    def columns_at(self, x: float) -> range:
        return _cells(self.column_at(math.floor(x)), self.column_at(math.floor(x) + 1), self.view.x.size)

    def beside_rows(self, point: QPointF) -> bool:
        """Whether a point is on the name or the value of a whole row."""
        return self.names.contains(point) or self.beside.contains(point)

    def beside_columns(self, point: QPointF) -> bool:
        """Whether a point is on the axis or the value of a whole column."""
        return self.axis.contains(point) or self.above.contains(point)


def _cells(first: float, after: float, size: float) -> range:
    start = min(max(math.floor(first), 0), int(size) - 1)
    return range(start, min(max(math.floor(after), start + 1), int(size)))


def names_width(width: float, picture: HeatPicture, metrics: QFontMetricsF) -> int:
    """The width in pixels of the names of rows in a picture of ``width``."""
    step = max(1, picture.rows // NAME_SAMPLE)
    longest = max((picture.row_name(row) for row in range(0, picture.rows, step)), key=len, default="")
    wanted = max(advance(longest, metrics), advance(picture.row_title, metrics)) + 2 * GAP
    return math.ceil(min(wanted, width * WIDEST_NAMES))


def lay_out(
    place: QRectF, picture: HeatPicture, view: PlaneView, look: Look, metrics: QFontMetricsF, left: float = 0.0
) -> HeatLayout:
    """Lays out the parts inside ``place``, the cells at least ``left`` pixels from its edge. A few rows keep a readable
    height instead of being stretched."""
    line = math.ceil(metrics.height()) + 4
    names = math.ceil(max(names_width(place.width(), picture, metrics), left))
    margins, beside, above = picture.margins, 0.0, 0.0
    if margins is not None and place.width() >= LEAST_FOR_MARGINS:
        beside, above = math.ceil(margins.width(look, metrics)) + GAP, MARGIN_HEIGHT
    below = axis_height(metrics, picture.axis)
    head = QRectF(place.left(), place.top(), place.width(), line + 4)
    top = head.bottom() + above
    room = max(place.height() - head.height() - above - below, 1.0)
    height = min(room, math.floor(view.y.size * TALLEST_ROW))  # of the whole, so that zooming in uses all the room
    cells = QRectF(place.left() + names, top, max(place.width() - names - beside - GAP, 1.0), height)
    return HeatLayout(
        head,
        QRectF(place.left(), cells.top(), names, height),
        cells,
        QRectF(cells.left(), cells.bottom(), cells.width(), below),
        view,
        metrics,
        QRectF(cells.right(), cells.top(), beside, height),
        QRectF(cells.left(), head.bottom(), cells.width(), above),
    )
