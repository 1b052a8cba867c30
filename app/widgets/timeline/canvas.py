"""The timeline under the mouse."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.profile.selection import TimeRange
from app.widgets.abilities import ITEM
from app.widgets.display import Display
from app.widgets.timeline.gestures import Mouse, wheel
from app.widgets.timeline.noted import NotedTimeline
from app.widgets.timeline.pick import Hit, hit
from app.widgets.timeline.state import Shown

CURSORS = {
    "border": Qt.CursorShape.SplitHCursor,
    "start": Qt.CursorShape.SizeHorCursor,
    "end": Qt.CursorShape.SizeHorCursor,
    "ruler": Qt.CursorShape.IBeamCursor,
    "pin": Qt.CursorShape.PointingHandCursor,
    "fold": Qt.CursorShape.PointingHandCursor,
}


TIMED = ("body", "ruler", "notes", "start", "end")
"""Parts in which a place is a moment."""


class TimelineCanvas(NotedTimeline):
    """The canvas of the timeline panel; gestures.py tells what the mouse does. Has the abilities HoldsThings and
    HoldsRange.

    Signals, besides those of the classes below it: ``pointed`` (slice index or None under the pointer),
    ``range_dragged`` (TimeRange or None, while it is drawn).
    """

    pointed = Signal(object)
    range_dragged = Signal(object)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(display, parent)
        self.setMouseTracking(True)
        self._mouse = Mouse(self)
        self._pointer: QPointF | None = None

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
        """A click selects a slice, a lane or the lanes of a process, folds (on a triangle) a lane or process, or (on
        nothing) clears the selection."""
        if self.shown is None:
            return
        if at.zone == "notes":
            self.note_chosen.emit(at.note)
        elif at.zone == "pin" and at.band is not None:
            self.shown.toggle_pin(at.band.index)
            self._changed()
        elif at.zone == "fold" and at.band is not None:
            self.fold(at.band)
        elif at.zone == "names" and at.band is not None:
            self._choose_band(at.band, add=self._mouse.adding)
        elif at.zone == "body":
            self.chosen.emit(at.index)

    def moved(self) -> None:
        """The view changed."""
        self._changed()

    # -- app.widgets.abilities.HoldsThings ----------------------------------------------------------------

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A slice, a lane, a note, the range, or a moment; what is not selected yet is selected."""
        if self.shown is None:
            return ()
        if point is None:
            self._here = None
            return self._thing_chosen()
        at = self._here = hit(self.shown, point.x(), point.y(), self._range)
        if at.index is not None:
            if at.index not in self._selected:
                self.chosen.emit(at.index)
            return (ITEM, *self._in_range(at), "time")
        if at.note is not None:
            self.note_chosen.emit(at.note)
            return ("note", *self._in_range(at))
        if at.zone in ("names", "pin", "fold"):
            if at.band is None or at.band.kind != "lane":
                return ("process",) if at.band is not None and at.band.kind == "process" else ()
            if at.band.index not in self._marks.lanes:
                self._choose_band(at.band)
            return (ITEM,)
        return () if at.zone in ("corner", "border") else (*self._in_range(at), "time")

    def _thing_chosen(self) -> tuple[str, ...]:
        """What is selected."""
        ranged = ("range",) if self._range is not None else ()
        if self._marks.note is not None:
            return ("note", *ranged)
        return (ITEM, *ranged, "time") if len(self._selected) or self._marks.lanes else (*ranged, "time")

    def _in_range(self, at: Hit) -> tuple[str, ...]:
        """ "range" where the moment lies in it."""
        inside = self._range is not None and self._range.start <= at.time <= self._range.end
        return ("range",) if inside or at.zone in ("start", "end") else ()

    def zoom_to_range(self) -> None:
        """Shows the range nearly as wide as the picture."""
        if self._range is not None:
            self.zoom_to(self._range)

    def take_back(self) -> bool:
        """A drag: what it drew is forgotten."""
        dragging = bool(self._mouse.mode)
        if dragging:
            self._mouse.cancel()
            self.unsetCursor()
        return dragging

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
        elif event.button() == Qt.MouseButton.LeftButton and at.zone in ("start", "end") and self._range:
            self._mouse.press_edge(self._range, at, x, y)
        elif event.button() == Qt.MouseButton.LeftButton:
            zoom = bool(keys & Qt.KeyboardModifier.ControlModifier)
            self._mouse.press(self.shown, at, x, y, zoom=zoom, snap=not keys & Qt.KeyboardModifier.ShiftModifier)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.shown is None:
            return
        x, y = event.position().x(), event.position().y()
        self._pointer = event.position()
        if self._mouse.mode:
            snap = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._mouse.move(self.shown, x, y, snap=snap)
            return
        self._point(self.shown, event.position())

    def _point(self, shown: Shown, position: QPointF) -> None:
        """Marks what lies under the pointer, and the moment."""
        at = self._here = hit(shown, position.x(), position.y(), self._range)
        self.setCursor(CURSORS.get(at.zone, Qt.CursorShape.ArrowCursor))
        hovered = () if at.index is None else (at.index,)
        if hovered != self._marks.hovered:
            self.pointed.emit(at.index)
        self._mark(hovered=hovered, cursor=at.time if at.zone in TIMED else None)

    def _changed(self) -> None:
        """The view moved under a pointer that may have stayed where it is."""
        super()._changed()
        if self.shown is not None and self._pointer is not None and not self._mouse.mode:
            self._point(self.shown, self._pointer)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.shown is not None and self._mouse.mode:
            self._mouse.release(self.shown, event.position().x(), event.position().y(), self._range)
            self._point(self.shown, event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.shown is None or event.button() != Qt.MouseButton.LeftButton:
            return
        at = hit(self.shown, event.position().x(), event.position().y(), self._range)
        if at.zone == "body" and at.index is not None:
            self.shown.focus(np.array([at.index]))
            self._changed()
        elif at.zone == "ruler" and self._range is not None:
            self.show_stretch(self._range.start, self._range.end)
        elif at.note is not None:
            self.edit_note(at.note)
        elif at.band is not None and (at.zone == "names" or (at.zone == "body" and at.band.folded)):
            self.fold(at.band)
        else:
            self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.shown is None:
            return
        self._pointer = event.position()
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
        if QApplication.activePopupWidget() is None:  # what a context menu is about stays
            self._here = self._pointer = None
            self._mark(cursor=None)
        self._mark(hovered=())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1.0 + event.value())
            return True
        return super().event(event)
