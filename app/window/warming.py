"""Imports the panels while nothing else is to be done, so that the first file does not wait for them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from app.panels.panel import PanelSpec

PAUSE_MS = 10
"""Between two panels the window answers keys and mouse."""


class Warming(QObject):
    """One panel at a time, in the order of the list; those that a profile needs before are there already. Signal
    ``done``: all are there."""

    done = Signal()

    def __init__(self, panels: Iterable[PanelSpec], parent: QObject) -> None:
        super().__init__(parent)
        self._left = list(panels)
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        if self._left:
            self._left.pop(0).load()
        else:
            self._timer.stop()
            self.done.emit()
