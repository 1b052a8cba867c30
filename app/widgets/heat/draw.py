"""Draws heat maps and their marks, both on screen and for export."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QImage, QPainter, QPen

from app.language import tr
from app.profile.arrays import I64, U32
from app.views.colours import blend, text_on
from app.views.heat.scale import NO_DATA
from app.views.look import Look, Theme
from app.views.units import scale_for
from app.views.visible_runs import visible_runs
from app.widgets.heat.layout import GAP, HeatLayout
from app.widgets.heat.picture import HeatPicture, Margins, draw_columns, draw_number, draw_rows
from app.widgets.plane.scene import Marks
from app.widgets.texts import advance, elided, end_of_path
from app.widgets.tile_axis import draw_borders, draw_tile_axis

NAME_SPACE = 2.0
RAMP = 120.0
SWATCH = 12.0
HATCH = 0.45
MARGIN_GAP = 3.0


def draw_heat(painter: QPainter, layout: HeatLayout, picture: HeatPicture, look: Look, heading: str = "") -> None:
    """Draws the visible part of ``picture`` according to ``layout``, with ``heading`` or else its title above."""
    metrics = layout.metrics
    draw_cells(painter, layout, picture, look.theme, painter.device().devicePixelRatio())
    draw_amounts(painter, layout, picture, look, metrics)
    draw_borders(painter, layout.plot, layout.view.x.start, layout.view.x.end, picture.axis, look.theme)
    columns = layout.view.x
    if picture.margins is not None and not layout.beside.isEmpty():
        _draw_margins(painter, layout, picture.margins, look)
    _draw_names(painter, layout, picture, look, metrics)
    draw_tile_axis(painter, layout.axis, columns.start, columns.end, picture.axis, look.theme)
    draw_legend(painter, layout.head, picture, look, metrics, heading)


def draw_cells(painter: QPainter, layout: HeatLayout, picture: HeatPicture, theme: Theme, ratio: float) -> None:
    """Draws the cells as one image over a hatched background, which shows where there is no data."""
    cells = layout.plot
    rows, columns = layout.view.y, layout.view.x
    if not picture.rows or not picture.columns:
        _hatch(painter, cells, theme)
        return
    height, width = max(1, round(cells.height() * ratio)), max(1, round(cells.width() * ratio))
    codes = picture.pyramid.window((rows.start, rows.end), (columns.start, columns.end), height, width)
    pixels: U32 = np.take(picture.scale.lookup(theme), codes)
    form = QImage.Format.Format_RGB32
    if codes.min() == NO_DATA:
        _hatch(painter, cells, theme)
        form = QImage.Format.Format_ARGB32_Premultiplied
    painter.drawImage(cells, QImage(pixels.data, width, height, width * 4, form))


def _hatch(painter: QPainter, place: QRectF, theme: Theme) -> None:
    """Draws the background that shows where there is no data."""
    painter.fillRect(place, QColor(theme.no_data))
    hatch = QColor(blend(theme.no_data, theme.muted, HATCH))
    painter.fillRect(place, QBrush(hatch, Qt.BrushStyle.BDiagPattern))


def _draw_margins(painter: QPainter, layout: HeatLayout, margins: Margins, look: Look) -> None:
    """Draws bars beside the rows and above the columns, and their title."""
    rows, columns, theme = layout.view.y, layout.view.x, look.theme
    draw_rows(painter, layout.beside.adjusted(MARGIN_GAP, 0, 0, 0), rows.start, rows.end, margins, theme)
    draw_columns(painter, layout.above.adjusted(0, 0, 0, -MARGIN_GAP), columns.start, columns.end, margins, theme)
    box = QRectF(layout.beside.left(), layout.above.top(), layout.beside.width(), layout.above.height())
    painter.setPen(QColor(theme.muted))
    painter.drawText(box, Qt.AlignmentFlag.AlignRight.value | Qt.AlignmentFlag.AlignVCenter.value, margins.title(look))


def _draw_names(
    painter: QPainter, layout: HeatLayout, picture: HeatPicture, look: Look, metrics: QFontMetricsF
) -> None:
    """Draws the row names (and their values) that fit: all, or every n-th."""
    rows, theme = layout.view.y, look.theme
    margins = picture.margins if not layout.beside.isEmpty() else None
    scale = None if margins is None else margins.scale(look)
    tall = layout.plot.height() / max(rows.width, 1e-9)
    step = max(1, int(-(-(metrics.height() + NAME_SPACE) // max(tall, 1e-9))))
    first = int(rows.start) // step * step
    free = layout.names.top()
    painter.setPen(QColor(theme.text if tall >= metrics.height() else theme.muted))
    for row in range(first, min(int(rows.end) + 1, picture.rows), step):
        middle = layout.y_of(row + 0.5)
        top = max(middle - metrics.height() / 2, layout.names.top())
        box = QRectF(layout.names.left() + GAP, top, layout.names.width() - 2 * GAP, metrics.height())
        if top >= free and middle >= layout.names.top() and box.bottom() <= layout.names.bottom() + 1:
            free = box.bottom()
            name = end_of_path(picture.row_name(row), metrics, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value, name)
            if margins is not None and scale is not None:
                beside = QRectF(layout.beside.left(), top, layout.beside.width(), metrics.height())
                draw_number(painter, beside, margins.number(int(margins.rows[row]), scale), theme)
                painter.setPen(QColor(theme.text if tall >= metrics.height() else theme.muted))


def draw_legend(
    painter: QPainter, head: QRectF, picture: HeatPicture, look: Look, metrics: QFontMetricsF, heading: str = ""
) -> None:
    """Draws the head: at the left ``heading`` or else the title; at the right the colours for no data and zero, and the
    colour scale with its labels."""
    theme = look.theme
    middle = head.center().y()
    figures = picture.legend(look)
    right = head.right() - GAP
    last = advance(figures[-1][1], metrics)
    bar = QRectF(right - last - 6 - RAMP, middle - SWATCH / 2, RAMP, SWATCH)
    colours = (picture.scale.ramp(theme).astype(np.uint32) << np.array([16, 8, 0], np.uint32)).sum(
        axis=1, dtype=np.uint32
    )
    colours |= np.uint32(0xFF000000)
    image = QImage(colours.data, len(colours), 1, len(colours) * 4, QImage.Format.Format_RGB32)
    painter.drawImage(bar, image)
    painter.setPen(QColor(theme.muted))
    _put(painter, QPointF(bar.right() + 6, middle), figures[-1][1], metrics)
    low = figures[0][1] if picture.scale.low >= 1 or picture.scale.signed else "> 0"
    x = bar.left() - 6 - advance(low, metrics)
    _put(painter, QPointF(x, middle), low, metrics)
    for text, fill in ((tr("zero"), QColor(theme.zero)), (tr("no data"), None)):
        if x - 22 - SWATCH - advance(text, metrics) < head.left():
            break  # tool tips say it
        x -= 16 + advance(text, metrics)
        _put(painter, QPointF(x, middle), text, metrics)
        x -= SWATCH + 6
        swatch = QRectF(x, middle - SWATCH / 2, SWATCH, SWATCH)
        if fill is None:
            _hatch(painter, swatch, theme)
        else:
            painter.fillRect(swatch, fill)
        painter.setPen(QPen(QColor(theme.muted), 0))
        painter.drawRect(swatch)
    title = QRectF(head.left() + GAP, head.top(), max(0.0, x - 24 - head.left()), head.height())
    scale = tr(" (logarithmic colours)") if picture.scale.log else ""
    painter.setPen(QColor(theme.text))
    name = elided((heading or picture.title) + scale, metrics, title.width())
    painter.drawText(title, Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value, name)


def _put(painter: QPainter, left_middle: QPointF, text: str, metrics: QFontMetricsF) -> None:
    box = QRectF(left_middle.x(), left_middle.y() - metrics.height() / 2, 1000, metrics.height())
    painter.drawText(box, Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value, text)


MOST: Final = 3000
"""Visible cells; with more than this, values are never legible."""
NARROWEST: Final = 24.0
AIR: Final = 3.0


def draw_amounts(
    painter: QPainter, layout: HeatLayout, picture: HeatPicture, look: Look, metrics: QFontMetricsF
) -> None:
    """Draws the values in one unit (that of the legend), in black or white, whichever is legible on the cell."""
    rows, columns = layout.view.y, layout.view.x
    width = layout.plot.width() / max(columns.width, 1e-9)
    height = layout.plot.height() / max(rows.width, 1e-9)
    if width < NARROWEST or height < metrics.height() or columns.width * rows.width > MOST:
        return
    scale = scale_for(picture.scale.high, picture.unit, look, picture.clock_hz)
    colours = picture.scale.lookup(look.theme)
    flags = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value
    for row in range(max(math.floor(rows.start), 0), min(math.ceil(rows.end), picture.rows)):
        for column in range(max(math.floor(columns.start), 0), min(math.ceil(columns.end), picture.columns)):
            value = picture.amount(row, column)
            box = QRectF(layout.x_of(column), layout.y_of(row), width, height)
            if value is None or value != value or not layout.plot.contains(box.center()):
                continue
            text = scale.number(value) if value else "0"
            text = f"+{text}" if picture.scale.signed and value > 0 else text
            if advance(text, metrics) <= width - AIR:
                code = picture.scale.code(value)
                fill = look.theme.surface if code == NO_DATA else f"#{int(colours[code]) & 0xFFFFFF:06x}"
                painter.setPen(QColor(text_on(fill)))
                painter.drawText(box, flags, text)


EDGE = 6.0
AXIS_EDGE = 5.0
FAINT = 48
VEIL = 170


def draw_marks(painter: QPainter, layout: HeatLayout, marks: Marks, selected: tuple[I64, I64], theme: Theme) -> None:
    """Draws the marks without changing cell colours: cells outside the range are faded, ``selected`` (rows, columns)
    have filled edges."""
    cells = layout.plot
    painter.setClipRect(QRectF(layout.names.left(), cells.top(), cells.right(), layout.axis.bottom() - cells.top()))
    if marks.within is not None:
        _draw_range(painter, layout, marks.within, theme)
    accent = QColor(theme.selection)
    rows, columns = layout.view.y, layout.view.x
    for first, after in visible_runs(selected[0], rows.start, rows.end, cells.height()):
        _draw_rows(painter, layout, first, after, accent)
    for first, after in visible_runs(selected[1], columns.start, columns.end, cells.width()):
        _draw_columns(painter, layout, first, after, accent)
    if marks.dragged is not None:
        ends = layout.column_at(marks.dragged.left()), layout.column_at(marks.dragged.right())
        _draw_columns(painter, layout, *ends, accent)
    block = marks.hovered and marks.hovered.place
    if isinstance(block, tuple):
        rows, columns = block[:2]
        top_left = QPointF(layout.x_of(columns.start), layout.y_of(rows.start))
        box = QRectF(top_left, QPointF(layout.x_of(columns.stop), layout.y_of(rows.stop)))
        outline(painter, box, theme)


def outline(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Draws an outline that is visible on every fill: a line in the hover colour on a wider one in the surface
    colour."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.surface), 3))
    painter.drawRect(box)
    painter.setPen(QPen(QColor(theme.hover), 1))
    painter.drawRect(box)


def _draw_rows(painter: QPainter, layout: HeatLayout, first: float, after: float, accent: QColor) -> None:
    top, bottom = layout.y_of(first), layout.y_of(after)
    if bottom < layout.plot.top() or top > layout.plot.bottom():
        return
    painter.fillRect(QRectF(layout.plot.left() - EDGE, top, EDGE, max(bottom - top, 3.0)), accent)
    painter.setPen(QPen(accent, 1))
    for y in (top, bottom):
        painter.drawLine(QPointF(layout.plot.left(), y), QPointF(layout.plot.right(), y))


def _draw_columns(painter: QPainter, layout: HeatLayout, first: float, after: float, accent: QColor) -> None:
    left, right = (min(max(layout.x_of(x), layout.plot.left()), layout.plot.right()) for x in (first, after))
    if layout.x_of(after) < layout.plot.left() or layout.x_of(first) > layout.plot.right():
        return
    width = max(right - left, 2.0)
    painter.fillRect(QRectF(left, layout.axis.top(), width, AXIS_EDGE), accent)
    faint = QColor(accent)
    faint.setAlpha(FAINT)
    painter.fillRect(QRectF(left, layout.plot.top(), width, layout.plot.height()), faint)


def _draw_range(painter: QPainter, layout: HeatLayout, columns: I64, theme: Theme) -> None:
    veil = QColor(theme.surface)
    veil.setAlpha(VEIL)
    cells, at = layout.plot, layout.plot.left()
    for first, after in visible_runs(columns, layout.view.x.start, layout.view.x.end, cells.width()):
        left, right = (min(max(layout.x_of(x), cells.left()), cells.right()) for x in (first, after))
        painter.fillRect(QRectF(at, cells.top(), left - at, cells.height()), veil)
        painter.fillRect(QRectF(left, layout.axis.top(), right - left, AXIS_EDGE), QColor(theme.range))
        at = right
    painter.fillRect(QRectF(at, cells.top(), cells.right() - at, cells.height()), veil)
