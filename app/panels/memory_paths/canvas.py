"""The diagram as a widget: zoom, move, point at arrows and boxes, choose arrows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.analysis.ascend.diagram.figures import BlockFigures
from app.analysis.ascend.diagram.parts import Arrow
from app.panels.memory_paths.draw import Marks, draw_paths
from app.panels.memory_paths.layout import DiagramView, Layout, arrow_at, box_at, lay_out
from app.panels.memory_paths.texts import drawn, marked
from app.panels.memory_paths.words import Show, about_box, about_path, notes
from app.widgets.abilities import ITEM
from app.widgets.display import Display
from app.widgets.span import History
from app.widgets.texts import shown_line
from app.widgets.theme import Theme
from app.widgets.tips import tip

NOTCH = 120
ZOOM_NOTCH = 1.25
WHEEL_SHARE = 0.12
DRAG_LEAST = 4.0


class PathsCanvas(QWidget):
    """Signals: ``chosen`` (path, whether it adds to what is chosen), ``pointed`` (path, -1 beside the arrows)."""

    chosen = Signal(int, bool)
    pointed = Signal(int)
    held = False

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.figures: BlockFigures | None = None
        self.show_as: Show = "bandwidth"
        self.history: History[DiagramView] = History(DiagramView())
        self.marks = Marks()
        self._pressed: QPointF | None = None
        self._moved = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(240, 120)
        display.changed.connect(self.update)

    # -- contents -----------------------------------------------------------------------------------------

    def set_figures(self, figures: BlockFigures | None, show: Show) -> None:
        """Another block, or other labels; the view stays while the diagram is the same."""
        before, self.figures, self.show_as = self.figures, figures, show
        if figures is None or before is None or before.diagram is not figures.diagram:
            self.history.reset(DiagramView())
        self.setAccessibleName(
            shown_line("" if figures is None else f"Diagram: {figures.diagram.title}, {figures.block}")
        )
        self.setAccessibleDescription("The table holds the same figures.")
        self.update()

    def mark(self, paths: frozenset[int]) -> None:
        """Shows these paths as selected."""
        self.marks = Marks(paths, self.marks.hovered)
        self.update()

    def hover(self, path: int) -> None:
        """Outlines a path that is pointed at; -1 none."""
        if path != self.marks.hovered:
            self.marks = Marks(self.marks.selected, path)
            self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """What is seen now, for export."""
        if self.figures is not None:
            draw_paths(painter, place, self.figures, self.show_as, theme, self.history.view)

    # -- Canvas -------------------------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        point = QPointF(self.mapFromGlobal(self.cursor().pos()))
        layout = self._layout()
        if layout is not None:
            self._zoom_about(factor, point if layout.area.contains(point) else layout.area.center(), "zoom")

    def pan(self, fraction: float) -> None:
        self._go(self.history.view.moved(fraction / self.history.view.zoom, 0), "pan")

    def scroll_rows(self, rows: int) -> None:
        self._go(self.history.view.moved(0, rows * WHEEL_SHARE / self.history.view.zoom), "scroll")

    def fit(self) -> None:
        self._go(DiagramView())

    def focus_selection(self) -> None:
        """Brings the middle of the first selected arrow to view; else shows everything."""
        figures = self.figures
        arrow = next((one for one in self._arrows() if one.path in self.marks.selected), None)
        if figures is None or arrow is None:
            self.fit()
            return
        x = (arrow.label.x + arrow.label.width / 2) / figures.diagram.width
        y = (arrow.label.y + arrow.label.height / 2) / figures.diagram.height
        wanted = DiagramView(max(2.0, self.history.view.zoom), x, y).kept()
        self._go(DiagramView() if wanted == self.history.view else wanted)

    def back(self) -> None:
        if self.history.back():
            self.update()

    def forward(self) -> None:
        if self.history.forward():
            self.update()

    def step_item(self, direction: int) -> None:
        """The next or previous path that has figures, by its number."""
        if self.figures is None or not self.figures.shown:
            return
        paths = sorted(self.figures.shown)
        now = min(self.marks.selected, default=-1)
        later = [path for path in paths if path > now] if direction > 0 else [path for path in paths if path < now]
        if later:
            self.chosen.emit(later[0] if direction > 0 else later[-1], False)

    def selection_to_range(self) -> None:
        """Paths have no range."""

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._display.theme.surface))
            if self.figures is not None:
                place, theme = QRectF(self.rect()), self._display.theme
                draw_paths(painter, place, self.figures, self.show_as, theme, self.history.view, self.marks)

    # -- gestures -----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.describe(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def describe(self, point: QPointF) -> str:
        """What the tool tip says of the arrow, box or notes under ``point``; "" beside them."""
        layout, figures = self._layout(), self.figures
        if layout is None or figures is None:
            return ""
        if layout.notes.contains(point):
            return "\n".join(notes(figures, self.show_as, marked(figures, self.show_as)))
        if not layout.area.contains(point):
            return ""
        box = box_at(layout, figures.diagram, point)
        if box is not None:
            return about_box(box, figures.boxes.get(box.figure))
        arrow = arrow_at(layout, self._arrows(), point)
        return "" if arrow is None else about_path(arrow.path, figures.shown.get(arrow.path))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer; without, it moves up and down, with Shift sideways."""
        x, y = event.angleDelta().x() / NOTCH, event.angleDelta().y() / NOTCH
        step = WHEEL_SHARE / self.history.view.zoom
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._zoom_about(ZOOM_NOTCH**y, event.position(), "wheel")
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier or x:
            self._go(self.history.view.moved(-(x or y) * step, 0), "wheel pan")
        else:
            self._go(self.history.view.moved(0, -y * step), "wheel scroll")
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, layout, figures = event.position(), self._layout(), self.figures
        if layout is None or figures is None:
            return
        if self._pressed is not None:
            far = point - self._pressed
            if self._moved or far.manhattanLength() >= DRAG_LEAST:
                scale = layout.scale
                shift = -far.x() / scale / figures.diagram.width, -far.y() / scale / figures.diagram.height
                self._go(self.history.view.moved(*shift), "drag")
                self._pressed, self._moved = point, True
            return
        path = self._path_at(layout, figures, point)
        if path != self.marks.hovered:
            self.hover(path)
            self.pointed.emit(path)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, moved, layout = self._pressed, self._moved, self._layout()
        self._pressed, self._moved = None, False
        if pressed is None or moved or layout is None or self.figures is None:
            return
        adding = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        path = self._path_at(layout, self.figures, event.position())
        if path in self.figures.shown:
            self.chosen.emit(path, bool(event.modifiers() & adding))

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """An arrow, as a click chooses it."""
        layout = self._layout()
        if layout is None or self.figures is None or point is None:
            return (ITEM,) if self.marks.selected else ()
        path = self._path_at(layout, self.figures, QPointF(point))
        if path not in self.figures.shown:
            return ()
        if path not in self.marks.selected:
            self.chosen.emit(path, False)
        return (ITEM,)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zooms in where it was clicked."""
        self._zoom_about(2.0, event.position(), "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hover(-1)
        self.pointed.emit(-1)

    # -- inside -------------------------------------------------------------------------------------------

    def _layout(self) -> Layout | None:
        if self.figures is None:
            return None
        metrics = QFontMetricsF(self.font(), self)
        return lay_out(QRectF(self.rect()), self.figures.diagram, self.history.view, metrics)

    def _arrows(self) -> list[Arrow]:
        return [] if self.figures is None else drawn(self.figures.diagram, self.figures)

    def _path_at(self, layout: Layout, figures: BlockFigures, point: QPointF) -> int:
        if not layout.area.contains(point) or box_at(layout, figures.diagram, point) is not None:
            return -1
        arrow = arrow_at(layout, self._arrows(), point)
        return -1 if arrow is None else arrow.path

    def _zoom_about(self, factor: float, point: QPointF, gesture: str) -> None:
        layout = self._layout()
        if layout is not None and self.figures is not None:
            x, y = layout.at(point)
            diagram = self.figures.diagram
            about = min(max(x / diagram.width, 0.0), 1.0), min(max(y / diagram.height, 0.0), 1.0)
            self._go(self.history.view.zoomed(factor, about), gesture)

    def _go(self, view: DiagramView, gesture: str = "") -> None:
        if view != self.history.view:
            self.history.go(view, gesture, held=self.held)
            self.update()
