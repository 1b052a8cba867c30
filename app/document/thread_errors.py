"""Forwards uncaught exceptions of threads to the window's thread."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Qt, Signal


class ThreadErrors(QObject):
    """Replaces threading.excepthook until ``release``. Signal ``failed`` (type, error, traceback), emitted in the
    thread that this object lives in."""

    failed = Signal(object, object, object)
    _heard = Signal(object, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._before = threading.excepthook
        self._heard.connect(self.failed, Qt.ConnectionType.QueuedConnection)
        threading.excepthook = self._take

    def release(self) -> None:
        threading.excepthook = self._before

    def _take(self, failure: threading.ExceptHookArgs) -> None:
        """Runs in the failing thread. SystemExit ends a thread silently, as in Python's default hook."""
        if failure.exc_type is not SystemExit:
            self._heard.emit(failure.exc_type, failure.exc_value or failure.exc_type(), failure.exc_traceback)
