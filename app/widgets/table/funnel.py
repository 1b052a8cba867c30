"""The icon of a column with a filter."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap, QPolygonF

SIZE = 12
SHARP = 3
POINTS = ((1.0, 1.5), (11.0, 1.5), (7.2, 6.2), (7.2, 11.0), (4.8, 9.4), (4.8, 6.2))


def funnel(colour: str) -> QIcon:
    """A small filled funnel icon."""
    pixmap = QPixmap(SIZE * SHARP, SIZE * SHARP)
    pixmap.setDevicePixelRatio(SHARP)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in POINTS]))
    return QIcon(pixmap)
