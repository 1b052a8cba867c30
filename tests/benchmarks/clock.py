"""Times for the widget benchmarks: medians of repeated runs, and frames of a real (offscreen) widget."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QWidget

from app.views.look import LIGHT
from app.window.appearance import apply

REPEATS = 7
FRAMES = 40


def median(run: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median milliseconds of a run."""
    return statistics.median(timed(run) for _ in range(repeats))


def timed(run: Callable[[], object]) -> float:
    """Milliseconds of one run."""
    begin = time.perf_counter()
    run()
    return (time.perf_counter() - begin) * 1e3


def frames(change: Callable[[], object], count: int = FRAMES) -> tuple[float, float]:
    """(median, worst) milliseconds from a change to the painted widget."""
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        change()
        QApplication.processEvents()
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times), max(times)


def application() -> QApplication:
    """The application in the style of the program; windows have their sheets from it or from ``show``."""
    running = QApplication.instance()
    made = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    made.setStyle("Fusion")
    return made


def show(widget: QWidget, width: int, height: int) -> None:
    """Shows a widget in the looks of the program's window."""
    running = QApplication.instance()
    assert isinstance(running, QApplication)
    apply(running, widget, LIGHT)
    widget.resize(width, height)
    widget.show()
    for _ in range(5):
        QApplication.processEvents()
