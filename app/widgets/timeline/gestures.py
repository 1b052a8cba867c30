"""What the mouse does on a timeline.

Left drag on the ruler or over the rows draws the range (it is the measure, too); its edges can be dragged, and go to
the ends of slices that are near (not with Shift). With Ctrl+Shift it also selects the lanes that it crosses. Left
drag with Ctrl, or middle drag, zooms to the stretch; middle drag with Ctrl zooms out, so that what was in view takes
the stretch; with Shift it pans. A click selects, with Ctrl besides what is selected; on the names of lanes and
processes also with Shift, all from the selected one on; on a triangle it folds. Names are dragged to another place. A
middle click zooms to the slice, or with Ctrl out. A double click zooms to the slice, on a name it folds. The wheel
scrolls rows, with Ctrl it zooms at the pointer, with Shift it pans.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QInputEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.language import tr
from app.profile.selection import TimeRange
from app.views.timeline import view as views
from app.views.timeline.bands import Band
from app.views.timeline.layout import Layout
from app.views.timeline.order import Drop
from app.views.timeline.state import Shown
from app.views.timeline.view import View
from app.widgets.gestures import DOUBLE_CLICK, MOVE_NOTCH, SLOP, ZOOM_NOTCH, notches_of
from app.widgets.timeline.choosing import Choosing
from app.widgets.timeline.note_taking import NoteTaking
from app.widgets.timeline.pick import Hit, hit, lanes_between, snapped
from app.widgets.timeline.stage import Stage

Mode: TypeAlias = Literal["", "press", "range", "area", "edge", "zoom", "out", "pan", "border", "order"]

NOTCH_ROWS = 3
CURSORS = {
    "border": Qt.CursorShape.SplitHCursor,
    "start": Qt.CursorShape.SizeHorCursor,
    "end": Qt.CursorShape.SizeHorCursor,
    "ruler": Qt.CursorShape.IBeamCursor,
    "pin": Qt.CursorShape.PointingHandCursor,
    "fold": Qt.CursorShape.PointingHandCursor,
}
DRAG_CURSORS: dict[Mode, Qt.CursorShape] = {
    "zoom": Qt.CursorShape.CrossCursor,
    "out": Qt.CursorShape.CrossCursor,
    "area": Qt.CursorShape.CrossCursor,
    "pan": Qt.CursorShape.ClosedHandCursor,
    "order": Qt.CursorShape.ClosedHandCursor,
}
"""Pointers during drags; during others it stays what it was over the place where they began."""
TIMED = ("body", "ruler", "notes", "start", "end")
"""Parts in which a place is a moment."""
ON_LANES: tuple[Mode, ...] = ("press", "area", "order")
"""Drags that are about the lanes where they began."""
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class Drag(Struct):
    """One drag, begun at ``x``, ``y`` of the timeline ``shown`` in this ``layout``. ``anchor``: the moment that stays;
    ``view``: the one it began with, and ``panned``: whether there is another one since; ``stretch``: the range being
    drawn, None while there is none; ``lanes``: the lanes that it crosses; ``band``: the lane or process whose name is
    pressed, and ``drop``: where it would stand; ``keys``: those held at the beginning."""

    mode: Mode = ""
    x: float = 0.0
    y: float = 0.0
    shown: Shown | None = None
    layout: Layout | None = None
    anchor: float = 0.0
    view: View | None = None
    panned: bool = False
    stretch: TimeRange | None = None
    lanes: tuple[int, ...] = ()
    band: Band | None = None
    drop: Drop | None = None
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    @property
    def draws(self) -> bool:
        return self.mode in ("range", "area", "edge", "zoom", "out")

    @property
    def zooms(self) -> bool:
        return self.mode in ("zoom", "out")

    def outlived(self, shown: Shown) -> bool:
        """Whether it is about something that is no longer there: another timeline is shown, or the lanes changed."""
        return self.shown is not shown or (self.mode in ON_LANES and self.layout is not shown.layout)


class Gestures(QObject):
    """``drag``: the one that goes on; ``pointer``: where the pointer rests, None where it is elsewhere. Signals:
    ``pointed`` (slice index or None under the pointer), ``range_chosen`` (TimeRange or None), ``range_dragged`` (the
    same, while it is drawn, then None), ``marked`` when marks are other ones."""

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
        if shown is None or (event.buttons() != event.button() and self.cancel()):
            return  # another button during a drag cancels it: its menu would take the release
        at, x, y = self.hit(shown, event.position()), event.position().x(), event.position().y()
        edge = stretch is not None and at.zone in ("start", "end")
        mode: Mode = ""
        if event.button() == Qt.MouseButton.MiddleButton:
            mode = middle_mode(at, event.modifiers())
        elif event.button() == Qt.MouseButton.LeftButton:
            mode = "edge" if edge else left_mode(at, event.modifiers())
        if not mode:
            return
        anchor = snapped(shown, x, y) if snaps(event) else at.time
        self.drag = Drag(mode, x, y, shown, shown.layout, anchor, shown.view, band=at.band, keys=event.modifiers())
        if mode == "edge" and stretch is not None:
            self.drag.anchor, self.drag.stretch = stretch.start if at.zone == "end" else stretch.end, stretch
        if mode in DRAG_CURSORS:
            self._canvas.setCursor(DRAG_CURSORS[mode])

    def move(self, event: QMouseEvent) -> None:
        shown = self._stage.shown
        if shown is None:
            return
        self.pointer = event.position()
        if self.drag.mode and self.drag.outlived(shown):
            self.cancel()
        if self.drag.mode:
            self._drag_to(shown, self.pointer.x(), self.pointer.y(), snap=snaps(event))
        else:
            self._point(shown, self.pointer)

    def release(self, event: QMouseEvent) -> None:
        shown, drag = self._stage.shown, self.drag
        if shown is None or not drag.mode or (drag.outlived(shown) and self.cancel()):
            return
        self.drag = Drag()
        at = self.hit(shown, event.position())
        if drag.mode == "press":
            self._choosing.click(at, add=bool(drag.keys & CTRL), extend=bool(drag.keys & SHIFT))
        elif drag.mode in ("range", "area", "edge") and drag.stretch is not None:
            self._end_range(drag)
        elif drag.zooms:
            self._end_zoom(shown, drag, at)
        elif drag.mode == "order":
            self._mark(carried=None, drop_y=None)
            if drag.band is not None and drag.drop is not None:
                band, drop = drag.band, drag.drop
                self._stage.arrange(tr("move lane"), lambda lanes: lanes.move(band, drop))
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
        if len(self._stage.marks.pointed_at):
            self.pointed.emit(None)
        if QApplication.activePopupWidget() is None:  # what a context menu is about stays
            self._stage.here = self.pointer = None
            self._mark(cursor=None)
        self._mark(hovered=(), named=None)

    def follow(self) -> None:
        """The view moved under a pointer that may have stayed where it is."""
        if self._stage.shown is not None and self.pointer is not None and not self.drag.mode:
            self._point(self._stage.shown, self.pointer)

    def cancel(self) -> bool:
        """What a drag drew is forgotten, and what it moved is in view again; False where there is none."""
        if not self.drag.mode:
            return False
        shown, drag = self._stage.shown, self.drag
        self.drag = Drag()
        if drag.mode == "pan" and drag.view is not None and shown is not None and shown is drag.shown:
            shown.navigation.go(drag.view, "drag")
        self._show_drawn(None)
        self._mark(carried=None, drop_y=None)
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
            drag.panned |= shown.navigation.go(views.clamped(moved, shown.bounds), "drag", held=drag.panned)
        elif drag.mode == "press" and abs(x - drag.x) > SLOP and drag.x >= shown.place.gutter:
            drag.mode = "range"
        elif drag.mode == "press" and abs(y - drag.y) > SLOP and drag.x < shown.place.gutter:
            self._take_up(shown)
        if drag.mode == "order":
            self._carry(shown, y)
        if drag.draws and abs(x - drag.x) >= (SLOP if drag.zooms and drag.stretch is None else 1):
            moment = snapped(shown, x, y) if snap else shown.scene().time(x)
            moment = min(max(moment, shown.view.start), shown.view.end)
            drag.stretch = TimeRange(min(drag.anchor, moment), max(drag.anchor, moment))
            drag.lanes = lanes_between(shown, drag.y, y) if drag.mode == "area" else ()
            self._show_drawn(drag.stretch, drag.lanes)

    def _end_range(self, drag: Drag) -> None:
        """The range that was drawn, and the lanes that it crosses, are chosen."""
        self._mark(dragged=False, crossed=())
        if drag.stretch is not None and drag.stretch.end > drag.stretch.start:
            self.range_chosen.emit(drag.stretch)
            if drag.lanes:
                self._choosing.lanes_chosen.emit(drag.lanes, False)
        self.range_dragged.emit(None)  # last: figures go from the drawn range to the same one, without a step between

    def _end_zoom(self, shown: Shown, drag: Drag, at: Hit) -> None:
        """Zooms to what was drawn, or out of it. Without a drag, the middle button zooms to the slice, or out around
        the pointer, and the left one adds the slice to those that are selected, or removes it."""
        self._show_drawn(None)
        if drag.stretch is not None and drag.mode == "zoom":
            shown.navigation.show_stretch(drag.stretch.start, drag.stretch.end)
        elif drag.stretch is not None:
            view = views.fitted_into(shown.view, drag.stretch.start, drag.stretch.end, shown.bounds)
            shown.navigation.go(view)
        elif drag.mode == "out":
            shown.navigation.go(views.zoomed(shown.view, 1 / DOUBLE_CLICK, at.time, shown.bounds))
        elif at.index is not None and drag.keys & CTRL:
            self._choosing.toggled.emit(at.index)
        elif at.index is not None:
            shown.navigation.focus(np.array([at.index]))

    def _take_up(self, shown: Shown) -> None:
        """The name that is pressed is dragged, where there is any other place for it."""
        band = self.drag.band
        if band is not None and any(shown.lanes.next_drop(band, way) is not None for way in (-1, 1)):
            self.drag.mode = "order"
            self._canvas.setCursor(DRAG_CURSORS["order"])

    def _carry(self, shown: Shown, y: float) -> None:
        """Marks where the name that is dragged would stand; beyond the first and the last row, rows are scrolled."""
        body, layout, band = shown.place.body, shown.layout, self.drag.band
        if band is None:
            return
        if not band.pinned and not body.y + layout.fixed <= y <= body.y + body.height:
            shown.navigation.scroll_rows(-1 if y < body.y + body.height / 2 else 1)
        line = min(max(int(y - body.y), 0 if band.pinned else layout.fixed), int(body.height) - 1)
        top = shown.view.top
        drop = self.drag.drop = shown.lanes.drop_at(band, layout.under(line, top))
        place = None if drop is None else body.y + layout.line(drop.y - 1, top) + 1
        self._mark(carried=band, drop_y=place)

    def _show_drawn(self, stretch: TimeRange | None, lanes: tuple[int, ...] = ()) -> None:
        """The range is being drawn (or no longer: then it is what it was)."""
        zooms = self.drag.zooms
        self._mark(
            range=self._stage.range if zooms else stretch or self._stage.range,
            zoom=stretch if zooms else None,
            dragged=stretch is not None,
            crossed=lanes,
        )
        self.range_dragged.emit(None if zooms else stretch)

    def _point(self, shown: Shown, position: QPointF) -> None:
        """Marks what lies under the pointer, and the moment."""
        at = self._stage.here = self.hit(shown, position)
        self._canvas.setCursor(CURSORS.get(at.zone, Qt.CursorShape.ArrowCursor))
        hovered = () if at.index is None else (at.index,)
        if hovered != self._stage.marks.hovered or self._stage.marks.several is not None:
            self.pointed.emit(at.index)
        named = at.band if at.zone in ("names", "pin", "fold") and at.band and at.band.kind == "lane" else None
        self._mark(hovered=hovered, cursor=at.time if at.zone in TIMED else None, named=named)

    def _mark(self, **changes: object) -> None:
        if self._stage.mark(**changes):
            self.marked.emit()


def snaps(event: QInputEvent) -> bool:
    """Whether edges go to the ends of slices nearby."""
    return not event.modifiers() & SHIFT


def left_mode(at: Hit, keys: Qt.KeyboardModifier) -> Mode:
    """What the left button begins."""
    if at.zone == "border":
        return "border"
    if at.zone in ("names", "fold", "corner", "pin"):
        return "press"
    if keys & CTRL:
        return "area" if keys & SHIFT else "zoom"
    return "range" if at.zone == "ruler" else "press"


def middle_mode(at: Hit, keys: Qt.KeyboardModifier) -> Mode:
    """What the middle button begins."""
    if keys & SHIFT or at.zone not in TIMED:
        return "pan"
    return "out" if keys & CTRL else "zoom"
