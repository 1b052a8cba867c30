"""The histogram as a widget: what lies under the pointer, and which bins are chosen."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.widgets.abilities import ITEM
from app.widgets.backing import Backing
from app.widgets.display import Display
from app.widgets.heat.marks import outline
from app.widgets.histogram.draw import HistogramPainter
from app.widgets.histogram.picture import HistogramPicture
from app.widgets.plane.view import PlaneLayout
from app.widgets.texts import shown_line
from app.widgets.theme import Theme

FAINT = 90
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class HistogramCanvas(QWidget):
    """Signals: ``pointed`` (bin, what it says; -1, "" beside the bars), ``chosen`` (first, last bin) on a click, a drag
    or an arrow key."""

    pointed = Signal(int, str)
    chosen = Signal(int, int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.picture: HistogramPicture | None = None
        self.selected: tuple[int, int] | None = None
        self._hovered = -1
        self._pressed: int | None = None
        self._painter = HistogramPainter(self)
        self._backing = Backing(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(140, 96)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        display.changed.connect(self._redraw)

    def set_picture(self, picture: HistogramPicture | None) -> None:
        """Another histogram; nothing is chosen in it."""
        self.picture, self.selected, self._hovered = picture, None, -1
        self.setAccessibleName(shown_line("" if picture is None else f"Histogram: {picture.title}"))
        self.setAccessibleDescription("The table holds the same figures.")
        self._redraw()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """The whole picture, for export."""
        if self.picture is not None:
            self._painter.draw(painter, place, self.picture, replace(self._display.look, theme=theme))

    def layout_now(self) -> PlaneLayout | None:
        """Where everything lies; None without a picture."""
        if self.picture is None:
            return None
        metrics = QFontMetricsF(self.font(), self)
        return self._painter.lay_out(QRectF(self.rect()), self.picture, self._display.look, metrics)

    # -- Qt's side ----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        theme, layout = self._display.theme, self.layout_now()
        with QPainter(self) as painter:
            if self.picture is None or layout is None:
                painter.fillRect(self.rect(), QColor(theme.surface))
                return
            painter.drawImage(0, 0, self._backing.image(theme.surface, self._draw))
            if self.selected is not None:
                faint = QColor(theme.selection)
                faint.setAlpha(FAINT)
                painter.fillRect(_column(layout, *self.selected), faint)
            if 0 <= self._hovered < len(self.picture.bins.counts):
                box = _column(layout, self._hovered, self._hovered)
                outline(painter, box.adjusted(0, 0, -1, 0) if box.width() > 2 else box, theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def _draw(self, painter: QPainter, place: QRectF) -> None:
        if self.picture is not None:
            self._painter.draw(painter, place, self.picture, self._display.look)

    def _redraw(self) -> None:
        self._backing.spoil()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            place = self._at(event.position())
            self._pressed = place if place >= 0 else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._at(event.position())
        if self._pressed is not None and place >= 0:
            self.selected = min(self._pressed, place), max(self._pressed, place)
            self.update()
        if place != self._hovered and self.picture is not None:
            self._hovered = place
            self.pointed.emit(place, "" if place < 0 else self.picture.describe(place, self._display.look))
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        place = self._at(event.position())
        if pressed is not None and event.button() == Qt.MouseButton.LeftButton:
            self._choose(pressed, place if place >= 0 else pressed)

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A bar, as a click chooses it."""
        if point is None:
            return (ITEM,) if self.selected is not None else ()
        place = self._at(QPointF(point))
        if place >= 0 and not (self.selected is not None and self.selected[0] <= place <= self.selected[1]):
            self._choose(place, place)
        return (ITEM,) if place >= 0 else ()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if step is None or self.picture is None:
            super().keyPressEvent(event)
            return
        now = self.selected[0] if self.selected is not None else -1 if step > 0 else len(self.picture.bins.counts)
        place = min(max(now + step, 0), len(self.picture.bins.counts) - 1)
        self._choose(place, place)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = -1
        self.pointed.emit(-1, "")
        self.update()

    def _at(self, point: QPointF) -> int:
        layout = self.layout_now()
        if layout is None or self.picture is None or not layout.plot.contains(point):
            return -1
        return min(int(layout.at(point)[0]), len(self.picture.bins.counts) - 1)

    def _choose(self, a: int, b: int) -> None:
        self.selected = min(a, b), max(a, b)
        self.chosen.emit(*self.selected)
        self.update()


def _column(layout: PlaneLayout, first: int, last: int) -> QRectF:
    """The plot over the bins ``first`` to ``last``."""
    left, right = layout.x_of(first), layout.x_of(last + 1)
    return QRectF(left, layout.plot.top(), right - left, layout.plot.height())
