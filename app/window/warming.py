"""Imports panels and what draws charts while nothing else is to be done, so that the first file does not wait for
them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer, Signal

PAUSE_MS = 10
"""Between two imports the window answers keys and mouse."""


class Warming(QObject):
    """One import at a time, in the order of the list; what a profile needs before is there already. Signal ``done``:
    all are there."""

    done = Signal()

    def __init__(self, imports: Iterable[Callable[[], object]], parent: QObject) -> None:
        super().__init__(parent)
        self._left = list(imports)
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        if self._left:
            self._left.pop(0)()
        else:
            self._timer.stop()
            self.done.emit()
