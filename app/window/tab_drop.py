"""Dragging a profile's tab onto another one: the dropped profile becomes the baseline of the other."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QTabBar, QToolTip, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.widgets.display import Display
from app.widgets.tips import tip

FILL: Final = 40
"""Opacity of the mark, of 255."""
BELOW: Final = 12
"""Pixels from the pointer to the text that says what a drop does."""


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
    drop anywhere else, do nothing."""

    dropped = Signal(int, int)

    def __init__(self, bar: QTabBar, display: Display) -> None:
        super().__init__(bar)
        self._bar = bar
        self._pressed = -1
        self._start = QPoint()
        self._dragging = False
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
        text = tr("Compare {after} with {before} (baseline)", after=shown_line(names[0]), before=shown_line(names[1]))
        QToolTip.showText(self._bar.mapToGlobal(point + QPoint(0, BELOW)), tip(text), self._bar)
