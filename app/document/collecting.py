"""Runs the cyclic garbage collector in the window's thread only: collected in a loader's thread, Qt objects
in reference cycles would be destroyed there, and Qt objects may only die where they live."""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

CHECK_MS = 1000
SLOW = 0.008
"""Seconds that a full collection may take; after a longer one what has survived is not looked at again."""


class Collecting(QObject):
    """Switches automatic collection off and collects from a timer, by the interpreter's own thresholds. Most objects
    (modules, panels) live as long as the window: looking through them again and again would cost frames, so they are
    set aside. Of those only what is in a reference cycle and is dropped later stays until the end."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thresholds = gc.get_threshold()
        gc.disable()
        self._timer = QTimer(self, interval=CHECK_MS)
        self._timer.timeout.connect(self._check)
        self._timer.start()

    def stop(self) -> None:
        """Gives collection back to the interpreter."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _check(self) -> None:
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > self._thresholds[generation] > 0:
                begin = time.thread_time()
                gc.collect(generation)
                if generation == 2 and time.thread_time() - begin > SLOW:
                    gc.freeze()
                return
