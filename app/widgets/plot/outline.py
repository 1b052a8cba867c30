"""Draws what a plot shows of the baseline: its total as a dashed outline, and which places only one side has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen, QPolygonF

from app.profile.arrays import F64, I64, U8, U32, Bool
from app.views.colours import packed
from app.views.look import Theme
from app.views.plot import PlotPicture, Sides, fold
from app.views.texts import shown_line
from app.views.visible_runs import runs
from app.widgets.plot.layout import PlotLayout
from app.widgets.texts import advance

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
    data is a gap. It is an image, as dashing a line of a thousand corners takes longer than a frame may."""
    ratio = painter.device().devicePixelRatio()
    height, width = max(1, round(layout.plot.height() * ratio)), max(1, round(layout.plot.width() * ratio))
    most = fold(amounts, layout.view.start, layout.view.end, width).most
    rows = np.rint((layout.top - most) / (layout.top - layout.bottom) * height)
    codes = outline_codes(rows, height, max(1, round(WIDTH * ratio)))
    colours = np.array([0, packed(theme.surface), packed(theme.baseline)], np.uint32)
    pixels: U32 = np.take(colours, codes)
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    painter.drawImage(layout.plot, image)


NOTHING, HALO_CODE, LINE = range(3)
PERIOD, ON = 7, 4
"""Pixels of a dash with its gap, and of the dash."""


def outline_codes(rows: F64, height: int, thick: int) -> U8:
    """uint8[height, columns]: LINE where the dashes of a stepped line through ``rows`` (float64[columns], pixels from
    the top, NaN for a gap) are, HALO_CODE around it and between them. ``thick``: pixels of the level parts."""
    known = ~np.isnan(rows)
    level = np.clip(np.where(known, rows, 0), 0, height - 1).astype(np.int64)
    before = np.where(np.concatenate(([False], known[:-1])), np.concatenate((level[:1], level[:-1])), level)
    columns = np.flatnonzero(known)
    flat = _runs(level, level + thick, columns, height)
    rise = _runs(np.minimum(level, before), np.maximum(level, before) + 1, columns, height)
    solid = flat | rise
    halo = solid.copy()
    halo[1:] |= solid[:-1]
    halo[:-1] |= solid[1:]
    halo[:, 1:] |= solid[:, :-1]
    halo[:, :-1] |= solid[:, 1:]
    flat &= np.arange(len(rows))[None, :] % PERIOD < ON
    rise &= np.arange(height)[:, None] % PERIOD < ON
    codes = halo.astype(np.uint8)
    codes[flat | rise] = LINE
    return codes


def _runs(first: I64, after: I64, columns: I64, height: int) -> Bool:
    """bool[height, columns]: the rows first .. after - 1 of ``columns``."""
    steps = np.zeros((height + 1, len(first)), np.int8)
    steps[first[columns], columns] += 1
    steps[np.minimum(after[columns], height), columns] -= 1
    return np.cumsum(steps[:height], axis=0, dtype=np.int8).view(np.bool_)


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
    return [(left + first, left + after) for first, after in runs(most > 0)]


HALF = 5.0
HIGH = 8.0
PAD = 4.0


class Flag(Struct, frozen=True):
    """A marker on top of the bar at ``place``, which is ``amount`` high; ``baseline``: on the outline of the
    baseline; ``over``: the bar is over its limit."""

    place: int
    amount: float
    name: str
    baseline: bool = False
    over: bool = False


def flag_boxes(layout: PlotLayout, flag: Flag) -> tuple[QRectF, QRectF] | None:
    """Where the triangle of a flag is, and its name beside it: at the right, else at the left, of the baseline the
    other way round; None for a place that is not in view."""
    metrics, bars = layout.metrics, layout.plot
    x, y = layout.x_of(flag.place + 0.5), max(layout.y_of(flag.amount) - 1, bars.top() + HIGH)
    if not bars.left() <= x <= bars.right():
        return None
    width = advance(flag.name, metrics) + 2 * PAD
    left, right = x - HALF - PAD - width, x + HALF + PAD
    if not flag.baseline or left < bars.left():
        left = right if right + width <= bars.right() else left
    top = max(y - HIGH / 2 - metrics.height() / 2, bars.top())
    return QRectF(x - HALF, y - HIGH, 2 * HALF, HIGH), QRectF(left, top, width, metrics.height())


def flag_at(layout: PlotLayout, flags: Iterable[Flag], point: QPointF) -> Flag | None:
    """The flag whose triangle or name is under ``point``."""
    for flag in flags:
        boxes = flag_boxes(layout, flag)
        if boxes is not None and any(box.adjusted(-1, -1, 1, 1).contains(point) for box in boxes):
            return flag
    return None


def draw_flags(painter: QPainter, layout: PlotLayout, flags: Iterable[Flag], theme: Theme) -> None:
    """Draws a triangle that points down at each bar, with its name beside it; those out of view are skipped."""
    for flag in flags:
        boxes = flag_boxes(layout, flag)
        if boxes is None:
            continue
        mark, box = boxes
        ink = QColor(theme.baseline if flag.baseline else theme.error if flag.over else theme.text)
        painter.setPen(QPen(ink if flag.baseline else QColor(theme.surface), 1.5))
        painter.setBrush(QColor(theme.surface) if flag.baseline else ink)
        tip = QPointF(mark.center().x(), mark.bottom())
        painter.drawPolygon(QPolygonF([tip, mark.topLeft(), mark.topRight()]))
        painter.fillRect(box, QColor(theme.surface))
        painter.setPen(ink)
        painter.drawText(
            box, Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value, shown_line(flag.name)
        )
