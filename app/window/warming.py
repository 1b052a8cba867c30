"""Imports what panels and charts need while nothing else is to be done, so that the first file does not wait for it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from pkgutil import iter_modules

from PySide6.QtCore import QObject, QTimer, Signal

PAUSE_MS = 10
"""Between two steps the window answers keys and mouse."""
STEP_SECONDS = 0.012
"""A step ends with the import after which it has taken so long."""
ROOT = __name__.rpartition(".window.")[0]
LAYERS = ("profile", "formats", "analysis", "store", "document", "widgets", "panels")
OTHERS = ("numpy.ma", "pygments.lexers.c_cpp")
"""What our modules import when they are first used."""
LATER = {f"{ROOT}.{name}" for name in ("widgets.chart.axes", "widgets.chart.items", "panels.picture", "panels.plots")}
"""What imports pyqtgraph comes last of all; picture files have time."""


def modules() -> Iterator[str]:
    """All modules that read and show profiles, lower layers first: one by one, none takes long."""
    root = Path(sys.modules[ROOT].__path__[0])
    for layer in LAYERS:
        yield from (name for name in _below(f"{ROOT}.{layer}", root / layer) if name not in LATER)


def _below(package: str, folder: Path) -> Iterator[str]:
    """Names of the modules in a package, without importing it; sub-packages first."""
    parts = sorted(iter_modules([str(folder)]), key=lambda part: not part.ispkg)
    for part in parts:
        name = f"{package}.{part.name}"
        yield from _below(name, folder / part.name) if part.ispkg else (name,)


def module_imports() -> Iterator[Callable[[], object]]:
    """One import for each module that is not imported yet when its turn comes."""
    return (partial(import_module, name) for name in chain(modules(), OTHERS) if name not in sys.modules)


class Warming(QObject):
    """Some imports at a time, in the order of the list; what a profile needs before is there already. Signal ``done``:
    all are there."""

    done = Signal()

    def __init__(self, imports: Iterable[Callable[[], object]], parent: QObject) -> None:
        super().__init__(parent)
        self._left = iter(imports)
        self._timer = QTimer(self, interval=PAUSE_MS)
        self._timer.timeout.connect(self._next)
        self._timer.start()

    def _next(self) -> None:
        end = time.perf_counter() + STEP_SECONDS
        for load in self._left:
            load()
            if time.perf_counter() >= end:
                return
        self._timer.stop()
        self.done.emit()
