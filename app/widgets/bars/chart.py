"""Horizontal bars as a widget: what lies under the pointer, and which bar is chosen."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QToolTip, QWidget

from app.widgets.abilities import ITEM
from app.widgets.bars.draw import BarsLayout, draw_bars, height_of, lay_out
from app.widgets.bars.picture import BarsPicture
from app.widgets.display import Display
from app.widgets.texts import shown_line
from app.widgets.theme import Theme
from app.widgets.tips import tip

STEPS: dict[int, int] = {Qt.Key.Key_Up.value: -1, Qt.Key.Key_Down.value: 1}


class BarChart(QWidget):
    """Signal ``chosen`` (place of a bar) on a click or an arrow key."""

    chosen = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.picture: BarsPicture | None = None
        self.selected = -1
        self.hovered = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        display.changed.connect(self.update)

    def set_picture(self, picture: BarsPicture | None) -> None:
        """Another chart; nothing is chosen in it."""
        self.picture, self.selected, self.hovered = picture, -1, -1
        self.setAccessibleName(shown_line("" if picture is None else f"Chart: {picture.title}"))
        self.setAccessibleDescription("The table beside it holds the same figures.")
        self.setMinimumHeight(self.sizeHint().height())
        self.updateGeometry()
        self.update()

    def mark(self, place: int) -> None:
        """Shows a bar as selected; -1 none, nor one that is not drawn."""
        self.selected = place if self.picture is not None and place < len(self.picture.bars) else -1
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """The chart, for export."""
        if self.picture is not None:
            draw_bars(painter, place, self.picture, replace(self._display.look, theme=theme))

    def sizeHint(self) -> QSize:
        height = 0.0 if self.picture is None else height_of(self.picture, QFontMetricsF(self.font(), self))
        return QSize(360, round(height))

    # -- Qt's side ----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._display.theme.surface))
            if self.picture is not None:
                look, place = self._display.look, QRectF(self.rect())
                marks = {"hovered": self.hovered, "selected": self.selected}
                draw_bars(painter, place, self.picture, look, seen=QRectF(event.rect()), **marks)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = self._at(QPointF(event.pos()))
            text = "" if self.picture is None or place < 0 else self.picture.bars[place].tip
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place >= 0:
            self._choose(place)

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A bar, as a click chooses it."""
        place = self.selected if point is None else self._at(QPointF(point))
        if place >= 0 and place != self.selected:
            self._choose(place)
        return (ITEM,) if place >= 0 else ()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(event.key())
        if step is None or self.picture is None or not self.picture.bars:
            super().keyPressEvent(event)
            return
        self._choose(min(max(self.selected + step, 0), len(self.picture.bars) - 1))

    # -- inside -------------------------------------------------------------------------------------------

    def layout_now(self) -> BarsLayout | None:
        """Where everything lies; None without a picture."""
        if self.picture is None:
            return None
        metrics = QFontMetricsF(self.font(), self)
        return lay_out(QRectF(self.rect()), self.picture, self._display.look, metrics)

    def _at(self, point: QPointF) -> int:
        layout = self.layout_now()
        return -1 if layout is None else layout.row_at(point)

    def _hover(self, place: int) -> None:
        if place != self.hovered:
            self.hovered = place
            self.update()

    def _choose(self, place: int) -> None:
        self.mark(place)
        self.chosen.emit(place)


class ScrolledBars(QScrollArea):
    """A chart that scrolls where it is higher than its place."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart = BarChart(display, self)
        self.setWidget(self.chart)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusProxy(self.chart)
        self.setAccessibleName("Bars")
        self.setMinimumWidth(160)
