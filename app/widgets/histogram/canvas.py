"""The histogram as a widget: what lies under the pointer, and which bins are chosen."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.widgets.abilities import ITEM
from app.widgets.display import Display
from app.widgets.heat.marks import outline
from app.widgets.histogram.draw import HistogramLayout, HistogramPicture, draw_histogram, lay_out
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
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(140, 96)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        display.changed.connect(self.update)

    def set_picture(self, picture: HistogramPicture | None) -> None:
        """Another histogram; nothing is chosen in it."""
        self.picture, self.selected, self._hovered = picture, None, -1
        self.setAccessibleName(shown_line("" if picture is None else f"Histogram: {picture.title}"))
        self.setAccessibleDescription("The table holds the same figures.")
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """The whole picture, for export."""
        if self.picture is not None:
            draw_histogram(painter, place, self.picture, replace(self._display.look, theme=theme))

    def layout_now(self) -> HistogramLayout | None:
        """Where everything lies; None without a picture."""
        if self.picture is None:
            return None
        return lay_out(QRectF(self.rect()), self.picture, QFontMetricsF(self.font(), self))

    # -- Qt's side ----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.surface))
            if self.picture is None:
                return
            layout = draw_histogram(painter, QRectF(self.rect()), self.picture, self._display.look)
            if self.selected is not None:
                faint = QColor(theme.selection)
                faint.setAlpha(FAINT)
                left, right = layout.sides(self.selected[0])[0], layout.sides(self.selected[1])[1]
                painter.fillRect(QRectF(left, layout.bars.top(), right - left, layout.bars.height()), faint)
            if 0 <= self._hovered < layout.count:
                left, right = layout.sides(self._hovered)
                box = QRectF(left, layout.bars.top(), max(right - left - 1, 1.0), layout.bars.height())
                outline(painter, box, theme)

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
        return -1 if layout is None else layout.bin_at(point)

    def _choose(self, a: int, b: int) -> None:
        self.selected = min(a, b), max(a, b)
        self.chosen.emit(*self.selected)
        self.update()
