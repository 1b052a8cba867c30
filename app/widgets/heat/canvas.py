"""The heat map as a widget: zoom, pan, back, what lies under the pointer, and what is chosen."""

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
from app.widgets.heat.draw import draw_heat
from app.widgets.heat.layout import HeatLayout, HeatView, lay_out, whole_view
from app.widgets.heat.marks import HeatMarks, draw_marks
from app.widgets.heat.picture import HeatPicture
from app.widgets.span import History
from app.widgets.texts import shown_line
from app.widgets.theme import Theme
from app.widgets.tips import tip

NOTCH = 120
ZOOM_NOTCH = 1.25
WHEEL_SHARE = 0.12
DRAG_LEAST = 4.0
AROUND = 2.0
"""Places that stay seen on both sides of a selection that is brought to view."""


class HeatCanvas(QWidget):
    """Signals: ``pointed`` (row, column, what it says; -1 for a whole column or row; -1, -1, "" beside all of it),
    ``row_chosen`` (row), ``columns_chosen`` (first, last) from a drag or a click on the axis, ``range_wanted`` (first,
    last column)."""

    pointed = Signal(int, int, str)
    row_chosen = Signal(int)
    columns_chosen = Signal(int, int)
    range_wanted = Signal(int, int)
    held = False

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.picture: HeatPicture | None = None
        self.history: History[HeatView] | None = None
        self.marks = HeatMarks()
        self._backing = Backing(self)
        self._layout: HeatLayout | None = None
        self._pressed: QPointF | None = None
        self._focused_once = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 96)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        display.changed.connect(self._redraw)

    # -- contents -----------------------------------------------------------------------------------------

    def set_picture(self, picture: HeatPicture | None) -> None:
        """Another picture; the view stays where rows and columns are the same."""
        before, self.picture = self.picture, picture
        if picture is None:
            self.history = None
        elif self.history is None or before is None or before.pyramid.shape != picture.pyramid.shape:
            self.history = History(whole_view(picture))
        self.setAccessibleName(shown_line("" if picture is None else f"Heat map: {picture.title}"))
        self.setAccessibleDescription("The table holds the same figures.")
        self.marks.hover = None
        self._redraw()

    def mark(self, rows: I64, columns: I64, *, reveal: bool = False) -> None:
        """Shows these rows and columns as selected, and brings the first of them to view."""
        self.marks.rows, self.marks.columns = rows, columns
        self._focused_once = False
        if reveal and self.history is not None:
            view = self.history.view
            if len(rows):
                view = replace(view, rows=view.rows.showing(int(rows[0]), int(rows[0]) + 1, 1.0))
            if len(columns):
                view = replace(view, columns=view.columns.showing(int(columns[0]), int(columns[0]) + 1, 1.0))
            self._go(view, "reveal")
        self.update()

    def set_range(self, columns: I64 | None) -> None:
        """Veils what is outside of these columns; None for no range."""
        self.marks.within = columns
        self.update()

    def hover(self, rows: range | None, columns: range | None) -> None:
        """Outlines rows or columns that are pointed at elsewhere (None: all of them); both None for nothing."""
        block = None
        if self.picture is not None and (rows is not None or columns is not None):
            block = rows or range(self.picture.rows), columns or range(self.picture.columns)
        self.marks.hover = block
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """What is seen now, for export."""
        if self.picture is not None and self.history is not None:
            draw_heat(painter, place, self.picture, replace(self._display.look, theme=theme), self.history.view)

    # -- Canvas -------------------------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        if self._layout is not None:
            point = QPointF(self.mapFromGlobal(self.cursor().pos()))
            inside = self._layout.cells.contains(point)
            self._zoom_about(factor, point if inside else self._layout.cells.center(), "zoom")

    def pan(self, fraction: float) -> None:
        if self.history is not None:
            columns = self.history.view.columns
            self._go(replace(self.history.view, columns=columns.moved(columns.width * fraction)), "pan")

    def scroll_rows(self, rows: int) -> None:
        if self.history is not None:
            seen = self.history.view.rows
            step = max(1.0, seen.width * WHEEL_SHARE / 2)
            self._go(replace(self.history.view, rows=seen.moved(rows * step)), "scroll")

    def fit(self) -> None:
        if self.picture is not None:
            self._go(whole_view(self.picture))

    def focus_selection(self) -> None:
        rows, columns = self.marks.rows, self.marks.columns
        if self.history is None or self._focused_once or not (len(rows) or len(columns)):
            self._focused_once = False
            self.fit()
            return
        view = self.history.view
        if len(rows):
            view = replace(view, rows=view.rows.at(float(rows.min()) - AROUND, float(rows.max()) + 1 + AROUND))
        if len(columns):
            ends = float(columns.min()) - AROUND, float(columns.max()) + 1 + AROUND
            view = replace(view, columns=view.columns.at(*ends))
        self._go(view)
        self._focused_once = True

    def back(self) -> None:
        if self.history is not None and self.history.back():
            self._redraw()

    def forward(self) -> None:
        if self.history is not None and self.history.forward():
            self._redraw()

    def step_item(self, direction: int) -> None:
        if self.picture is not None and self.picture.rows:
            now = int(self.marks.rows[0]) if len(self.marks.rows) else -1 if direction > 0 else 0
            self.row_chosen.emit(min(max(now + direction, 0), self.picture.rows - 1))

    def selection_to_range(self) -> None:
        if len(self.marks.columns):
            self.range_wanted.emit(int(self.marks.columns.min()), int(self.marks.columns.max()))

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.picture is None or self.history is None:
                painter.fillRect(self.rect(), QColor(self._display.theme.surface))
                return
            picture, view, look = self.picture, self.history.view, self._display.look

            def draw(painter: QPainter, place: QRectF) -> None:
                draw_heat(painter, place, picture, look, view)

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
        """Figures of whole rows and columns say in a tool tip what they are, and why not something else."""
        layout, margins = self._layout, None if self.picture is None else self.picture.margins
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and layout is not None and margins:
            point = QPointF(event.pos())
            inside = layout.beside_rows(point) or layout.beside_columns(point)
            QToolTip.showText(event.globalPos(), tip(margins.help if inside else ""), self)
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer, Shift moves sideways, plain moves through the rows."""
        if self.history is None:
            return
        view = self.history.view
        sideways, notches = event.angleDelta().x() / NOTCH, event.angleDelta().y() / NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_about(ZOOM_NOTCH**notches, event.position(), "wheel")
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or sideways:
            shift = (sideways or notches) * view.columns.width * WHEEL_SHARE
            self._go(replace(view, columns=view.columns.moved(-shift)), "wheel pan")
        else:
            self._go(replace(view, rows=view.rows.moved(-notches * view.rows.width * WHEEL_SHARE)), "wheel scroll")
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout, point = self._layout, event.position()
        if layout is None:
            return
        if self._pressed is not None and abs(point.x() - self._pressed.x()) >= DRAG_LEAST:
            self.marks.dragged = layout.column_at(self._pressed.x()), layout.column_at(point.x())
        self._point_at(layout, point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        layout, pressed, dragged = self._layout, self._pressed, self.marks.dragged
        self._pressed = self.marks.dragged = None
        if layout is None or pressed is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if dragged is not None:
            self._choose_columns(min(dragged), max(dragged))
        elif layout.beside_columns(pressed):
            place = layout.column_at(pressed.x())
            self._choose_columns(place, place)
        else:
            self._choose_row(layout, pressed)
        self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zooms in where it was clicked."""
        self._zoom_about(4.0, event.position(), "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.marks.hover = None
        self.pointed.emit(-1, -1, "")
        self.update()

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A cell, whose row is chosen; the name of a row; a column."""
        layout = self._layout
        if layout is None or self.picture is None or point is None:
            return (ITEM,) if len(self.marks.rows) or len(self.marks.columns) else ()
        place = QPointF(point)
        if layout.beside_columns(place):
            column = layout.column_at(place.x())
            if math.floor(column) not in self.marks.columns:
                self._choose_columns(column, column)
            return (ITEM,)
        block = layout.block_at(place)
        if block is None and not layout.beside_rows(place):
            return ()
        if block is None or self.picture.largest(*block)[0] not in self.marks.rows:
            self._choose_row(layout, place)
        return (ITEM,)

    def _choose_row(self, layout: HeatLayout, point: QPointF) -> None:
        """The row of the largest cell under the pointer, or the row whose name or figure was clicked."""
        block = layout.block_at(point)
        if block is not None and self.picture is not None:
            self.row_chosen.emit(self.picture.largest(*block)[0])
        elif layout.beside_rows(point):
            self.row_chosen.emit(layout.rows_at(point.y()).start)

    def _choose_columns(self, first: float, last: float) -> None:
        if self.picture is not None and self.picture.columns:
            end = self.picture.columns - 1
            self.columns_chosen.emit(*(min(max(math.floor(place), 0), end) for place in (first, last)))

    def _point_at(self, layout: HeatLayout, point: QPointF) -> None:
        """Tells what lies under the pointer, once for as long as it is the same."""
        if self.picture is None:
            return
        picture, look, block = self.picture, self._display.look, layout.block_at(point)
        said = -1, -1, ""
        if block is not None:
            said = *picture.largest(*block), picture.describe(*block, look)
        elif layout.beside_rows(point):
            rows = layout.rows_at(point.y())
            block, said = (rows, range(picture.columns)), (rows.start, -1, picture.describe_row(rows, look))
        elif layout.beside_columns(point):
            columns = layout.columns_at(point.x())
            block, said = (range(picture.rows), columns), (-1, columns.start, picture.describe_column(columns, look))
        if block != self.marks.hover:
            self.marks.hover = block
            self.pointed.emit(*said)
        self.update()

    def _zoom_about(self, factor: float, point: QPointF, gesture: str) -> None:
        if self.history is not None and self._layout is not None:
            view, layout = self.history.view, self._layout
            rows = view.rows.zoomed(factor, layout.row_at(point.y()))
            self._go(HeatView(rows, view.columns.zoomed(factor, layout.column_at(point.x()))), gesture)

    def _go(self, view: HeatView, gesture: str = "") -> None:
        if self.history is not None and view != self.history.view:
            self.history.go(view, gesture, held=self.held)
            self._redraw()
