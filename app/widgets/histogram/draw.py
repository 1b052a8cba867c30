"""Draws histograms, for the screen and for export alike."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.display import Look
from app.widgets.histogram.picture import HistogramPicture, described
from app.widgets.plane.view import PlaneLayout


class HistogramPainter:
    """Draws histograms one after the other with the same items, which go with ``parent``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._painter = ChartPainter(parent)

    def lay_out(self, place: QRectF, picture: HistogramPicture, look: Look, metrics: QFontMetricsF) -> PlaneLayout:
        """Where everything lies; a bin is 1 wide."""
        scene = self._scene(picture, look)
        return scene.lay_out(place, scene.whole(), look, metrics)

    def draw(self, painter: QPainter, place: QRectF, picture: HistogramPicture, look: Look) -> PlaneLayout:
        """Title, counts at the left, bars, amounts below; returns where everything lies."""
        scene, metrics = self._scene(picture, look), QFontMetricsF(painter.font(), painter.device())
        layout = scene.lay_out(place, scene.whole(), look, metrics)
        scene.draw(painter, layout, look)
        return layout

    def _scene(self, picture: HistogramPicture, look: Look) -> ChartScene:
        return ChartScene(described(picture, look), self._painter)
