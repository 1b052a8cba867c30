"""What the mouse does on a timeline.

Left drag on the ruler or over the rows draws the range (it is the measure, too); its edges can be dragged, and go
to the ends of slices that are near (not with Shift). Ctrl+left drag zooms to the stretch. Middle drag pans. A click
selects, on the names of lanes and processes with Ctrl besides what is selected; on a triangle it folds. A double click
zooms to the slice, on a name it folds. The wheel scrolls rows, with Ctrl it zooms at the pointer, with Shift it pans.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QInputEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.profile.selection import TimeRange
from app.widgets.gestures import MOVE_NOTCH, SLOP, ZOOM_NOTCH, notches_of
from app.widgets.timeline import view as views
from app.widgets.timeline.choosing import Choosing
from app.widgets.timeline.note_taking import NoteTaking
from app.widgets.timeline.pick import Hit, hit, snapped
from app.widgets.timeline.stage import Stage
from app.widgets.timeline.state import Shown
from app.widgets.timeline.view import View

Mode: TypeAlias = Literal["", "press", "range", "edge", "zoom", "pan", "border"]

NOTCH_ROWS = 3
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
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Drag(Struct):
    """One drag, begun at ``x``, ``y``. ``anchor``: the moment that stays; ``view``: the one it began with; ``stretch``:
    the range being drawn, None while there is none; ``adding``: a click adds to what is chosen."""

    mode: Mode = ""
    x: float = 0.0
    y: float = 0.0
    anchor: float = 0.0
    view: View | None = None
    stretch: TimeRange | None = None
    adding: bool = False

    @property
    def draws(self) -> bool:
        return self.mode in ("range", "edge", "zoom")


class Gestures(QObject):
    """``drag``: the one that goes on; ``pointer``: where the pointer rests, None where it is elsewhere. Signals:
    ``pointed`` (slice index or None under the pointer), ``range_chosen`` (TimeRange or None), ``range_dragged`` (the
    same, while it is drawn), ``marked`` when marks are other ones."""

    pointed = Signal(object)
    range_chosen = Signal(object)
    range_dragged = Signal(object)
    marked = Signal()

    def __init__(self, stage: Stage, choosing: Choosing, notes: NoteTaking, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._stage, self._choosing, self._notes, self._canvas = stage, choosing, notes, canvas
        self.drag = Drag()
        self.pointer: QPointF | None = None

    def hit(self, shown: Shown, position: QPointF) -> Hit:
        """What lies at a point of the canvas."""
        return hit(shown, position.x(), position.y(), self._stage.range)

    # -- events -------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> None:
        shown, stretch = self._stage.shown, self._stage.range
        if shown is None:
            return
        at, x, y = self.hit(shown, event.position()), event.position().x(), event.position().y()
        if event.button() == Qt.MouseButton.MiddleButton:
            self.drag = Drag("pan", x, y, view=shown.view)
            self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton and at.zone in ("start", "end") and stretch is not None:
            self.drag = Drag("edge", x, y, stretch.start if at.zone == "end" else stretch.end, stretch=stretch)
        elif event.button() == Qt.MouseButton.LeftButton:
            anchor = snapped(shown, x, y) if snaps(event) else at.time
            zoom = bool(event.modifiers() & CTRL)
            self.drag = Drag(mode_of(at, zoom=zoom), x, y, anchor, adding=zoom)

    def move(self, event: QMouseEvent) -> None:
        shown = self._stage.shown
        if shown is None:
            return
        self.pointer = event.position()
        if self.drag.mode:
            self._drag_to(shown, self.pointer.x(), self.pointer.y(), snap=snaps(event))
        else:
            self._point(shown, self.pointer)

    def release(self, event: QMouseEvent) -> None:
        shown, drag = self._stage.shown, self.drag
        if shown is None or not drag.mode:
            return
        self.drag = Drag()
        if drag.mode == "press":
            self._choosing.click(self.hit(shown, event.position()), add=drag.adding)
        elif drag.mode in ("range", "edge") and drag.stretch is not None and drag.stretch.end > drag.stretch.start:
            self._mark(dragged=False)
            self.range_chosen.emit(drag.stretch)
        elif drag.mode == "zoom":
            self._show_drawn(None)
            if drag.stretch is not None:
                shown.navigation.show_stretch(drag.stretch.start, drag.stretch.end)
        self._point(shown, event.position())

    def double_click(self, event: QMouseEvent) -> None:
        shown, stretch = self._stage.shown, self._stage.range
        if shown is None or event.button() != Qt.MouseButton.LeftButton:
            return
        at = self.hit(shown, event.position())
        if at.zone == "body" and at.index is not None:
            shown.navigation.focus(np.array([at.index]))
        elif at.zone == "ruler" and stretch is not None:
            shown.navigation.show_stretch(stretch.start, stretch.end)
        elif at.note is not None:
            self._notes.edit(at.note)
        elif at.band is not None and (at.zone == "names" or (at.zone == "body" and at.band.folded)):
            self._choosing.fold(at.band)
        else:
            self.press(event)

    def wheel(self, event: QWheelEvent) -> None:
        shown = self._stage.shown
        if shown is None:
            return
        self.pointer = event.position()
        notches, sideways = notches_of(event)
        if event.modifiers() & CTRL:
            moment = shown.scene().time(max(self.pointer.x(), shown.place.gutter))
            shown.navigation.zoom_at(moment, ZOOM_NOTCH**notches)
        else:
            if event.modifiers() & SHIFT:
                sideways, notches = sideways + notches, 0.0
            view = views.panned(shown.view, -sideways * MOVE_NOTCH, shown.bounds) if sideways else shown.view
            down = round(-notches * NOTCH_ROWS * shown.lanes.sizes.row)
            shown.navigation.go(views.scrolled(view, down, shown.bounds), "scroll")
        event.accept()

    def leave(self) -> None:
        """The pointer is elsewhere."""
        if self._stage.marks.hovered:
            self.pointed.emit(None)
        if QApplication.activePopupWidget() is None:  # what a context menu is about stays
            self._stage.here = self.pointer = None
            self._mark(cursor=None)
        self._mark(hovered=())

    def follow(self) -> None:
        """The view moved under a pointer that may have stayed where it is."""
        if self._stage.shown is not None and self.pointer is not None and not self.drag.mode:
            self._point(self._stage.shown, self.pointer)

    def cancel(self) -> bool:
        """What a drag drew is forgotten; False where there is none."""
        if not self.drag.mode:
            return False
        self.drag = Drag()
        self._show_drawn(None)
        self._canvas.unsetCursor()
        return True

    # -- within -------------------------------------------------------------------------------------------

    def _drag_to(self, shown: Shown, x: float, y: float, *, snap: bool) -> None:
        drag = self.drag
        if drag.mode == "border":
            shown.lanes.set_gutter(round(x))
        elif drag.mode == "pan" and drag.view is not None:
            shift = (x - drag.x) * drag.view.span / shown.place.body.width
            moved = View(drag.view.start - shift, drag.view.end - shift, drag.view.top - round(y - drag.y))
            shown.navigation.go(views.clamped(moved, shown.bounds), "drag")
        elif drag.mode == "press" and abs(x - drag.x) > SLOP and drag.x >= shown.place.gutter:
            drag.mode = "range"
        if drag.draws and abs(x - drag.x) >= 1:
            moment = snapped(shown, x, y) if snap else shown.scene().time(x)
            moment = min(max(moment, shown.view.start), shown.view.end)
            drag.stretch = TimeRange(min(drag.anchor, moment), max(drag.anchor, moment))
            self._show_drawn(drag.stretch)

    def _show_drawn(self, stretch: TimeRange | None) -> None:
        """The range is being drawn (or no longer: then it is what it was)."""
        self._mark(range=stretch or self._stage.range, dragged=stretch is not None)
        self.range_dragged.emit(None if self.drag.mode == "zoom" else stretch)

    def _point(self, shown: Shown, position: QPointF) -> None:
        """Marks what lies under the pointer, and the moment."""
        at = self._stage.here = self.hit(shown, position)
        self._canvas.setCursor(CURSORS.get(at.zone, Qt.CursorShape.ArrowCursor))
        hovered = () if at.index is None else (at.index,)
        if hovered != self._stage.marks.hovered:
            self.pointed.emit(at.index)
        self._mark(hovered=hovered, cursor=at.time if at.zone in TIMED else None)

    def _mark(self, **changes: object) -> None:
        if self._stage.mark(**changes):
            self.marked.emit()


def snaps(event: QInputEvent) -> bool:
    """Whether edges go to the ends of slices nearby."""
    return not event.modifiers() & SHIFT


def mode_of(at: Hit, *, zoom: bool) -> Mode:
    """What the left button begins; ``zoom``: with Ctrl."""
    if at.zone == "border":
        return "border"
    if at.zone in ("names", "fold", "corner"):
        return "press"
    if zoom:
        return "zoom"
    return "range" if at.zone == "ruler" else "press"
