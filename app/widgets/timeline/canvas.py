"""The timeline as a widget: it paints a picture of its data once, and marks over it as often as the pointer moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.profile.arrays import I64, Bool
from app.profile.selection import TimeRange
from app.widgets.display import Display, Look
from app.widgets.timeline import view as views
from app.widgets.timeline.gestures import Mouse, wheel
from app.widgets.timeline.hit import Hit, hit
from app.widgets.timeline.labels import LabelCache
from app.widgets.timeline.layout import ROW_HEIGHTS
from app.widgets.timeline.marks import Marks, paint_marks
from app.widgets.timeline.paint import paint_data
from app.widgets.timeline.raster import Renderer
from app.widgets.timeline.state import Shown
from app.widgets.timeline.words import describe, spoken, total
from app.widgets.tips import tip

CURSORS = {
    "border": Qt.CursorShape.SplitHCursor,
    "start": Qt.CursorShape.SizeHorCursor,
    "end": Qt.CursorShape.SizeHorCursor,
    "ruler": Qt.CursorShape.IBeamCursor,
    "names": Qt.CursorShape.ArrowCursor,
}
REDRAW_MS = 120
"""While zoomed-out views are being made ready, the picture is refreshed this often."""


class TimelineCanvas(QWidget):
    """Shows one Model; app.widgets.canvas.Canvas tells what the command list can do with it.

    Signals: ``chosen`` (slice index or None: clicked, stepped to), ``lane_chosen`` (lane index), ``pointed`` (slice
    index or None under the pointer), ``range_dragged`` (TimeRange or None, live) and ``range_chosen`` (TimeRange or
    None), ``view_changed`` (), also when rows fold, ``settled`` () when zoomed-out views are ready.
    """

    chosen = Signal(object)
    lane_chosen = Signal(object)
    pointed = Signal(object)
    range_dragged = Signal(object)
    range_chosen = Signal(object)
    view_changed = Signal()
    settled = Signal()

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline-canvas")
        self.setAccessibleName("Timeline")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(240, 96)
        self.shown: Shown | None = None
        self._display = display
        self._selected: I64 = np.empty(0, np.int64)
        self._marks = Marks()
        self._range: TimeRange | None = None
        self._mouse = Mouse(self)
        self._labels = LabelCache(self.font())
        self._data: QImage | None = None
        self._working = QTimer(self, interval=0)
        self._working.timeout.connect(self._work)
        self._refresh = QTimer(self, interval=REDRAW_MS, singleShot=True)
        self._refresh.timeout.connect(self.redraw)
        display.changed.connect(self._look_changed)

    # -- what is shown ------------------------------------------------------------------------------------

    def show_timeline(self, shown: Shown | None) -> None:
        """Another timeline, in the state it was left in; None: none."""
        self.shown = shown
        self._labels.forget()
        self._selected, self._marks = self._selected[:0], Marks(focused=self.hasFocus(), range=self._range)
        if shown is not None:
            shown.set_look(self._display.look)
            self._fit_size(shown)
            self._working.start()
            self.setAccessibleDescription(total(shown))
        self._changed()

    @property
    def selected(self) -> I64:
        """The selected slices, rising."""
        return self._selected

    def set_selected(self, index: I64, lanes: tuple[int, ...] = ()) -> None:
        """Slices (rising indices) and lanes that are selected, here or anywhere."""
        if self.shown is None:
            return
        self._selected = index
        several = Renderer.of(self.shown.model.rows.chosen(index), *self._extent()) if len(index) > 1 else None
        one = int(index[0]) if len(index) == 1 else None
        self._mark(selected=one, chosen=several, lanes=lanes)
        self.setAccessibleDescription(spoken(self.shown, one) if one is not None else total(self.shown))
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.DescriptionChanged))

    def set_hovered(self, index: tuple[int, ...]) -> None:
        """The slices that are pointed at, here or anywhere."""
        self._mark(hovered=index)

    def set_range(self, stretch: TimeRange | None) -> None:
        """The range that statistics follow."""
        self._range = stretch
        self._mark(range=stretch)
        if self.shown is not None:
            self.shown.measure(stretch)
            self._working.start()

    def set_search(self, matched: Bool | None) -> I64 | None:
        """Brings matching slices (bool[slices]) forward; None ends the search. Returns their indices."""
        if self.shown is None:
            return None
        found = self.shown.search(matched)
        self._working.start()
        self.redraw()
        return found

    def reveal(self, index: int) -> None:
        """Brings a slice to view, keeping the zoom."""
        if self.shown is not None:
            self.shown.reveal(index, "step")
            self._changed()

    def show_stretch(self, start: float, end: float) -> None:
        """Zooms to a stretch of time, as one gesture."""
        self.go_to(start, end, "")

    def go_to(self, start: float, end: float, kind: str) -> None:
        """Shows a stretch of time; calls of the same ``kind`` in a row are one gesture."""
        if self.shown is not None:
            self._go(views.clamped(views.View(start, end, self.shown.view.top), self.shown.bounds), kind)

    def zoom_at(self, moment: float, factor: float) -> None:
        """Narrows or widens the view about a moment."""
        if self.shown is not None:
            self._go(views.zoomed(self.shown.view, factor, moment, self.shown.bounds), "zoom")

    # -- app.widgets.canvas.Canvas ------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        """Narrows or widens the view, about the pointer where it is over the rows."""
        if self.shown is not None:
            scene = self.shown.scene()
            x = self.mapFromGlobal(self.cursor().pos()).x() if self.underMouse() else -1
            over = scene.body.x <= x <= scene.body.x + scene.body.width
            self.zoom_at(scene.time(x) if over else (scene.view.start + scene.view.end) / 2, factor)

    def pan(self, fraction: float) -> None:
        """Moves the view by a share of its width."""
        if self.shown is not None:
            self._go(views.panned(self.shown.view, fraction, self.shown.bounds), "pan")

    def scroll_rows(self, rows: int) -> None:
        """Moves down (positive) or up."""
        if self.shown is not None:
            height = ROW_HEIGHTS.get(self.shown.rows_as, ROW_HEIGHTS["normal"])
            self._go(views.scrolled(self.shown.view, rows * (height + 4), self.shown.bounds), "rows")

    def scroll_to(self, top: int) -> None:
        """The first pixel of the rows that is shown (a scroll bar moved)."""
        if self.shown is not None:
            self._go(views.scrolled(self.shown.view, top - self.shown.view.top, self.shown.bounds), "scroll bar")

    def fit(self) -> None:
        """Shows everything."""
        if self.shown is not None and self.shown.fit():
            self._changed()

    def focus_selection(self) -> None:
        """Brings the selection to view; a second call in a row shows everything."""
        if self.shown is not None:
            self.shown.focus(self._selected)
            self._changed()

    def back(self) -> None:
        """The view before the last gesture."""
        if self.shown is not None:
            self.shown.back()
            self._changed()

    def forward(self) -> None:
        """Takes ``back`` back."""
        if self.shown is not None:
            self.shown.forward()
            self._changed()

    def step_item(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) slice of the row, keeping the zoom."""
        if self.shown is None:
            return
        if len(self._selected):
            index = self.shown.neighbour(int(self._selected[0]), direction)
        else:
            index = self.shown.first_seen()
        if index is not None:
            self.chosen.emit(index)
            self.reveal(index)

    def selection_to_range(self) -> None:
        """Makes the extent of the selected slices the range."""
        if self.shown is not None and len(self._selected):
            rows = self.shown.model.rows
            start = rows.start[self._selected]
            end = start + rows.duration[self._selected]
            self.range_set(TimeRange(float(start.min()), float(end.max())))

    # -- gestures.Listener --------------------------------------------------------------------------------

    def dragging(self, stretch: TimeRange | None) -> None:
        """The range is being drawn (or no longer: then it is what it was)."""
        self._mark(range=stretch or self._range, dragged=stretch is not None)
        self.range_dragged.emit(None if self._mouse.mode == "zoom" else stretch)

    def range_set(self, stretch: TimeRange | None) -> None:
        """The range was drawn."""
        self._mark(dragged=False)
        self.range_chosen.emit(stretch)

    def clicked(self, at: Hit) -> None:
        """A click selects a slice, folds a heading, or (on nothing) clears the selection."""
        if self.shown is None:
            return
        if at.band is not None and at.band.kind == "process" and (at.zone == "names" or at.band.folded):
            self.shown.toggle_group(at.band.index)
            self._changed()
        elif at.zone == "names" and at.band is not None and at.band.kind == "lane":
            if at.band.rows > 1:
                self.shown.toggle_lane(at.band.index)
                self._changed()
            self.lane_chosen.emit(at.band.index)
        elif at.zone == "body":
            self.chosen.emit(at.index)

    def moved(self) -> None:
        """The view changed."""
        self._changed()

    # -- painting -----------------------------------------------------------------------------------------

    def redraw(self) -> None:
        """The data must be painted again."""
        self._data = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        with QPainter(self) as painter:
            if self.shown is None:
                painter.fillRect(self.rect(), self.palette().base())
                return
            if self._data is None:
                self._data = self._painted(self.shown)
            painter.drawImage(QPointF(0, 0), self._data)
            painter.setFont(self.font())
            paint_marks(painter, self.shown.scene(), self._marks, self._labels)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.shown is not None:
            self._fit_size(self.shown)
            self._changed()

    def _painted(self, shown: Shown) -> QImage:
        ratio = self.devicePixelRatioF()
        image = QImage(round(self.width() * ratio), round(self.height() * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        with QPainter(image) as painter:
            painter.setFont(self.font())
            paint_data(painter, shown.scene(), self._labels, ratio)
        return image

    # -- input --------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.shown is None:
            return
        x, y = event.position().x(), event.position().y()
        at = hit(self.shown, x, y, self._range)
        keys = event.modifiers()
        if event.button() == Qt.MouseButton.MiddleButton:
            self._mouse.press_pan(self.shown, x, y)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.RightButton and at.index is not None:
            self.chosen.emit(at.index)
        elif event.button() == Qt.MouseButton.LeftButton and at.zone in ("start", "end") and self._range:
            self._mouse.press_edge(self._range, at, x, y)
        elif event.button() == Qt.MouseButton.LeftButton:
            zoom = bool(keys & Qt.KeyboardModifier.ControlModifier)
            self._mouse.press(self.shown, at, x, y, zoom=zoom, snap=not keys & Qt.KeyboardModifier.ShiftModifier)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.shown is None:
            return
        x, y = event.position().x(), event.position().y()
        if self._mouse.mode:
            snap = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._mouse.move(self.shown, x, y, snap=snap)
            return
        at = hit(self.shown, x, y, self._range)
        self.setCursor(CURSORS.get(at.zone, Qt.CursorShape.ArrowCursor))
        in_body = at.zone in ("body", "ruler", "start", "end")
        hovered = () if at.index is None else (at.index,)
        if hovered != self._marks.hovered:
            self.pointed.emit(at.index)
        self._mark(hovered=hovered, cursor=at.time if in_body else None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.shown is not None and self._mouse.mode:
            self._mouse.release(self.shown, event.position().x(), event.position().y(), self._range)
            self.unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.shown is None or event.button() != Qt.MouseButton.LeftButton:
            return
        at = hit(self.shown, event.position().x(), event.position().y(), self._range)
        if at.zone == "body" and at.index is not None:
            self.shown.focus(np.array([at.index]))
            self._changed()
        elif at.zone == "ruler" and self._range is not None:
            self.show_stretch(self._range.start, self._range.end)
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.shown is None:
            return
        keys, turned = event.modifiers(), event.angleDelta()
        zoom = bool(keys & Qt.KeyboardModifier.ControlModifier)
        pan = bool(keys & Qt.KeyboardModifier.ShiftModifier)
        if wheel(self.shown, event.position().x(), turned.y() / 120, turned.x() / 120, zoom=zoom, pan=pan):
            self._changed()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._marks.hovered:
            self.pointed.emit(None)
        self._mark(hovered=(), cursor=None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._mark(focused=True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._mark(focused=False)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.tip_at(event.pos())), self)
            return True
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1.0 + event.value())
            return True
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self._labels = LabelCache(self.font())
            self.redraw()
        return super().event(event)

    def tip_at(self, point: QPoint) -> str:
        """What the tooltip says at a point of the widget."""
        if self.shown is None:
            return ""
        return describe(self.shown, hit(self.shown, point.x(), point.y(), self._range))

    # -- within -------------------------------------------------------------------------------------------

    def _extent(self) -> tuple[float, float]:
        return (self.shown.model.start, self.shown.model.end) if self.shown is not None else (0.0, 1.0)

    def _fit_size(self, shown: Shown) -> None:
        """The picture is as large as the widget; what showed everything still does."""
        everything = replace(views.whole(shown.bounds), top=shown.view.top) == shown.view
        shown.resize(self.width(), self.height())
        if everything:
            shown.view = replace(views.whole(shown.bounds), top=shown.view.top)

    def _go(self, view: views.View, kind: str) -> None:
        if self.shown is not None and self.shown.go(view, kind):
            self._changed()

    def _changed(self) -> None:
        self.redraw()
        self.view_changed.emit()

    def _mark(self, **changes: object) -> None:
        marks = replace(self._marks, **changes)  # type: ignore[arg-type]
        if marks != self._marks:
            self._marks = marks
            self.update()

    def _look_changed(self, look: Look) -> None:
        if self.shown is not None:
            self.shown.set_look(look)
        self.redraw()

    def _work(self) -> None:
        """Makes zoomed-out views ready, a few milliseconds at a time."""
        if self.shown is None or not self.shown.work():
            self._working.stop()
            self._refresh.stop()
            self.redraw()
            self.settled.emit()
        elif not self._refresh.isActive():
            self._refresh.start()
