"""The values of single cells, drawn where cells are large enough."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from app.widgets.colours import text_on
from app.widgets.display import Look
from app.widgets.heat.layout import HeatLayout
from app.widgets.heat.picture import HeatPicture
from app.widgets.heat.scale import NO_DATA, lookup
from app.widgets.texts import advance
from app.widgets.units import scale_for

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
    colours = lookup(look.theme)
    flags = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value
    for row in range(max(math.floor(rows.start), 0), min(math.ceil(rows.end), picture.rows)):
        for column in range(max(math.floor(columns.start), 0), min(math.ceil(columns.end), picture.columns)):
            value = picture.amount(row, column)
            box = QRectF(layout.x_of(column), layout.y_of(row), width, height)
            if value is None or value != value or not layout.plot.contains(box.center()):
                continue
            text = scale.number(value) if value else "0"
            if advance(text, metrics) <= width - AIR:
                code = picture.scale.code(value)
                fill = look.theme.surface if code == NO_DATA else f"#{int(colours[code]) & 0xFFFFFF:06x}"
                painter.setPen(QColor(text_on(fill)))
                painter.drawText(box, flags, text)
