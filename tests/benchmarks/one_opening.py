"""The process that ``bench_opening`` measures: the window opens one sample after its idle imports, and prints the
milliseconds of processor time of the longest turn of the event loop.

``python -m benchmarks.one_opening SAMPLE [--now]``: with ``--now`` before these imports, and hardly waiting for panels.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtCore import QAbstractEventDispatcher, QTimer

from app.window.main_window import MainWindow
from benchmarks import started

LOOK_MS = 100
AFTERWARDS_MS = 1000
"""Time in which panels are built after everything was read."""


class Opening:
    """Opens a sample and measures the turns of the event loop from then on."""

    def __init__(self, sample: Path, *, now: bool) -> None:
        self._sample = sample
        self._now = now
        self._begun = 0.0
        self._longest = 0.0

    def look(self, window: MainWindow) -> bool:
        """Begins when the window is idle."""
        if not self._now and not started.imports_done(window):
            return False
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.connect(self._turn)
        dispatcher.aboutToBlock.connect(self._turn)
        wait = LOOK_MS if self._now else AFTERWARDS_MS
        window.loader.idle.connect(lambda: QTimer.singleShot(wait, window, lambda: self._end(window)))
        self._begun = time.thread_time()
        window.open([self._sample])
        return True

    def _turn(self) -> None:
        now = time.thread_time()
        self._longest = max(self._longest, now - self._begun)
        self._begun = now

    def _end(self, window: MainWindow) -> None:
        print(1e3 * self._longest, flush=True)
        window.close()


if __name__ == "__main__":
    started.run(Opening(Path(sys.argv[1]), now="--now" in sys.argv).look, LOOK_MS)
