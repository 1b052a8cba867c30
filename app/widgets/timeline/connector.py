"""The line from the selected slice to its match in the timeline below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.views.theme import Theme
from app.views.timeline.scene import Box, Scene
from app.widgets.display import Display

SHOULDER = 14.0
"""Logical pixels that the line goes straight down before it bends."""


def middle(scene: Scene, box: Box) -> float:
    """The middle of the visible part of a slice."""
    left, right = max(box.x, scene.body.x), min(box.x + box.width, scene.body.x + scene.body.width)
    return (left + right) / 2


def paint_connector(painter: QPainter, upper: tuple[float, float], lower: tuple[float, float], theme: Theme) -> None:
    """A thin dashed line between two points (x, y)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, width in ((theme.surface, 3.0), (theme.selection, 1.4)):
        pen = QPen(QColor(colour), width)
        if width < 2:
            pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        drop = min(SHOULDER, max(lower[1] - upper[1], 0.0) / 2)
        points = [
            QPointF(*upper),
            QPointF(upper[0], upper[1] + drop),
            QPointF(lower[0], lower[1] - drop),
            QPointF(*lower),
        ]
        painter.drawPolyline(points)
    painter.restore()


Ends = tuple[tuple[float, float], tuple[float, float]]


class Connector(QWidget):
    """Lies over both timelines and lets the mouse through; hidden while there is nothing to connect."""

    def __init__(self, display: Display, ends: Callable[[], Ends | None], parent: QWidget) -> None:
        """``ends``: both points, in pixels of ``parent``."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._display, self._ends = display, ends
        self._drawn: Ends | None = None
        self.hide()

    def follow(self) -> None:
        """Draws the line where the slices are now."""
        drawn = self._ends()
        if drawn == self._drawn and self.isVisible() == (drawn is not None):
            return
        self._drawn = drawn
        self.setVisible(drawn is not None)
        if drawn is not None:
            (x, y), (other_x, other_y) = drawn
            box = QRectF(QPointF(min(x, other_x), y), QPointF(max(x, other_x), other_y)).adjusted(-4, -4, 4, 4)
            self.setGeometry(box.toAlignedRect())
            self.raise_()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self._drawn is not None:
            with QPainter(self) as painter:
                painter.translate(-self.x(), -self.y())
                paint_connector(painter, *self._drawn, self._display.theme)
