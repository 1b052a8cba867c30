"""The process that ``bench_first`` measures: the window opens files, and prints when the first of them was on the
screen.

``python -m benchmarks.one_first SECONDS FILE ...``: the files are opened so many seconds after the idle imports; with
"now" instead of a number, as soon as the window can be used.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer

from app.document.document import Update
from app.panels.panel import Panel
from app.window.main_window import MainWindow
from benchmarks import started

LOOK_MS = 20
PAINTED_AT_LATEST = 100
"""Looks after everything was read, in which a panel has to be painted."""


class First(QObject):
    """Notes the milliseconds from the drop of ``files``: ``began``, ``section`` (the first data of a file), ``painted``
    (by the first panel that shows some), ``whole``."""

    def __init__(self, files: list[Path], settle: float | None) -> None:
        super().__init__()
        self._files = files
        self._settle = settle
        self._ready: float | None = None
        self._begin = self._worked = 0.0
        self._panel = ""
        self._times: dict[str, tuple[float, str, float]] = {}

    def look(self, window: MainWindow) -> bool:
        """Opens the files when it is time."""
        if self._settle is not None:
            if not started.imports_done(window):
                return False
            self._ready = self._ready or time.perf_counter()
            if time.perf_counter() < self._ready + self._settle:
                return False
        window.document.updated.connect(self._updated)
        window.loader.idle.connect(lambda: self._end(window))
        self._begin, self._worked = time.perf_counter(), time.process_time()
        window.open(self._files)
        return True

    def watch(self, panel: Panel) -> None:
        """Waits for the next painting of a panel that was filled."""
        profile = panel.profile
        if profile is None or not profile.filled() or not panel.isVisible() or panel.stack.is_empty:
            return
        self._panel = self._panel or panel.spec.id
        panel.stack.content.installEventFilter(self)
        for child in panel.stack.content.findChildren(QObject):
            child.installEventFilter(self)
        panel.stack.content.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and "painted" not in self._times:
            QTimer.singleShot(0, lambda: self._note("painted", self._panel))
        return super().eventFilter(watched, event)

    def _note(self, what: str, detail: str = "") -> None:
        if what not in self._times:
            worked = 1e3 * (time.process_time() - self._worked)
            self._times[what] = (1e3 * (time.perf_counter() - self._begin), detail, worked)

    def _updated(self, update: Update) -> None:
        if update.profile is not None:
            self._note("began")
            if update.profile.filled():
                self._note("section", ",".join(update.profile.filled()))

    def _end(self, window: MainWindow, looks: int = PAINTED_AT_LATEST) -> None:
        self._note("whole")
        if "painted" in self._times or not looks:
            print(json.dumps(self._times), flush=True)
            window.close()
        else:
            QTimer.singleShot(LOOK_MS, window, lambda: self._end(window, looks - 1))


def main(when: str, files: list[Path]) -> None:
    first = First(files, None if when == "now" else float(when))
    filled = Panel._filled

    def noted(panel: Panel) -> None:
        filled(panel)
        first.watch(panel)

    Panel._filled = noted  # type: ignore[method-assign, assignment]
    started.run(first.look, LOOK_MS)


if __name__ == "__main__":
    main(sys.argv[1], [Path(word) for word in sys.argv[2:]])
