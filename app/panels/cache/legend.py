"""The heading of a map: its title, and as much of the colour legend as there is room for."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.widgets.display import Look
from app.widgets.heat.draw import draw_legend
from app.widgets.heat.picture import HeatPicture
from app.widgets.heat.scale import ramp
from app.widgets.plane.axes import draw_title
from app.widgets.plane.view import GAP, PlaneLayout
from app.widgets.texts import advance

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
    low, high = ("> 0" if picture.scale.low <= 0 else figures[0][1]), figures[-1][1]
    right = layout.head.right() - GAP - advance(high, layout.metrics)
    middle = layout.head.center().y()
    bar = QRectF(right - 4 - RAMP, middle - SWATCH / 2, RAMP, SWATCH)
    colours = (ramp(look.theme).astype(np.uint32) << np.array([16, 8, 0], np.uint32)).sum(axis=1, dtype=np.uint32)
    colours |= np.uint32(0xFF000000)
    painter.drawImage(bar, QImage(colours.data, len(colours), 1, len(colours) * 4, QImage.Format.Format_RGB32))
    left = bar.left() - 4 - advance(low, layout.metrics)
    painter.setPen(QColor(look.theme.muted))
    for x, text in ((right, high), (left, low)):
        box = QRectF(x, layout.head.top(), advance(text, layout.metrics) + 1, layout.head.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter.value | SINGLE, text)
    draw_title(painter, layout, picture.title, look.theme, layout.head.right() - left)
