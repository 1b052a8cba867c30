"""Drag and drop: files dropped on the window, a tab dropped on another, and docks, which are arranged only when the
mouse is released."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QCursor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QApplication, QTabBar, QToolTip, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.widgets.display import Display
from app.widgets.texts import HEADLINE, sized
from app.widgets.tips import tip

FILL: Final = 40
"""Opacity of the mark, of 255."""
BELOW: Final = 12
"""Pixels from the pointer to the text that says what a drop does."""
LOOK_MS: Final = 15
LONGEST_S: Final = 10.0
"""Qt may miss a release, and then reports the button until the mouse moves. After this time without a movement the drag
is ended; a wait never lasts for ever."""


class DropOverlay(QWidget):
    """Covers the window while files are dragged over it, so that no panel can accept the drop. Filters events of the
    native window, which receives a drag before any widget does. Signal ``dropped`` (list of paths)."""

    dropped = Signal(object)

    def __init__(self, window: QWidget, display: Display) -> None:
        super().__init__(window)
        self._display = display
        self._watching: QObject | None = None
        self.setAcceptDrops(True)
        self.hide()

    def watch(self) -> None:
        """Installs the event filter; called when the window is shown, since it has no native window before."""
        handle = self.window().windowHandle()
        if handle is not None and handle is not self._watching:
            self._watching = handle
            handle.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent) and paths_of(event.mimeData()):
            self.appear()
        return False

    def appear(self) -> None:
        self.setGeometry(self.window().rect())
        self.show()
        self.raise_()

    def follow(self) -> None:
        """Adapts to the window's new size."""
        if self.isVisible():
            self.setGeometry(self.window().rect())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if paths_of(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = paths_of(event.mimeData())
        event.setDropAction(Qt.DropAction.CopyAction)  # never a move: the source would delete its file
        event.accept()
        self.hide()
        if paths:
            self.dropped.emit(paths)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._display.theme
        veil = QColor(theme.surface)
        veil.setAlphaF(0.86)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), veil)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.accent), 2, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(12, 12, -12, -12), 10, 10)
            painter.setFont(sized(painter.font(), HEADLINE))
            painter.setPen(QColor(theme.text))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Drop to open"))


