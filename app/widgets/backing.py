"""The cached image of a canvas: redrawn when stale, reused by every paint until then."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QWidget

Draw = Callable[[QPainter, QRectF], None]


class Backing:
    """An image of ``widget``'s size at the screen's resolution. Reused memory costs nothing, while fresh pages cost
    more than the drawing, so it is only reallocated when the size changes."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._image = QImage()
        self._stale = True

    def spoil(self) -> None:
        """Marks the image as out of date."""
        self._stale = True

    def image(self, surface: str, draw: Draw) -> QImage:
        """The image, redrawn if stale: filled with ``surface``, then drawn by ``draw`` (painter with the widget's font,
        area)."""
        if self._stale:
            self._image, self._stale = self._drawn(surface, draw), False
        return self._image

    def _drawn(self, surface: str, draw: Draw) -> QImage:
        widget, image = self._widget, self._image
        ratio = widget.devicePixelRatioF()
        if image.size() != widget.size() * ratio:
            image = QImage(widget.size() * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(QColor(surface))
        with QPainter(image) as painter:
            painter.setFont(widget.font())
            draw(painter, QRectF(0, 0, widget.width(), widget.height()))
        return image
