"""A two-dimensional slice as an image."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QImage, QPainter

from app.language import tr
from app.profile.arrays import U8, U32, Array
from app.store.payload import Values
from app.views.colours import rgb
from app.views.content.words import number_text
from app.views.content.words import place as place_of
from app.views.heat.diverging import DivergingScale
from app.views.heat.scale import ramp
from app.views.look import Look, Theme
from app.widgets.heat.draw import outline
from app.widgets.plane.scene import Bounds, Hit, Marks, PlainScene, in_grid, row_end
from app.widgets.plane.view import PlaneView
from app.widgets.texts import advance

GAP = 8.0
BAR = 10.0
THINNEST = 24.0
NOT_FINITE, INFINITE, FIRST = 0, 1, 2
STEPS = 254
LAST = FIRST + STEPS - 1
ZERO = FIRST + STEPS // 2
"""The code of no difference."""
OTHERS = ((INFINITE, "infinite"), (NOT_FINITE, tr("no number")))
TALLEST = 160.0
LEAST_CELLS = 4.0
"""Fewest cells along the shorter side when zoomed in."""


class Picture(Struct, frozen=True, eq=False):
    """``codes``: uint8[rows, columns]: 0 for NaN, 1 for infinite, from 2 on for the range ``low`` to ``high``.
    ``signed``: the values are differences, ZERO is the code of none."""

    codes: U8
    low: float
    high: float
    signed: bool = False

    def holds(self, code: int) -> bool:
        """Whether any cell has this code (for NaN or infinite values)."""
        return bool((self.codes == code).any())


def picture(values: Values, *, signed: bool = False) -> Picture:
    """Maps the finite values of a slice to the whole colour ramp; those of differences (``signed``) around zero."""
    numbers: Array = values.numbers.astype(np.float64)
    known = np.isfinite(numbers)
    if values.missing is not None:
        known &= ~values.missing
    finite = numbers[known]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    codes = np.zeros(numbers.shape, np.uint8)
    scale = max(abs(low), abs(high), 1e-300)  # so that no difference overflows
    if signed:
        codes[known] = _around_zero(finite / scale)
        codes[np.isinf(numbers)] = INFINITE
        return Picture(codes, -max(abs(low), abs(high)), max(abs(low), abs(high)), signed)
    width = high / scale - low / scale
    shares = (finite / scale - low / scale) / width if width > 0 else np.full(finite.shape, 0.5)
    codes[known] = FIRST + np.minimum(shares * STEPS, STEPS - 1).astype(np.uint8)
    codes[np.isinf(numbers)] = INFINITE
    return Picture(codes, low, high)


def _around_zero(shares: Array) -> Array:
    """Codes of differences as shares of the largest, -1..1; none of them but 0 has the code ZERO."""
    below = ZERO - 1 - np.minimum(-shares * (ZERO - FIRST), ZERO - FIRST - 1)
    above = ZERO + 1 + np.minimum(shares * (LAST - ZERO), LAST - ZERO - 1)
    return np.where(shares < 0, np.ceil(below), np.where(shares > 0, np.floor(above), ZERO)).astype(np.uint8)


class ImageLayout(Struct, frozen=True, eq=False):
    """Geometry of the image. ``space``: the whole area; ``plot``: the image in it; ``view``: the visible cells, y
    downwards."""

    space: QRectF
    plot: QRectF
    view: PlaneView

    def at(self, point: QPointF) -> tuple[float, float]:
        """The column and the row under a point of the screen."""
        x, y = self.view.x, self.view.y
        across, down = (
            (point.x() - self.plot.left()) / self.plot.width(),
            (point.y() - self.plot.top()) / self.plot.height(),
        )
        return x.start + across * x.width, y.start + down * y.width

    def cell(self, row: int, column: int) -> QRectF:
        """The rectangle of a cell."""
        wide, high = self.plot.width() / self.view.x.width, self.plot.height() / self.view.y.width
        left, top = (column - self.view.x.start) * wide, (row - self.view.y.start) * high
        return QRectF(self.plot.left() + left, self.plot.top() + top, wide, high)


class ImageScene(PlainScene, Struct, frozen=True, eq=False):
    """A scene whose items are cells, row by row; they can be hovered, not selected. Keeps proportions if there is
    room."""

    values: Values
    picture: Picture
    kind = ""
    title = tr("The slice as an image")
    together = True

    @property
    def shape(self) -> tuple[object, ...]:
        return self.picture.codes.shape

    def whole(self) -> PlaneView:
        rows, columns = map(float, self.picture.codes.shape)
        share = min(LEAST_CELLS / max(min(rows, columns), 1.0), 1.0)
        return PlaneView.whole(columns, rows, (share * columns, share * rows))

    def lay_out(self, place: QRectF, view: PlaneView, _look: Look, metrics: QFontMetricsF) -> ImageLayout:
        return ImageLayout(place, lay_out(place, self.picture, metrics), view)

    def draw(self, painter: QPainter, layout: ImageLayout, look: Look) -> None:
        draw(painter, layout, self.picture, look)

    def draw_marks(self, painter: QPainter, layout: ImageLayout, marks: Marks, look: Look) -> None:
        if marks.item >= 0:
            painter.save()
            painter.setClipRect(layout.plot)
            outline(
                painter,
                layout.cell(*divmod(marks.item, self.picture.codes.shape[1])).adjusted(0, 0, -1, -1),
                look.theme,
            )
            painter.restore()

    def hit(self, layout: ImageLayout, point: QPointF) -> Hit | None:
        if not layout.plot.contains(point):
            return None
        (rows, columns), (x, y) = self.picture.codes.shape, layout.at(point)
        return self.hit_of(min(int(y), rows - 1) * columns + min(int(x), columns - 1))

    def hit_of(self, item: int) -> Hit:
        return Hit(item, selectable=False)

    def describe(self, layout: ImageLayout, point: QPointF, look: Look) -> str:
        """The text for the cell under ``point``; "" outside of the image."""
        hit = self.hit(layout, point)
        return "" if hit is None else self.words(hit, look)

    def bounds(self, item: int) -> Bounds | None:
        row, column = divmod(item, self.picture.codes.shape[1])
        return column, column + 1, row, row + 1

    def walk(self, _layout: ImageLayout, hit: Hit, across: int, down: int) -> Hit:
        codes = self.picture.codes
        return self.hit_of(in_grid(hit.item, across, down, codes.shape[1], codes.size))

    def end(self, hit: Hit | None, direction: int) -> Hit | None:
        codes = self.picture.codes
        if not codes.size:
            return None
        return self.hit_of(0 if hit is None else row_end(hit.item, direction, codes.shape[1], codes.size))

    def words(self, hit: Hit, _look: Look) -> str:
        values = self.values
        row, column = divmod(hit.item, self.picture.codes.shape[1])
        missing = values.missing is not None and bool(values.missing[row, column])
        shown = tr("no data") if missing else number_text(values.numbers[row, column].item())
        return f"{place_of(values.part, row, column)} = {shown}"


def lay_out(space: QRectF, shown: Picture, metrics: QFontMetricsF) -> QRectF:
    """The rectangle of the image: as large as fits beside the legend, with cells in whole pixels if there is room. A
    side that would vanish is stretched to THINNEST."""
    rows, columns = shown.codes.shape
    longest = max(advance(text, metrics) for text in (*_ends(shown), tr("no number")))
    wide = max(space.width() - 4 * GAP - BAR - longest, 1.0)
    high = max(space.height() - 2 * GAP, 1.0)
    cell = min(wide / columns, high / rows)
    cell = float(int(cell)) if cell >= 2 else cell
    width, height = max(cell * columns, min(THINNEST, wide)), max(cell * rows, min(THINNEST, high))
    return QRectF(space.left() + GAP, space.top() + GAP, width, height)


def draw(painter: QPainter, layout: ImageLayout, shown: Picture, look: Look) -> None:
    """Draws the visible part of the image, and the colour legend beside it."""
    theme, metrics = look.theme, QFontMetricsF(painter.font(), painter.device())
    space, box, view = layout.space, layout.plot, layout.view
    if shown.holds(NOT_FINITE):
        painter.fillRect(box, QColor(theme.no_data))
        painter.fillRect(box, QBrush(QColor(theme.line), Qt.BrushStyle.BDiagPattern))
    left, top = int(view.x.start), int(view.y.start)
    codes = shown.codes[top : math.ceil(view.y.end), left : math.ceil(view.x.end)]
    rows, columns = codes.shape
    pixels: U32 = np.ascontiguousarray(np.take(colours(theme, signed=shown.signed), codes))
    image = QImage(pixels.data, columns, rows, columns * 4, QImage.Format.Format_ARGB32_Premultiplied)
    shrinks = box.width() < columns or box.height() < rows
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, shrinks)
    painter.drawImage(box, image, QRectF(view.x.start - left, view.y.start - top, view.x.width, view.y.width))
    _draw_legend(
        painter, QRectF(box.right() + GAP, space.top() + GAP, BAR, space.height() - 2 * GAP), shown, theme, metrics
    )


def colours(theme: Theme, *, signed: bool = False) -> U32:
    """uint32[256]: premultiplied ARGB of each code; NaN is transparent."""
    table = np.zeros((256, 3), np.uint32)
    table[INFINITE] = rgb(infinite_colour(theme))
    if signed:
        both = np.rint(DivergingScale(1.0).ramp(theme)).astype(np.uint32)
        table[FIRST:ZERO], table[ZERO + 1 :] = both[: ZERO - FIRST], both[-(LAST - ZERO) :]
        table[ZERO] = rgb(theme.zero)
    else:
        table[FIRST:] = np.rint(ramp(theme)).astype(np.uint32)
    packed = 0xFF000000 | table[:, 0] << 16 | table[:, 1] << 8 | table[:, 2]
    packed[NOT_FINITE] = 0
    return packed.astype(np.uint32)


def infinite_colour(theme: Theme) -> str:
    """The colour of infinite values, one that the theme's ramp does not have."""
    return theme.accent if theme.dark else theme.error


