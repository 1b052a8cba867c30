"""Makes the panels that are seen while a profile arrives."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject, QTimer, Signal

from app.window.dock import Dock


class Building(QObject):
    """One panel in each turn of the event loop, the largest first, so that the window answers and paints in between.
    Each is filled before the next is made, so that what matters most is on the screen first. Signal ``done``: none
    waits any more, and the last is filled."""

    done = Signal()

    def __init__(self, docks: Collection[Dock], parent: QObject) -> None:
        super().__init__(parent)
        self._docks = docks
        self._last: Dock | None = None
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self._next)

    @property
    def waiting(self) -> list[Dock]:
        """Docks that are seen and still empty."""
        return [dock for dock in self._docks if dock.awaited]

    def begin(self) -> None:
        if self.waiting:
            self._timer.start()

    def _next(self) -> None:
        waiting = self.waiting
        if waiting and not self._filling:
            self._last = max(waiting, key=lambda dock: dock.width() * dock.height())
            self._last.fill(at_once=False)
        if self.waiting or self._filling:
            self._timer.start()
        else:
            self.done.emit()

    @property
    def _filling(self) -> bool:
        return self._last is not None and self._last.filling
