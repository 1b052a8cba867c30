"""The plot as a widget: zoom, pan, back, what lies under the pointer, and which tiles are chosen."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.profile.arrays import I64
from app.widgets.abilities import ITEM
from app.widgets.backing import Backing
from app.widgets.display import Display
from app.widgets.plot.draw import draw_plot
from app.widgets.plot.layout import PlotLayout, lay_out
from app.widgets.plot.marks import PlotMarks, draw_marks
from app.widgets.plot.parts import told
from app.widgets.plot.picture import PlotPicture
from app.widgets.span import History, Span
from app.widgets.texts import shown_line
from app.widgets.theme import Theme
from app.widgets.tips import tip

NOTCH = 120
ZOOM_NOTCH = 1.25
WHEEL_SHARE = 0.12
DRAG_LEAST = 4.0
AROUND = 4.0


class PlotCanvas(QWidget):
    """Signals: ``pointed`` (place, what it says; -1, "" beside the bars), ``chosen`` (first, last place, and whether
    it adds to what is chosen), ``range_wanted`` (first, last place)."""

    pointed = Signal(int, str)
    chosen = Signal(int, int, bool)
    range_wanted = Signal(int, int)
    held = False

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.picture: PlotPicture | None = None
        self.history: History[Span] | None = None
        self.marks = PlotMarks()
        self._backing = Backing(self)
        self._layout: PlotLayout | None = None
        self._pressed: QPointF | None = None
        self._focused_once = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 96)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        display.changed.connect(self._redraw)

    # -- contents -----------------------------------------------------------------------------------------

    def set_picture(self, picture: PlotPicture | None) -> None:
        """Another picture; the view stays where it has as many places."""
        before, self.picture = self.picture, picture
        if picture is None:
            self.history = None
        elif self.history is None or before is None or before.axis.size != picture.axis.size:
            self.history = History(Span.whole(picture.axis.size, 8.0))
        self.setAccessibleName(shown_line("" if picture is None else f"Plot: {picture.title}"))
        self.setAccessibleDescription("The table holds the same figures.")
        self.marks.hover = None
        self._redraw()

    def mark(self, places: I64, *, reveal: bool = False) -> None:
        """Shows these places as selected, and brings the first to view."""
        self.marks.selected = places
        self._focused_once = False
        if reveal and self.history is not None and len(places):
            self._go(self.history.view.showing(int(places[0]), int(places[0]) + 1, AROUND), "reveal")
        self.update()

    def set_range(self, places: I64 | None) -> None:
        """Veils what is outside of these places; None for no range."""
        self.marks.within = places
        self.update()

    def hover(self, place: int) -> None:
        """Outlines a place that is pointed at elsewhere; -1 none."""
        self.marks.hover = range(place, place + 1) if place >= 0 else None
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """What is seen now, for export."""
        if self.picture is not None and self.history is not None:
            draw_plot(painter, place, self.picture, replace(self._display.look, theme=theme), self.history.view)

    # -- Canvas -------------------------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        if self.history is not None and self._layout is not None:
            point = QPointF(self.mapFromGlobal(self.cursor().pos()))
            about = self._layout.place_at(point.x()) if self._layout.bars.contains(point) else None
            self._go(self.history.view.zoomed(factor, about), "zoom")

    def pan(self, fraction: float) -> None:
        if self.history is not None:
            self._go(self.history.view.moved(self.history.view.width * fraction), "pan")

    def scroll_rows(self, rows: int) -> None:
        """There are no rows: moves along instead, so that the keys are not dead."""
        self.pan(rows * WHEEL_SHARE)

    def fit(self) -> None:
        if self.history is not None:
            self._go(self.history.view.at(0, self.history.view.size))

    def focus_selection(self) -> None:
        chosen = self.marks.selected
        if self.history is None or self._focused_once or not len(chosen):
            self._focused_once = False
            self.fit()
            return
        self._go(self.history.view.at(float(chosen.min()) - AROUND, float(chosen.max()) + 1 + AROUND))
        self._focused_once = True

    def back(self) -> None:
        if self.history is not None and self.history.back():
            self._redraw()

    def forward(self) -> None:
        if self.history is not None and self.history.forward():
            self._redraw()

    def step_item(self, direction: int) -> None:
        if self.picture is not None and self.picture.axis.size:
            now = int(self.marks.selected[0]) if len(self.marks.selected) else -1 if direction > 0 else 0
            place = min(max(now + direction, 0), self.picture.axis.size - 1)
            self.chosen.emit(place, place, False)

    def selection_to_range(self) -> None:
        if len(self.marks.selected):
            self.range_wanted.emit(int(self.marks.selected.min()), int(self.marks.selected.max()))

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.picture is None or self.history is None:
                painter.fillRect(self.rect(), QColor(self._display.theme.surface))
                return
            picture, view, look = self.picture, self.history.view, self._display.look

            def draw(painter: QPainter, place: QRectF) -> None:
                draw_plot(painter, place, picture, look, view)

            painter.drawImage(0, 0, self._backing.image(look.theme.surface, draw))
            if self._layout is not None:
                draw_marks(painter, self._layout, self.marks, self._display.theme)

    def _redraw(self) -> None:
        self._backing.spoil()
        self._layout = None
        if self.picture is not None and self.history is not None:
            place = QRectF(0, 0, self.width(), self.height())
            metrics = QFontMetricsF(self.font(), self)
            self._layout = lay_out(place, self.picture, self.history.view, self._display.look, metrics)
        self.update()

    def take_back(self) -> bool:
        """A drag: what it drew is forgotten."""
        dragging = self.marks.dragged is not None
        if dragging:
            self._pressed = self.marks.dragged = None
            self.update()
        return dragging

    # -- gestures -----------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def event(self, event: QEvent) -> bool:
        """The part under the pointer tells what it means."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self._told(event):
            return True
        return super().event(event)

    def _told(self, event: QHelpEvent) -> bool:
        layout, picture = self._layout, self.picture
        if layout is None or picture is None:
            return False
        text = told(layout, picture, self._display.look, QFontMetricsF(self.font(), self), QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), tip(text), self)
        return bool(text)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer; without, it moves along."""
        if self.history is None or self._layout is None:
            return
        view = self.history.view
        notches = (event.angleDelta().y() or event.angleDelta().x()) / NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._go(view.zoomed(ZOOM_NOTCH**notches, self._layout.place_at(event.position().x())), "wheel")
        else:
            self._go(view.moved(-notches * view.width * WHEEL_SHARE), "wheel pan")
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout, point = self._layout, event.position()
        if layout is None or self.picture is None:
            return
        if self._pressed is not None and abs(point.x() - self._pressed.x()) >= DRAG_LEAST:
            self.marks.dragged = layout.place_at(self._pressed.x()), layout.place_at(point.x())
        block = layout.block_at(point)
        if block != self.marks.hover:
            self.marks.hover = block
            if block is None:
                self.pointed.emit(-1, "")
            else:
                worst = self.picture.largest(block)
                text = self.picture.describe(block.start, block.stop, worst, self._display.look)
                self.pointed.emit(worst, text)
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        layout, pressed, dragged = self._layout, self._pressed, self.marks.dragged
        self._pressed = self.marks.dragged = None
        self.update()
        if layout is None or pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        adding = bool(event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier))
        if dragged is not None:
            self._choose(min(dragged), max(dragged), adding)
        elif layout.axis.contains(pressed):
            self._choose(layout.place_at(pressed.x()), layout.place_at(pressed.x()), adding)
        elif self.picture is not None and (block := layout.block_at(pressed)) is not None:
            worst = self.picture.largest(block)
            self._choose(worst, worst, adding)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zooms in where it was clicked."""
        if self.history is not None and self._layout is not None:
            self._go(self.history.view.zoomed(4.0, self._layout.place_at(event.position().x())))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.marks.hover = None
        self.pointed.emit(-1, "")
        self.update()

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A place of the axis, as a click chooses it."""
        layout, picture = self._layout, self.picture
        if layout is None or picture is None or point is None:
            return (ITEM,) if len(self.marks.selected) else ()
        place, block = QPointF(point), layout.block_at(QPointF(point))
        if not layout.axis.contains(place) and block is None:
            return ()
        at = layout.place_at(place.x()) if block is None else picture.largest(block)
        if math.floor(at) not in self.marks.selected:
            self._choose(at, at, False)
        return (ITEM,)

    def _choose(self, first: float, last: float, adding: bool) -> None:
        if self.picture is not None and self.picture.axis.size:
            end = self.picture.axis.size - 1
            places = [min(max(math.floor(place), 0), end) for place in (first, last)]
            self.chosen.emit(*places, adding)

    def _go(self, view: Span, gesture: str = "") -> None:
        if self.history is not None and view != self.history.view:
            self.history.go(view, gesture, held=self.held)
            self._redraw()
