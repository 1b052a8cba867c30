"""Drag and drop: files dropped anywhere on the window are opened."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.widgets.display import Display


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
            font = painter.font()
            font.setPointSizeF(font.pointSizeF() * 1.6)
            painter.setFont(font)
            painter.setPen(QColor(theme.text))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Drop to open"))


def paths_of(data: QMimeData) -> list[Path]:
    """Returns the local files and folders in a drag."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()] if data.hasUrls() else []
