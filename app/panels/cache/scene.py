"""A map of the cache as a scene of a plane: 128 cells per row, the first row at the top. Items are cells."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen

from app.language import tr
from app.views.cache.maps import WIDE, CacheMap, Figure, unit_of
from app.views.cache.words import about
from app.views.heat.pyramid import Pyramid
from app.views.look import Look
from app.views.span import Span
from app.views.theme import Theme
from app.views.tile_axis import TileAxis
from app.views.timeline.ticks import multiples, nice_step
from app.widgets.heat.draw import draw_cells, draw_legend, outline
from app.widgets.heat.layout import HeatLayout
from app.widgets.heat.picture import HeatPicture
from app.widgets.plane.axes import Tick, draw_title, draw_x, draw_y
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, in_grid, neighbour, row_end
from app.widgets.plane.view import GAP, PlaneLayout, PlaneView, lay_out
from app.widgets.texts import advance

LEAST = (8.0, 2.0)
TALLEST = 28.0
"""Greatest height of a row, so that a few rows are not stretched over the whole map."""
MOST_MARKED = 4000


def picture_of(shown: CacheMap, figure: Figure) -> HeatPicture:
    """The cells with their colour scale."""
    pyramid = Pyramid(shown.matrix(figure), shown.scale(figure))
    title = (
        tr("{shown}: share of {of}", shown=shown.title, of=shown.of)
        if figure == "share"
        else tr("{shown}: events", shown=shown.title)
    )
    return HeatPicture(title, pyramid, unit_of(figure), tr("Row"), str, TileAxis(WIDE, tr("Column")))


class CacheScene(PlainScene, Struct, frozen=True, eq=False):
    """``picture`` of ``shown``; ``instructions`` returns how many instructions are linked to a cell (see
    ``words.about``)."""

    shown: CacheMap
    picture: HeatPicture
    instructions: Callable[[CacheMap, int], int | None]

    @property
    def title(self) -> str:
        return tr("Cache map, {picture}", picture=self.picture.title)

    @property
    def shape(self) -> tuple[object, ...]:
        return self.shown.kind, self.shown.rows

    def whole(self) -> PlaneView:
        return PlaneView.whole(float(WIDE), float(max(self.shown.rows, 1)), LEAST)

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        widest = advance(f"{self.shown.rows * WIDE:,}", metrics)
        layout = lay_out(place, view, metrics, widest + 2 * GAP)
        plot = layout.plot
        height = min(plot.height(), math.floor(max(self.shown.rows, 1) * TALLEST))
        plot = QRectF(plot.left(), plot.top(), plot.width(), height)
        axis = QRectF(plot.left(), plot.bottom(), plot.width(), layout.axis.height())
        scale = QRectF(layout.scale.left(), plot.top(), layout.scale.width(), height)
        return replace(layout, plot=plot, axis=axis, scale=scale)

    def draw(self, painter: QPainter, layout: PlaneLayout, look: Look) -> None:
        painter.save()
        draw_head(painter, layout, self.picture, look)
        _draw_axes(painter, layout, self.shown.rows, look.theme)
        draw_cells(painter, self._heat(layout), self.picture, look.theme, painter.device().devicePixelRatio())
        rest = self.shown.rows * WIDE - self.shown.cells
        if rest:
            painter.setClipRect(layout.plot)
            behind = self._run(layout, self.shown.cells, rest)
            painter.fillRect(behind, QColor(look.theme.surface))
            painter.setPen(QPen(QColor(look.theme.line), 1))
            painter.drawLine(behind.topLeft(), behind.bottomLeft())
            painter.drawLine(behind.topLeft(), behind.topRight())
        painter.setClipping(False)
        painter.setPen(QPen(QColor(look.theme.line), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(layout.plot)
        painter.restore()

    def draw_marks(self, painter: QPainter, layout: PlaneLayout, marks: Marks, look: Look) -> None:
        painter.save()
        painter.setClipRect(layout.plot.adjusted(-2, -2, 2, 2))
        ink = QColor(look.theme.selection)
        for cell in marks.selected[:MOST_MARKED].tolist():
            box = self._run(layout, cell, 1)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(look.theme.surface), 4))
            painter.drawRect(box)
            painter.setPen(QPen(ink, 2))
            painter.drawRect(box)
        if marks.item >= 0:
            outline(painter, self._run(layout, marks.item, 1), look.theme)
        painter.restore()

    def item_at(self, layout: PlaneLayout, point: QPointF) -> int:
        """The cell under the pointer; if a pixel shows several cells, the one with the largest figure."""
        if not layout.plot.contains(point):
            return -1
        block = self._heat(layout).block_at(point)
        if block is None:
            return -1
        row, column = self.picture.largest(*block)
        cell = row * WIDE + column
        return cell if cell < self.shown.cells else -1

    def describe(self, layout: PlaneLayout, point: QPointF, look: Look) -> str:
        return self.words(Hit(self.item_at(layout, point)), look)

    def words(self, hit: Hit, _look: Look) -> str:
        return about(self.shown, hit.item, self.instructions) if 0 <= hit.item < self.shown.cells else ""

    def bounds(self, item: int) -> Bounds | None:
        if not 0 <= item < self.shown.cells:
            return None
        row, column = divmod(item, WIDE)
        top = self.shown.rows - row
        return column, column + 1, top - 1, top

    def step(self, item: int, direction: int) -> int:
        return neighbour(item, direction, self.shown.cells)

    def walk(self, _layout: PlaneLayout, hit: Hit, across: int, down: int) -> Hit:
        return Hit(in_grid(hit.item, across, down, WIDE, self.shown.cells))

    def end(self, hit: Hit | None, direction: int) -> Hit | None:
        if not self.shown.cells:
            return None
        return Hit(0 if hit is None else row_end(hit.item, direction, WIDE, self.shown.cells))

    def _heat(self, layout: PlaneLayout) -> HeatLayout:
        """The same geometry for a heat map, whose rows grow downwards."""
        view, rows = layout.view, float(self.shown.rows)
        down = Span(rows - view.y.end, rows - view.y.start, rows)
        seen = PlaneView(view.x, down)
        return HeatLayout(layout.head, layout.scale, layout.plot, layout.axis, seen, layout.metrics)

    def _run(self, layout: PlaneLayout, cell: int, count: int) -> QRectF:
        """The rectangle of neighbouring cells in a row."""
        row, column = divmod(cell, WIDE)
        top = layout.y_of(self.shown.rows - row)
        bottom = layout.y_of(self.shown.rows - row - 1)
        return QRectF(QPointF(layout.x_of(column), top), QPointF(layout.x_of(column + count), bottom))


def _draw_axes(painter: QPainter, layout: PlaneLayout, rows: int, theme: Theme) -> None:
    """Draws column numbers below, and at the left the first cell of each row."""
    view, plot = layout.view, layout.plot
    step = max(nice_step(view.x.width, int(plot.width() / 40)), 1.0)
    across = [Tick(n + 0.5, f"{n:,.0f}") for n in multiples(view.x.start, min(view.x.end, WIDE - 1), step)]
    draw_x(painter, layout, across, tr("column"), theme)
    step = max(nice_step(view.y.width, max(int(plot.height() / (1.5 * layout.line)), 1)), 1.0)
    down = multiples(rows - view.y.end, min(rows - view.y.start, rows - 1), step)
    draw_y(painter, layout, [Tick(rows - row - 0.5, f"{row * WIDE:,.0f}") for row in down], theme)


ROOMY = 460.0
RAMP = 56.0
SWATCH = 10.0
SINGLE = Qt.TextFlag.TextSingleLine.value


def draw_head(painter: QPainter, layout: PlaneLayout, picture: HeatPicture, look: Look) -> None:
    """Draws the heading: the full legend if the map is wide, otherwise only the ramp and its ends."""
    if layout.head.width() >= ROOMY:
        draw_legend(painter, layout.head, picture, look, layout.metrics)
        return
    figures = picture.legend(look, 2)
    least = picture.scale.low <= 0 and not picture.scale.signed
    low, high = ("> 0" if least else figures[0][1]), figures[-1][1]
    right = layout.head.right() - GAP - advance(high, layout.metrics)
    middle = layout.head.center().y()
    bar = QRectF(right - 4 - RAMP, middle - SWATCH / 2, RAMP, SWATCH)
    colours = (picture.scale.ramp(look.theme).astype(np.uint32) << np.array([16, 8, 0], np.uint32)).sum(
        axis=1, dtype=np.uint32
    )
    colours |= np.uint32(0xFF000000)
    painter.drawImage(bar, QImage(colours.data, len(colours), 1, len(colours) * 4, QImage.Format.Format_RGB32))
    left = bar.left() - 4 - advance(low, layout.metrics)
    painter.setPen(QColor(look.theme.muted))
    for x, text in ((right, high), (left, low)):
        box = QRectF(x, layout.head.top(), advance(text, layout.metrics) + 1, layout.head.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, text)
    draw_title(painter, layout, picture.title, look.theme, layout.head.right() - left)
