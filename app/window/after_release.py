"""Makes what moves docks wait until no mouse button is down."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QCursor, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

LOOK_MS: Final = 15
LONGEST_S: Final = 10.0
"""Qt may miss a release, and then reports the button until the mouse moves. After this time without a movement the drag
is ended; a wait never lasts for ever."""


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