def paths_of(data: QMimeData) -> list[Path]:
    """Returns the local files and folders in a drag."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []


class DropMark(QWidget):
    """A dashed frame over the tab that a drop would go to; it receives no events."""

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__(parent)
        self._display = display
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        fill = QColor(theme.accent)
        fill.setAlpha(FILL)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme.accent), 2, Qt.PenStyle.DashLine))
            painter.setBrush(fill)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 4, 4)


class TabDrop(QObject):
    """Watches a tab bar. Signal ``dropped`` (index of the dragged tab, of the one below the pointer). Escape, and a
    drop anywhere else, do nothing. ``joins``: says of the same two whether they can become one profile."""

    dropped = Signal(int, int)

    def __init__(self, bar: QTabBar, display: Display) -> None:
        super().__init__(bar)
        self._bar = bar
        self._pressed = -1
        self._start = QPoint()
        self._dragging = False
        self.joins: Callable[[int, int], bool] = lambda _dragged, _target: False
        self.mark = DropMark(display, bar)
        bar.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._dragging and isinstance(event, QKeyEvent):
            return self._key(event)
        if watched is self._bar and isinstance(event, QMouseEvent):
            self._mouse(event)
        return super().eventFilter(watched, event)

    def _mouse(self, event: QMouseEvent) -> None:
        point, kind = event.position().toPoint(), event.type()
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._start = self._bar.tabAt(point), point
        elif kind == QEvent.Type.MouseMove and self._pressed >= 0:
            far = (point - self._start).manhattanLength() >= QApplication.startDragDistance()
            if far and not self._dragging:
                self._begin()
            if self._dragging:
                self._show(point)
        elif kind == QEvent.Type.MouseButtonRelease:
            dragged, target = self._pressed, self._target(point)
            self._end()
            if dragged >= 0 and target >= 0:
                self.dropped.emit(dragged, target)

    def _key(self, event: QKeyEvent) -> bool:
        """Escape cancels the drag; no other key does anything during it."""
        if event.key() == Qt.Key.Key_Escape:
            self._end()
        event.accept()
        return True

    def _begin(self) -> None:
        self._dragging = True
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def _end(self) -> None:
        if self._dragging:
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
            self._bar.unsetCursor()
            QToolTip.hideText()
        self._pressed, self._dragging = -1, False
        self.mark.hide()

    def _target(self, point: QPoint) -> int:
        """The tab that a drop here would go to; -1 for none."""
        place = self._bar.tabAt(point)
        return place if self._dragging and place != self._pressed else -1

    def _show(self, point: QPoint) -> None:
        """Mark the tab below the pointer, and say what a drop does."""
        target = self._target(point)
        self.mark.setVisible(target >= 0)
        self._bar.setCursor(Qt.CursorShape.DragLinkCursor if target >= 0 else Qt.CursorShape.ForbiddenCursor)
        if target < 0:
            QToolTip.hideText()
            return
        self.mark.setGeometry(self._bar.tabRect(target))
        self.mark.raise_()
        names = [self._bar.tabText(index).replace("&&", "&") for index in (target, self._pressed)]
        after, before = map(shown_line, names)
        lines = [tr("Compare {after} with {before} (baseline)", after=after, before=before)]
        if self.joins(self._pressed, target):
            lines.append(tr("or join them as one run"))
        text = "\n".join(lines)
        QToolTip.showText(self._bar.mapToGlobal(point + QPoint(0, BELOW)), tip(text), self._bar)


class AfterRelease(QObject):
    """Qt keeps pointers into the arrangement of docks while one is dragged, and crashes if that changes. ``receivers``:
    returns the widgets that may be waiting for a release; ``harmless``: says of a press that it cannot drag a dock."""

    def __init__(self, receivers: Callable[[], list[QWidget]], parent: QObject) -> None:
        super().__init__(parent)
        self._receivers = receivers
        self.harmless: Callable[[], bool] = lambda: False
        self._waiting: dict[str, Callable[[], object]] = {}
        self._place = QPoint()
        self._moved = 0.0
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def held(self) -> bool:
        """Whether a mouse button is down."""
        return QApplication.mouseButtons() != Qt.MouseButton.NoButton and not self.harmless()

    @property
    def ready(self) -> bool:
        """Whether ``run`` runs at once."""
        return not self.held and not self._waiting

    def run(self, name: str, work: Callable[[], object]) -> None:
        """Runs ``work`` now or after the release: then in the order of requests, of those with one name the last."""
        if self.ready:
            work()
            return
        self._waiting.pop(name, None)
        self._waiting[name] = work
        if not self._timer.isActive():
            self._moved = time.monotonic()
            self._timer.start()

    def _look(self) -> None:
        if self.held and self._is_at_work():
            return
        if self.held:
            self._release()
        waiting, self._waiting = self._waiting, {}
        self._timer.stop()
        for work in waiting.values():
            work()

    def _is_at_work(self) -> bool:
        """Whether the pointer has moved within LONGEST_S."""
        place = QCursor.pos()
        if place != self._place:
            self._place, self._moved = place, time.monotonic()
        return time.monotonic() - self._moved < LONGEST_S

    def _release(self) -> None:
        """Ends the drag of a dock as a release of the button would."""
        grabber = QWidget.mouseGrabber()
        here = QPointF(QCursor.pos())
        for widget in self._receivers() if grabber is None else [grabber]:
            left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
            event = QMouseEvent(
                QEvent.Type.MouseButtonRelease,
                widget.mapFromGlobal(here),
                here,
                left,
                none,
                Qt.KeyboardModifier.NoModifier,
            )
            QApplication.sendEvent(widget, event)