def _ends(shown: Picture) -> tuple[str, str]:
    low, high = (number_text(float(f"{value:.4g}")) for value in (shown.low, shown.high))
    return low, high


def _draw_legend(painter: QPainter, bar: QRectF, shown: Picture, theme: Theme, metrics: QFontMetricsF) -> None:
    line = metrics.height()
    others = [(code, text) for code, text in OTHERS if shown.holds(code)]
    bar.setHeight(max(min(bar.height(), TALLEST) - len(others) * (line + 2), line))
    steps = np.ascontiguousarray(colours(theme, signed=shown.signed)[: FIRST - 1 : -1].reshape(-1, 1))
    image = QImage(steps.data, 1, len(steps), 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(bar, image)
    low, high = _ends(shown)
    _write(painter, QPointF(bar.right(), bar.top()), high, theme, metrics)
    _write(painter, QPointF(bar.right(), bar.bottom() - line), low, theme, metrics)
    for number, (code, text) in enumerate(others):
        swatch = QRectF(bar.left(), bar.bottom() + 4 + number * (line + 2), BAR, line - 4)
        if code == INFINITE:
            painter.fillRect(swatch, QColor(infinite_colour(theme)))
        else:
            painter.fillRect(swatch, QColor(theme.no_data))
            painter.fillRect(swatch, QBrush(QColor(theme.muted), Qt.BrushStyle.BDiagPattern))
        _write(painter, QPointF(bar.right(), swatch.top() - 2), text, theme, metrics)


def _write(painter: QPainter, at: QPointF, text: str, theme: Theme, metrics: QFontMetricsF) -> None:
    painter.setPen(QColor(theme.muted))
    flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value
    box = QRectF(at.x() + GAP / 2, at.y(), advance(text, metrics) + 4, metrics.height())
    painter.drawText(box, flags, text)
