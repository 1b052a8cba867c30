"""What runs while the window is idle: the cyclic garbage collector, and the imports of panels and charts, so that the
first file opens without delay."""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules

from PySide6.QtCore import QObject, QTimer, Signal

CHECK_MS = 1000
SLOW = 0.008
"""Seconds that a full collection may take; after a longer one the surviving objects are excluded (gc.freeze)."""
PAUSE_MS = 10
"""Pause between two steps, in which the window handles input."""
STEP_SECONDS = 0.012
"""A step ends after the first import that exceeds this time."""
ROOT = __name__.rpartition(".window.")[0]
LAYERS = ("profile", "formats", "analysis", "store", "document", "views", "widgets", "panels")
OTHERS = ("numpy.ma", "pygments.lexers.c_cpp")
"""Modules that ours import on first use."""
CHARTS = ("widgets.chart.axes", "widgets.chart.items")
EXPORTS = ("panels.picture", "panels.plots", "store.table_files.parquet", "store.table_files.workbook")
LATER = {f"{ROOT}.{name}" for name in (*CHARTS, *EXPORTS)}
"""Excluded here: modules that import pyqtgraph, which follow last, and those for exports, whose libraries
may be missing."""


class Collecting(QObject):
    """Disables automatic collection and collects from a timer in the window's thread: in a loader's thread it could
    destroy Qt objects, which must happen in the thread they live in. The interpreter's thresholds apply. What was made
    since the last time is traversed once and becomes old: to gather the survivors of many collections would drop a
    frame. Most old objects (modules, panels) live as long as the window, and traversing them repeatedly would drop
    frames, so they are frozen. The only cost: frozen objects that later become garbage in a reference cycle are never
    freed."""

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


def modules() -> Iterator[str]:
    """Yields the names of all modules that read and show profiles, lower layers first; imported one by one, none takes
    long."""
    root = Path(sys.modules[ROOT].__path__[0])
    for layer in LAYERS:
        yield from (name for name in _below(f"{ROOT}.{layer}", root / layer) if name not in LATER)


def _below(package: str, folder: Path) -> Iterator[str]:
    """Yields the names of the modules in a package without importing it, subpackages first."""
    parts = sorted(iter_modules([str(folder)]), key=lambda part: not part.ispkg)
    for part in parts:
        name = f"{package}.{part.name}"
        yield from _below(name, folder / part.name) if part.ispkg else (name,)


def module_imports() -> Iterator[Callable[[], object]]:
    """Yields one import call for each module that is not yet imported when its turn comes."""
    return (partial(import_module, name) for name in chain(modules(), OTHERS) if name not in sys.modules)


class IdleImports(QObject):
    """Runs the imports in order, a few per step, but not while ``busy``; what a profile needs earlier is imported on
    demand. Signal ``done``: all are complete."""

    done = Signal()

    def __init__(
        self, imports: Iterable[Callable[[], object]], parent: QObject, busy: Callable[[], bool] = lambda: False
    ) -> None:
        super().__init__(parent)
        self._left = iter(imports)
        self._busy = busy
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        if self._busy():
            return
        end = time.perf_counter() + STEP_SECONDS
        for load in self._left:
            load()
            if time.perf_counter() >= end:
                return
        self._timer.stop()
        self.done.emit()
