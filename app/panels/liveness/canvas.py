"""The curve of live bytes as a widget: a plot with its peak marked."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent

from app.panels.liveness.picture import Live, draw_live
from app.widgets.plot.canvas import PlotCanvas
from app.widgets.plot.flags import draw_flags
from app.widgets.theme import Theme


class LiveCanvas(PlotCanvas):
    """Shows a Live; its places are moments."""

    shown: Live | None = None

    def set_live(self, shown: Live | None) -> None:
        """Another curve, or none."""
        self.shown = shown
        self.set_picture(None if shown is None else shown.picture)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.shown is not None and self._layout is not None:
            with QPainter(self) as painter:
                draw_flags(painter, self._layout, self.shown.flags(), self._display.theme)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        if self.shown is not None and self.history is not None:
            draw_live(painter, place, self.shown, replace(self._display.look, theme=theme), self.history.view)
