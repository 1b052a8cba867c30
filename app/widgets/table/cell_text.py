"""Draws the texts of cells on one line each: words at the left, numbers at the right, elided if they are too long."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter

from app.widgets.texts import advance, shortened

PADDING = 8

# plain ints: combining Qt's enums costs more than drawing a text
_LEFT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value
_RIGHT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value


class CellTextPainter:
    """Texts in one font, at the ``right`` or the left of their cells."""

    def __init__(self, font: QFont, *, right: bool) -> None:
        self.font = font
        self.metrics = QFontMetrics(font)
        self._right = right
        self._flags = _RIGHT if right else _LEFT
        exact = QFontMetricsF(font)
        self._widest = exact.horizontalAdvance("W")  # only wider texts are measured
        same = exact.horizontalAdvance("0iIl1|.,:-%#WMabxyz") == 19 * self._widest
        self._places_itself = not right or same  # if all characters are equally wide, it is known where a text begins
        self._ascent, self._height = exact.ascent(), exact.height()

    def draw(self, painter: QPainter, rect: QRect, text: str) -> None:
        """Draws a text in the painter's pen; the painter must have this ``font``."""
        room = rect.width() - 2 * PADDING
        length = len(text) * self._widest
        if length <= room and self._places_itself and text.isascii():  # Qt takes twice as long to align and clip it
            left = rect.x() + PADDING + (room - length if self._right else 0)
            top = rect.y() + (rect.height() - 1 - self._height) / 2
            painter.drawText(QPointF(left, top + self._ascent), text)
            return
        inner = rect.adjusted(PADDING, 0, -PADDING, -1)
        if length > room and advance(text, self.metrics) > room:
            text = shortened(text, self.metrics, room)
        painter.drawText(inner, self._flags, text)
