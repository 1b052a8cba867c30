"""The canvas of all scenes: zooming, panning, view history, hover, selection and tool tips, whatever the scene
draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.language import labelled, tr
from app.profile.arrays import I64, distinct
from app.views.axis import History
from app.views.look import Theme
from app.views.texts import shown_line
from app.widgets.abilities import ITEM, HandlesEscape, HasItemMenus, HasPicture, HasViewState
from app.widgets.announce import announce
from app.widgets.backing import Backing
from app.widgets.canvas import Canvas, why_no_item
from app.widgets.display import Display
from app.widgets.gestures import DOUBLE_CLICK, MOVE_NOTCH, ZOOM_NOTCH, adds, turn_of
from app.widgets.plane.cursor import beginning, bring_to_sight, cursor_box, draw_cursor
from app.widgets.plane.press import Press
from app.widgets.plane.scene import Hit, Marks, Scene
from app.widgets.plane.view import PlaneView
from app.widgets.tips import tip

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewState, ViewValue

SceneT = TypeVar("SceneT", bound=Scene)
LEAST_SIZE = QSize(160, 96)
LEAST_WIDTH = 120
"""Least width in pixels of a scene with a preferred height."""


def name_of(scene: Scene) -> str:
    """The accessible name of a canvas."""
    return shown_line(labelled(scene.kind, scene.title) if scene.kind else scene.title)


class PlaneCanvas(QWidget, Generic[SceneT], HandlesEscape, HasItemMenus, HasPicture, HasViewState, Canvas):
    """Shows a Scene. Has the abilities Canvas, HasItemMenus, HasPicture, HasViewState and HandlesEscape.

    Signals: ``chosen`` (int64 items, whether they add to the selection), ``pointed`` (item, its description; -1, "" for
    none), ``legend_clicked`` (legend entry), ``range_wanted`` (first, last place), ``viewed``: another part is in view.
    """

    chosen = Signal(object, bool)
    pointed = Signal(int, str)
    legend_clicked = Signal(int)
    range_wanted = Signal(int, int)
    viewed = Signal()
    held = False

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.scene: SceneT | None = None
        self.history: History[PlaneView] | None = None
        self.marks = Marks()
        self.cursor_at: Hit | None = None
        """Where the keyboard's cursor is."""
        self.page_scrolls = False
        """The canvas is part of a scrolling page: without Ctrl, the wheel scrolls the page."""
        self._backing = Backing(self)
        self._layout: Any = None
        self._drag: Press | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(LEAST_SIZE)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        display.changed.connect(self._redraw)

    # -- contents -----------------------------------------------------------------------------------------

    def set_scene(self, scene: SceneT | None) -> None:
        """Replaces the scene; the view is kept if the new plane has the same shape."""
        before, self.scene = self.scene, scene
        if scene is None:
            self.history = None
        elif self.history is None or before is None or before.shape != scene.shape:
            self.history = History(scene.whole())
            self.cursor_at = None
        self.setAccessibleName(shown_line("" if scene is None else name_of(scene)))
        self.setAccessibleDescription(tr("The table shows the same figures."))
        self.marks = self.marks.but(hovered=None)
        if self._own_height():
            self.setMinimumSize(0, 0)
            self.updateGeometry()
        self._redraw()

    def share_view(self, other: PlaneCanvas[SceneT]) -> None:
        """Shows what ``other`` shows, whichever of the two moves, while their scenes have the same shape."""
        same = self.scene is not None and other.scene is not None and self.scene.shape == other.scene.shape
        if same and self.history is not other.history:
            self.history = other.history
        self._redraw()

    def mark(self, items: I64 | Iterable[int], *, reveal: bool = False) -> None:
        """Shows these items as selected; ``reveal``: pans to the first."""
        chosen = items if isinstance(items, np.ndarray) else np.array(list(items), np.int64)
        self.marks = self.marks.but(selected=distinct(chosen))
        if reveal:
            self._reveal()
        self.update()

    @property
    def selected(self) -> frozenset[int]:
        """The selected items."""
        return self.marks.chosen

    def set_range(self, items: I64 | None) -> None:
        """Fades the items outside the range; None for no range."""
        self.marks = self.marks.but(within=items)
        self.update()

    def hover(self, item: int) -> None:
        """Outlines an item that is hovered elsewhere; -1 for none."""
        if item != self.marks.item:
            hit = None if self.scene is None or item < 0 else self.scene.hit_of(item)
            self.marks = self.marks.but(hovered=hit)
            self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws the current view, for export."""
        if self.scene is not None and self.history is not None:
            look = replace(self._display.look, theme=theme)
            metrics = QFontMetricsF(painter.font(), painter.device())
            scene = self.scene.for_file()
            scene.draw(painter, scene.lay_out(place, self.history.view, look, metrics), look)

    def layout_now(self) -> Any:
        """The current layout, as the scene computed it; None without a scene."""
        if self._layout is None and self.scene is not None and self.history is not None:
            place, metrics = QRectF(self.rect()), QFontMetricsF(self.font(), self)
            self._layout = self.scene.lay_out(place, self.history.view, self._display.look, metrics)
        return self._layout

    # -- Canvas -------------------------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        layout = self.layout_now()
        if layout is not None:
            point = QPointF(self.mapFromGlobal(self.cursor().pos()))
            self._zoom_about(factor, point if layout.plot.contains(point) else layout.plot.center(), "zoom")

    def pan(self, fraction: float) -> None:
        self._move_shares(fraction, 0.0, "pan")

    def scroll_rows(self, rows: int) -> None:
        self._move_shares(0.0, rows * MOVE_NOTCH, "scroll")

    def fit(self) -> None:
        if self.scene is not None:
            self._go(self.scene.whole())

    def focus_selection(self) -> None:
        if self.scene is None or self.history is None:
            return
        view, extent = self.history.view, self.scene.extent(self.layout_now(), self.marks.selected)
        wanted = view if extent is None else self._proportioned(view.around(extent))
        if wanted.is_near(view):
            self.fit()
        else:
            self._go(wanted)

    def back(self) -> None:
        if self.history is not None and self.history.back():
            self._redraw()
            self.viewed.emit()

    def forward(self) -> None:
        if self.history is not None and self.history.forward():
            self._redraw()
            self.viewed.emit()

    def step_item(self, direction: int) -> str:
        item = -1 if self.scene is None else self.scene.step(self._first, direction)
        if item in (-1, self._first):
            return why_no_item(direction, selected=self._first >= 0)
        self._choose_one(item)
        return ""

    def walk(self, across: int, down: int) -> bool:
        layout = self.layout_now()
        if self.scene is None or self.history is None:
            return False
        selected = self._first if self.cursor_at is None else -1
        if self.cursor_at is None and selected < 0:
            return self._put_cursor(beginning(self.scene, layout, self.history.view))
        here = self.scene.hit_of(selected) if self.cursor_at is None else self.cursor_at
        return self._put_cursor(self.scene.walk(layout, here, across, down))

    def walk_to_end(self, direction: int) -> None:
        if self.scene is not None:
            self._put_cursor(self.scene.end(self.cursor_at, direction))

    def choose(self, *, adding: bool) -> None:
        if self.cursor_at is not None and self.cursor_at.selectable and self.cursor_at.item >= 0:
            self.chosen.emit(np.array([self.cursor_at.item], np.int64), adding)
            announce(self, tr("Selected: {what}", what=self._words(self.cursor_at)))

    def selection_to_range(self) -> None:
        ends = None if self.scene is None else self.scene.range_of(self.marks.selected)
        if ends is not None:
            self.range_wanted.emit(*ends)

    # -- other abilities ----------------------------------------------------------------------------------

    def view_state(self) -> dict[str, ViewValue]:
        """The visible part of both axes, unless that is everything."""
        if self.scene is None or self.history is None or self.history.view.is_near(self.scene.whole()):
            return {}
        return self.history.view.state()

    def restore_view(self, saved: ViewState) -> None:
        if self.scene is not None and self.history is not None:
            self._go(self.scene.whole().like(saved))

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """The menu places of the item at ``point`` (None: at the cursor), which is selected as by a click."""
        layout = self.layout_now()
        hit = self.cursor_at
        if point is not None and self.scene is not None and layout is not None:
            hit = self.scene.hit(layout, QPointF(point))
        elif hit is None or self.scene is None:
            return (ITEM,) if len(self.marks.selected) else ()
        if hit is None or not hit.selectable:
            return ()
        if hit.item not in self.marks.selected:
            self.chosen.emit(np.array([hit.item], np.int64), False)
        return (ITEM,)

    def handle_escape(self) -> bool:
        """Cancels a drag: a box is discarded, a pan is undone."""
        drag = self._drag
        self._drag = None
        if drag is None or not drag.moved:
            return False
        self.unsetCursor()
        self.marks = self.marks.but(dragged=None)
        if drag.does == "move" and drag.before is not None and drag.before[0] is self.history:
            self._go(drag.before[1], "drag")  # not ``back``: the gesture may be joined with one before it
        self.update()
        return True

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        layout, look, scene = self.layout_now(), self._display.look, self.scene
        with QPainter(self) as painter:
            if scene is None or layout is None:
                painter.fillRect(self.rect(), QColor(look.theme.surface))
                return
            image = self._backing.image(look.theme.surface, lambda painter, _: scene.draw(painter, layout, look))
            painter.drawImage(0, 0, image)
            scene.draw_marks(painter, layout, self.marks, look)
            if self.cursor_at is not None and self.hasFocus():
                painter.setClipping(False)
                draw_cursor(painter, cursor_box(scene, layout, self.cursor_at), look.theme)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.cursor_at is not None and event.reason() != Qt.FocusReason.PopupFocusReason:
            self._point_at(None)
        self.update()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        """Where the context menu opens that a key asks for."""
        layout = self.layout_now()
        if query == Qt.InputMethodQuery.ImCursorRectangle and self.scene is not None and self.cursor_at is not None:
            return cursor_box(self.scene, layout, self.cursor_at).toRect()
        return super().inputMethodQuery(query)

    def sizeHint(self) -> QSize:
        return QSize(2 * LEAST_SIZE.width(), self._own_height()) if self._own_height() else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH, self._own_height()) if self._own_height() else super().minimumSizeHint()

    def _own_height(self) -> int:
        return 0 if self.scene is None else self.scene.height(QFontMetricsF(self.font(), self))

    def _redraw(self) -> None:
        self._backing.spoil()
        self._layout = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._redraw()

    # -- gestures -----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self.describe(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(text), self)
            return bool(text) or super().event(event)
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self._zoom_about(1.0 + event.value(), event.position(), "pinch")
            return True
        return super().event(event)

    def describe(self, point: QPointF) -> str:
        """The tool tip text at ``point``."""
        layout = self.layout_now()
        return "" if self.scene is None or layout is None else self.scene.describe(layout, point, self._display.look)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = turn_of(event)
        if self.history is None or (self.page_scrolls and not turn.zoom):
            event.ignore()
            return
        if turn.zoom:
            self._zoom_about(ZOOM_NOTCH**turn.zoom, event.position(), "wheel")
        else:
            self._move_shares(-turn.across * MOVE_NOTCH, -turn.down * MOVE_NOTCH, "wheel move")
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.buttons() != event.button() and self.handle_escape():
            return  # another button during a drag cancels it: its menu would take the release
        left = event.button() == Qt.MouseButton.LeftButton
        if self.scene is not None and (left or event.button() == Qt.MouseButton.MiddleButton):
            before = None if self.history is None else (self.history, self.history.view)
            does = self.scene.drag if left else "move"
            self._drag = Press(event.position(), event.position(), does, left, before)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, layout, drag = event.position(), self.layout_now(), self._drag
        if layout is None:
            return
        if drag is not None and drag.goes(point):
            if drag.does == "move":
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
                drag.panned |= self._move(drag.last, point, "drag", held=drag.panned)
                drag.last = point
                return
            self.marks = self.marks.but(dragged=QRectF(drag.start, point).normalized())
            self.update()
        self._point(point)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag, layout, box = self._drag, self.layout_now(), self.marks.dragged
        self._drag = None
        self.unsetCursor()
        self.marks = self.marks.but(dragged=None)
        self.update()
        if drag is None or self.scene is None or layout is None:
            return
        if not drag.moved and drag.clicks:
            self._click(drag.start, adding=adds(event))
        elif box is not None:
            items = self.scene.swept(layout, box)
            if len(items):
                self.chosen.emit(items, adds(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zooms in around the clicked position."""
        layout = self.layout_now()
        if layout is not None and layout.plot.contains(event.position()):
            self._zoom_about(DOUBLE_CLICK, event.position(), "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hover(-1)
        self.pointed.emit(-1, "")

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _first(self) -> int:
        """The first selected item; -1 for none."""
        return int(self.marks.selected[0]) if len(self.marks.selected) else -1

    def _click(self, point: QPointF, *, adding: bool) -> None:
        layout = self.layout_now()
        assert self.scene is not None
        entry = self.scene.legend_at(layout, point)
        if entry >= 0:
            self.legend_clicked.emit(entry)
            return
        hit = self.scene.hit(layout, point)
        if hit is not None and hit.selectable:
            self.chosen.emit(np.array([hit.item], np.int64), adding)

    def _point(self, point: QPointF) -> None:
        """Highlights the item under the pointer, and emits ``pointed`` when it changes."""
        assert self.scene is not None
        self._point_at(self.scene.hit(self.layout_now(), point))

    def _point_at(self, hit: Hit | None) -> None:
        if hit != self.marks.hovered:
            self.marks = self.marks.but(hovered=hit)
            self.pointed.emit(-1 if hit is None else hit.item, self._words(hit))
            self.update()

    def _words(self, hit: Hit | None) -> str:
        return "" if hit is None or self.scene is None else self.scene.words(hit, self._display.look)

    def _put_cursor(self, hit: Hit | None) -> bool:
        """Moves the keyboard's cursor, which points at things as the mouse does, and is spoken; False without items."""
        if hit is None or self.scene is None or self.history is None:
            return False
        self.cursor_at = hit
        extent = self.scene.extent_of(self.layout_now(), hit)
        if extent is not None:
            self._go(self.history.view.showing(extent), "reveal")
        bring_to_sight(self, cursor_box(self.scene, self.layout_now(), hit))
        self._point_at(hit)
        announce(self, self._words(hit))
        self.update()
        return True

    def _choose_one(self, item: int) -> None:
        if item >= 0:
            self.chosen.emit(np.array([item], np.int64), False)
            self._reveal()

    def _reveal(self) -> None:
        """Pans to the selection."""
        if self.scene is not None and self.history is not None:
            extent = self.scene.extent(self.layout_now(), self.scene.lead(self.marks.selected))
            if extent is not None:
                self._go(self.history.view.showing(extent), "reveal")

    def _zoom_about(self, factor: float, point: QPointF, gesture: str) -> None:
        """Zooms both axes around ``point``; over the labels of one axis only that axis, if the axes zoom separately."""
        layout = self.layout_now()
        if self.scene is None or self.history is None or layout is None:
            return
        view = self.history.view
        both = self.scene.together or view.y.least >= view.y.size
        x = factor if both or point.x() >= layout.plot.left() else 1.0
        y = factor if both or point.y() <= layout.plot.bottom() else 1.0
        self._go(view.zoomed(x, y, layout.at(point)), gesture)

    def _move_shares(self, across: float, down: float, gesture: str) -> None:
        """Pans by fractions of the view; if only one axis can move, along that one."""
        layout = self.layout_now()
        if self.history is None or layout is None:
            return
        if self.history.view.y.least >= self.history.view.y.size:
            across, down = across + down, 0.0
        plot = layout.plot
        end = plot.center()
        self._move(end, end - QPointF(across * plot.width(), down * plot.height()), gesture)

    def _move(self, start: QPointF, end: QPointF, gesture: str, *, held: bool = False) -> bool:
        """Pans so that the position under ``start`` moves to ``end`` (screen points); returns whether it could."""
        layout = self.layout_now()
        if self.history is None or layout is None:
            return False
        (x, y), (left, low) = layout.at(start), layout.at(end)
        return self._go(self.history.view.moved(x - left, y - low), gesture, held=held)

    def _proportioned(self, view: PlaneView) -> PlaneView:
        return view.in_proportion() if self.scene is not None and self.scene.together else view

    def _go(self, view: PlaneView, gesture: str = "", *, held: bool = False) -> bool:
        """Goes to a view, returns False if it is the same; ``held``: in one gesture with the step before."""
        if self.history is None or (view := self._proportioned(view)) == self.history.view:
            return False
        self.history.go(view, gesture, held=self.held or held)
        self._redraw()
        self.viewed.emit()
        return True
