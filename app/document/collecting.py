"""Runs the cyclic garbage collector in the window's thread only. In a loader's thread it could destroy Qt objects in
reference cycles, and Qt objects must be destroyed in the thread they live in."""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

CHECK_MS = 1000
SLOW = 0.008
"""Seconds that a full collection may take; after a longer one the surviving objects are excluded (gc.freeze)."""


class Collecting(QObject):
    """Disables automatic collection and collects from a timer, by the interpreter's thresholds. What was made since the
    last time is traversed once and becomes old: to gather the survivors of many collections would drop a frame. Most
    old objects (modules, panels) live as long as the window, and traversing them repeatedly would drop frames, so they
    are frozen. The only cost: frozen objects that later become garbage in a reference cycle are never freed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        gc.disable()
        self._timer = QTimer(self, interval=CHECK_MS)
        self._timer.timeout.connect(self._check)
        self._timer.start()

    def stop(self) -> None:
        """Re-enables automatic collection."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _check(self) -> None:
        young, middle, old = self._thresholds
        count = gc.get_count()
        if count[2] > middle * old > 0:
            begin = time.thread_time()
            gc.collect()
            if time.thread_time() - begin > SLOW:
                gc.freeze()
        elif count[0] > young > 0:
            gc.collect(1)
