"""The strip of blobs as a widget: zoom, pan, what lies under the pointer, what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.panels.blobs.draw import EDGE, StripLayout, blob_name, draw_strip, height_of, lay_out
from app.panels.blobs.filling import Filling, pixels
from app.profile.blobs import blob_type
from app.widgets.abilities import ITEM
from app.widgets.display import Display
from app.widgets.heat.marks import outline
from app.widgets.span import History, Span
from app.widgets.theme import Theme
from app.widgets.tips import tip
from app.widgets.units import percent, size

NOTCH = 120
ZOOM_NOTCH = 1.25
WHEEL_SHARE = 0.12
DRAG_LEAST = 4.0
DEEPEST = 2.0**40
MOST_MARKS = 2000


class BlobStrip(QWidget):
    """Signals: ``chosen`` (blob, whether it adds to what is chosen), ``pointed`` (blob, -1 beside the track)."""

    chosen = Signal(int, bool)
    pointed = Signal(int)
    held = False

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.strip: Filling | None = None
        self.history: History[Span] | None = None
        self.selected: tuple[int, ...] = ()
        self.hovered = -1
        self.reserved = 0.0
        self._names: Sequence[str] = ()
        self._dragged: QPointF | None = None
        self._moved = False
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("How the file is filled")
        self.setAccessibleDescription("The table below holds the same blobs.")
        display.changed.connect(self.update)

    # -- contents -----------------------------------------------------------------------------------------

    def set_strip(self, strip: Filling | None, names: Sequence[str] = ()) -> None:
        """Another strip; ``names`` of its files."""
        same = self.strip is not None and strip is not None and self.strip.size == strip.size
        self.strip, self._names = strip, names
        if strip is None:
            self.history = None
        elif self.history is None or not same:
            self.history = History(Span.whole(strip.size, strip.size / DEEPEST))
        self.selected = tuple(blob for blob in self.selected if strip is not None and blob < len(strip))
        self.hovered = -1
        self.updateGeometry()
        self.update()

    def mark(self, blobs: Sequence[int], *, reveal: bool = False) -> None:
        """Shows these as selected, and brings the first to view."""
        self.selected = tuple(blobs)
        if reveal and self.strip is not None and self.history is not None and self.selected:
            start, end = self._edges(self.selected[0])
            self.history.go(self.history.view.showing(start, end), "reveal")
        self.update()

    def hover(self, blob: int) -> None:
        """Outlines a blob that is pointed at elsewhere; -1 none."""
        self.hovered = blob
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """What is seen now, for export."""
        if self.strip is not None and self.history is not None:
            draw_strip(
                painter, place, self.strip, self._names, replace(self._display.look, theme=theme), self.history.view
            )

    def sizeHint(self) -> QSize:
        return QSize(320, height_of(self.strip, QFontMetricsF(self.font(), self)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    # -- Canvas -------------------------------------------------------------------------------------------

    def zoom(self, factor: float) -> None:
        layout = self._layout()
        if self.history is not None and layout is not None:
            point = QPointF(self.mapFromGlobal(self.cursor().pos()))
            about = layout.place_at(point.x()) if self.rect().contains(point.toPoint()) else None
            self._go(self.history.view.zoomed(factor, about), "zoom")

    def pan(self, fraction: float) -> None:
        if self.history is not None:
            self._go(self.history.view.moved(self.history.view.width * fraction), "pan")

    def scroll_rows(self, rows: int) -> None:
        """There are no rows: steps from blob to blob."""
        self.step_item(1 if rows > 0 else -1)

    def fit(self) -> None:
        if self.history is not None:
            self._go(self.history.view.at(0, self.history.view.size))

    def focus_selection(self) -> None:
        if self.history is None or not self.selected:
            self.fit()
            return
        start, end = self._edges(self.selected[0])
        margin = (end - start) / 2
        wanted = self.history.view.at(start - margin, end + margin)
        if wanted == self.history.view:
            self.fit()
        else:
            self._go(wanted)

    def back(self) -> None:
        if self.history is not None and self.history.back():
            self.update()

    def forward(self) -> None:
        if self.history is not None and self.history.forward():
            self.update()

    def step_item(self, direction: int) -> None:
        if self.strip is not None:
            now = self.selected[0] if self.selected else -1 if direction > 0 else len(self.strip)
            blob = min(max(now + direction, 0), len(self.strip) - 1)
            self.chosen.emit(blob, False)
            self.mark((blob,), reveal=True)

    def selection_to_range(self) -> None:
        """Blobs have no range."""

    # -- painting -----------------------------------------------------------------------------------------

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.surface))
            if self.strip is None or self.history is None:
                return
            place = QRectF(self.rect())
            view, look = self.history.view, self._display.look
            layout = draw_strip(painter, place, self.strip, self._names, look, view, self.reserved)
            accent = QColor(theme.selection)
            for blob in self.selected[:MOST_MARKS]:
                start, end = self._edges(blob)
                if end >= view.start and start <= view.end:
                    box = layout.box(start, end)
                    painter.fillRect(QRectF(box.left(), box.bottom() + 1, box.width(), EDGE), accent)
                    painter.fillRect(QRectF(box.left(), box.top() - 3, box.width(), 2), accent)
            if 0 <= self.hovered < len(self.strip):
                outline(painter, layout.box(*self._edges(self.hovered)).adjusted(0, 0, -1, -1), theme)

    # -- gestures -----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            text = self.describe(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), tip(text), self)
            return True
        return super().event(event)

    def describe(self, point: QPointF) -> str:
        """What the tooltip says of the blob under ``point``; "" beside the track."""
        found, strip = self._under(point), self.strip
        if found is None or strip is None:
            return ""
        blob, count = found
        taken, kind = int(strip.blobs.size[blob]), blob_type(int(strip.blobs.type[blob]))
        share = percent(100.0 * taken / max(float(strip.blobs.size.sum(dtype="float64")), 1.0))
        shown = size(taken, self._display.look.bytes_as)
        lines = [
            f"{kind} {blob_name(strip, blob)}",
            f"{shown} ({taken:,} B), {share} of all blobs, at byte {int(strip.blobs.offset[blob]):,}",
        ]
        if count > 1:
            lines.append(f"the largest of {count:,} blobs here")
        return "\n".join(lines)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms at the pointer; without, it moves along."""
        layout = self._layout()
        if self.history is None or layout is None:
            return
        view = self.history.view
        notches = (event.angleDelta().y() or event.angleDelta().x()) / NOTCH
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._go(view.zoomed(ZOOM_NOTCH**notches, layout.place_at(event.position().x())), "wheel")
        else:
            self._go(view.moved(-notches * view.width * WHEEL_SHARE), "wheel pan")
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        point, layout = event.position(), self._layout()
        if self._dragged is not None and self.history is not None and layout is not None:
            if self._moved or abs(point.x() - self._dragged.x()) >= DRAG_LEAST:
                distance = layout.place_at(self._dragged.x()) - layout.place_at(point.x())
                self._go(self.history.view.moved(distance), "drag")
                self._dragged, self._moved = point, True
            return
        found = self._under(point)
        blob = -1 if found is None else found[0]
        if blob != self.hovered:
            self.hover(blob)
            self.pointed.emit(blob)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, moved = self._dragged, self._moved
        self._dragged, self._moved = None, False
        if pressed is None or moved or event.button() != Qt.MouseButton.LeftButton:
            return
        found = self._under(event.position())
        if found is not None:
            adding = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
            self.chosen.emit(found[0], bool(event.modifiers() & adding))

    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """A blob, as a click chooses it."""
        if point is None:
            return (ITEM,) if self.selected else ()
        found = self._under(QPointF(point))
        if found is None:
            return ()
        if found[0] not in self.selected:
            self.chosen.emit(found[0], False)
        return (ITEM,)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Zooms in where it was clicked."""
        layout = self._layout()
        if self.history is not None and layout is not None:
            self._go(self.history.view.zoomed(4.0, layout.place_at(event.position().x())))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hover(-1)
        self.pointed.emit(-1)

    # -- inside -------------------------------------------------------------------------------------------

    def _layout(self) -> StripLayout | None:
        if self.strip is None or self.history is None:
            return None
        return lay_out(QRectF(self.rect()), self.strip, self.history.view, QFontMetricsF(self.font(), self))

    def _under(self, point: QPointF) -> tuple[int, int] | None:
        """(the largest blob, how many) in the pixel column under ``point``."""
        layout = self._layout()
        if layout is None or self.strip is None or not layout.track.contains(point):
            return None
        x = min(int(point.x() - layout.track.left()), int(layout.track.width()) - 1) + layout.track.left()
        column = pixels(self.strip, layout.place_at(x), layout.place_at(x + 1), 1)
        return int(column.blob[0]), int(column.many[0])

    def _edges(self, blob: int) -> tuple[float, float]:
        assert self.strip is not None
        return float(self.strip.edges[blob]), float(self.strip.edges[blob + 1])

    def _go(self, view: Span, gesture: str = "") -> None:
        if self.history is not None and view != self.history.view:
            self.history.go(view, gesture, held=self.held)
            self.update()
