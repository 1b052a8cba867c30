"""A plane as a widget: zoom (both ways, or one way over an axis), drag to move, point, choose."""

from __future__ import annotations

from collections.abc import Iterable
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

from app.widgets.abilities import ITEM
from app.widgets.backing import Backing
from app.widgets.display import Display
from app.widgets.plane.scene import Scene
from app.widgets.plane.view import PlaneLayout, PlaneView
from app.widgets.span import History
from app.widgets.texts import shown_line
from app.widgets.theme import Theme
from app.widgets.tips import tip

NOTCH = 120
ZOOM_NOTCH = 1.25
WHEEL_SHARE = 0.12
DRAG_LEAST = 4.0
AROUND = 0.5
"""Of its own size, around a selection that is brought to view."""


class PlaneCanvas(QWidget):
    """Signals: ``chosen`` (item, whether it adds to what is chosen), ``pointed`` (item, -1 none), ``legend_clicked``
    (entry of the legend)."""

    chosen = Signal(int, bool)
    pointed = Signal(int)
    legend_clicked = Signal(int)
    held = False

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.scene: Scene | None = None
        self.history: History[PlaneView] | None = None
        self.selected: frozenset[int] = frozenset()
        self.hovered = -1
        self._backing = Backing(self)
        self._pressed: QPointF | None = None
        self._moved = False
        self._focused_once = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 96)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        display.changed.connect(self._redraw)

    # -- contents -----------------------------------------------------------------------------------------

    def set_scene(self, scene: Scene | None) -> None:
        """Another scene; the view stays where the plane is the same."""
        before, self.scene = self.scene, scene
        if scene is None:
            self.history = None
        elif self.history is None or before is None or before.shape != scene.shape:
            self.history = History(scene.whole())
        self.setAccessibleName(shown_line("" if scene is None else f"Plot: {scene.title}"))
        self.setAccessibleDescription("The table holds the same figures.")
        self.hovered = -1
        self._redraw()

    def mark(self, items: Iterable[int], *, reveal: bool = False) -> None:
        """Shows these as selected, and brings the first to view."""
        self.selected = frozenset(items)
        self._focused_once = False
        first = min(self.selected, default=-1)
        box = self.scene.bounds(first) if reveal and self.scene is not None and first >= 0 else None
        if box is not None and self.history is not None:
            self._go(self.history.view.showing(*box), "reveal")
        self.update()

    def hover(self, item: int) -> None:
        """Outlines something that is pointed at elsewhere; -1 none."""
        if item != self.hovered:
            self.hovered = item
            self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """What is seen now, for export."""
        if self.scene is not None and self.history is not None:
            look = replace(self._display.look, theme=theme)
            metrics = QFontMetricsF(painter.font(), painter.device())
            self.scene.draw(painter, self.scene.lay_out(place, self.history.view, look, metrics), look)

    def layout_now(self) -> PlaneLayout | None:
        """Where everything lies at the moment."""
        if self.scene is None or self.history is None:
            return None
        metrics = QFontMetricsF(self.font(), self)
        return self.scene.lay_out(QRectF(self.rect()), self.history.view, self._display.look, metrics)

    # -- Canvas -------------------------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        layout = self.layout_now()
        if layout is not None:
            point = QPointF(self.mapFromGlobal(self.cursor().pos()))
            self._zoom_about(factor, point if layout.plot.contains(point) else layout.plot.center(), "zoom")

    def pan(self, fraction: float) -> None:
        if self.history is not None:
            self._go(self.history.view.moved(fraction, 0), "pan")

    def scroll_rows(self, rows: int) -> None:
        if self.history is not None:
            self._go(self.history.view.moved(0, -rows * WHEEL_SHARE), "scroll")

    def fit(self) -> None:
        if self.scene is not None:
            self._go(self.scene.whole())

    def focus_selection(self) -> None:
        boxes = [] if self.scene is None else [self.scene.bounds(item) for item in self.selected]
        known = [box for box in boxes if box is not None]
        if self.history is None or self._focused_once or not known:
            self._focused_once = False
            self.fit()
            return
        left, right = min(box[0] for box in known), max(box[1] for box in known)
        low, high = min(box[2] for box in known), max(box[3] for box in known)
        x, y = self.history.view.x, self.history.view.y
        x = x.at(left - AROUND * (right - left), right + AROUND * (right - left))
        self._go(PlaneView(x, y.at(low - AROUND * (high - low), high + AROUND * (high - low))))
        self._focused_once = True

    def back(self) -> None:
        if self.history is not None and self.history.back():
            self._redraw()

    def forward(self) -> None:
        if self.history is not None and self.history.forward():
            self._redraw()

    def step_item(self, direction: int) -> None:
        if self.scene is not None:
            item = self.scene.step(min(self.selected, default=-1), direction)
            if item >= 0:
                self.chosen.emit(item, False)
                self.mark((item,), reveal=True)

    def selection_to_range(self) -> None:
        """A plane has no range."""

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        layout, look = self.layout_now(), self._display.look
        with QPainter(self) as painter:
            if self.scene is None or layout is None:
                painter.fillRect(self.rect(), QColor(look.theme.surface))
                return
            scene = self.scene
            painter.drawImage(
                0, 0, self._backing.image(look.theme.surface, lambda painter, _: scene.draw(painter, layout, look))
            )
            self.scene.draw_marks(painter, layout, self.selected, self.hovered, look)

    def _redraw(self) -> None:
        self._backing.spoil()
        self.update()

    # -- gestures -----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.describe(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def describe(self, point: QPointF) -> str:
        """What the tool tip says at ``point``."""
        layout = self.layout_now()
        return "" if layout is None or self.scene is None else self.scene.describe(layout, point, self._display.look)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._redraw()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer; without, it moves up and down, with Shift sideways."""
        if self.history is None:
            return
        view = self.history.view
        x, y = event.angleDelta().x() / NOTCH, event.angleDelta().y() / NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_about(ZOOM_NOTCH**y, event.position(), "wheel")
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or x:
            self._go(view.moved(-(x or y) * WHEEL_SHARE, 0), "wheel pan")
        else:
            self._go(view.moved(0, y * WHEEL_SHARE), "wheel scroll")
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, layout = event.position(), self.layout_now()
        if layout is None or self.scene is None or self.history is None:
            return
        if self._pressed is not None:
            far = point - self._pressed
            if self._moved or far.manhattanLength() >= DRAG_LEAST:
                shift = -far.x() / max(layout.plot.width(), 1.0), far.y() / max(layout.plot.height(), 1.0)
                self._go(self.history.view.moved(*shift), "drag")
                self._pressed, self._moved = point, True
            return
        item = self.scene.item_at(layout, point)
        if item != self.hovered:
            self.hover(item)
            self.pointed.emit(item)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, moved, layout = self._pressed, self._moved, self.layout_now()
        self._pressed, self._moved = None, False
        if pressed is None or moved or layout is None or self.scene is None:
            return
        entry = self.scene.legend_at(layout, pressed)
        if entry >= 0:
            self.legend_clicked.emit(entry)
            return
        item = self.scene.item_at(layout, pressed)
        if item >= 0:
            adding = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
            self.chosen.emit(item, bool(event.modifiers() & adding))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zooms in where it was clicked."""
        layout = self.layout_now()
        if layout is not None and layout.plot.contains(event.position()):
            self._zoom_about(3.0, event.position(), "")

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """What lies there, as a click chooses it."""
        layout = self.layout_now()
        if layout is None or self.scene is None or point is None:
            return (ITEM,) if self.selected else ()
        item = self.scene.item_at(layout, QPointF(point))
        if item >= 0 and item not in self.selected:
            self.chosen.emit(item, False)
        return (ITEM,) if item >= 0 else ()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hover(-1)
        self.pointed.emit(-1)

    def _zoom_about(self, factor: float, point: QPointF, gesture: str) -> None:
        """Both ways; over the figures of one axis, only along that one."""
        layout = self.layout_now()
        if layout is None or self.history is None:
            return
        x = 1.0 if point.x() < layout.plot.left() else factor
        y = 1.0 if point.y() > layout.plot.bottom() else factor
        self._go(self.history.view.zoomed(x, y, layout.at(point)), gesture)

    def _go(self, view: PlaneView, gesture: str = "") -> None:
        if self.history is not None and view != self.history.view:
            self.history.go(view, gesture, held=self.held)
            self._redraw()
