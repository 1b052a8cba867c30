"""The real window in this process, as the program builds it, without a screen and without the user's settings."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import TracebackType

import psutil
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QWidget
from shiboken6 import isValid

from app.document.document import Document
from app.document.loader import Failure, Loader
from app.document.state_saver import StateSaver
from app.store import folders
from app.store.cache.limit import CacheLimit
from app.widgets.display import Display
from app.window.application import make_application, quieten
from app.window.idle import Collecting
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
from app.window.unexpected import UnexpectedErrors
from benchmarks.memory import anonymous

PATIENCE = 60.0
ASIDE = {"soak", "tests"}
KEYS = (
    Qt.Key.Key_Down,
    Qt.Key.Key_Up,
    Qt.Key.Key_Right,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Plus,
    Qt.Key.Key_F,
)
MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier)


class Session:
    """``errors``: unexpected exceptions, one text each; ``failures``: messages of the window about files; ``longest``:
    the longest time that the window was blocked, in seconds of processor time, and what it was doing."""

    def __init__(self, data: Path) -> None:
        quieten()
        self.errors: list[str] = []
        self.failures: list[str] = []
        self.longest = (0.0, "")
        sys.excepthook = self._unforeseen
        threading.excepthook = lambda told: self._unforeseen(
            told.exc_type, told.exc_value or told.exc_type(), told.exc_traceback
        )
        self.application = make_application()
        self.document = Document()
        self.loader = Loader(self.document, choice=CacheLimit())
        self.window = MainWindow(SettingsFile(None))
        self.reports = UnexpectedErrors(self.window)
        self.window.fill(self.loader, self.document, Display(parent=self.application))
        self.collecting = Collecting(self.window)
        self.keeping = StateSaver(self.document, data, self.window)
        self.loader.failed.connect(self._failed)
        self.window.resize(1280, 800)
        self.window.show()
        self.window.prepare()
        self.pump(0.05)

    def pump(self, seconds: float) -> None:
        """Runs the event loop for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self.timed("opening or closing"):
                QCoreApplication.processEvents()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            time.sleep(0.0005)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """Measures how long this thread is busy."""
        begin = time.thread_time()
        yield
        self.longest = max(self.longest, (time.thread_time() - begin, what))

    def until(self, done: Callable[[], bool], what: str) -> None:
        """Runs the event loop until ``done``. Raises RuntimeError after a minute."""
        end = time.monotonic() + PATIENCE
        while not done():
            self.pump(0.001)
            if time.monotonic() > end:
                raise RuntimeError(f"waited a minute for: {what}")

    def open(self, paths: Sequence[Path]) -> None:
        """Opens files and waits until all are read and shown."""
        self.window.open(paths)
        self.until(lambda: not self.loader.busy, "the end of a load")
        self.pump(0.02)

    def every_panel(self, random: Random | None = None) -> None:
        """Brings each available panel to the front and paints it; with ``random``, also sends input to it."""
        docks = self.window.prepare()
        for name in tuple(docks.offered):
            with self.timed(f"showing {name}"):
                self.window.show_panel(name)
                QCoreApplication.processEvents()
            with self.timed(f"drawing {name}"):
                docks.docks[name].widget().grab()
            if random is not None:
                self.poke(random, f"in {name}")

    def poke(self, random: Random, where: str = "") -> None:
        """Moves the mouse, clicks, scrolls and presses keys at random places in each visible panel; the other panels
        look up what is selected there."""
        for target in self._targets():
            if not isValid(target) or not target.isVisible() or target.width() < 4 or target.height() < 4:
                continue
            place = QPoint(random.randrange(1, target.width() - 1), random.randrange(1, target.height() - 1))
            with self.timed(f"a click {where}, {type(target).__name__}"):
                QTest.mouseMove(target, place)
                QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=place)
            away = random.choice((120, -120, 1200, -1200))
            none, keys = Qt.MouseButton.NoButton, random.choice(MODIFIERS)
            QCoreApplication.postEvent(
                target,
                QWheelEvent(
                    QPointF(place),
                    QPointF(target.mapToGlobal(place)),
                    QPoint(),
                    QPoint(0, away),
                    none,
                    keys,
                    Qt.ScrollPhase.NoScrollPhase,
                    False,
                ),
            )
            with self.timed(f"keys and mouse {where}, {type(target).__name__}"):
                QTest.keyClick(target, random.choice(KEYS))
                QCoreApplication.processEvents()

    def _targets(self) -> list[QWidget]:
        """Canvases, lists and tables; no buttons, which may ask for files."""
        docks = [dock for dock in self.window.prepare().shown() if dock.filled]
        canvases = [dock.canvas for dock in docks if dock.canvas is not None]
        views = [view.viewport() for dock in docks for view in dock.widget().findChildren(QAbstractItemView)]
        return [*canvases, *(view for view in views if view.window() is self.window)]

    def close_all(self) -> None:
        for entry in self.document.entries:
            self.window.close_profile(entry.id)
        self.pump(0.02)

    def end(self) -> None:
        """Closes the window as the user does, and ends the program."""
        self.window.close()
        self.loader.close()
        self.collecting.stop()
        self.keeping.write()
        self.reports.release()

    def _failed(self, failure: Failure) -> None:
        self.failures.append(failure.text)

    def _unforeseen(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.errors.append("".join(traceback.format_exception(kind, error, trace)))


def held() -> dict[str, int]:
    """The resources of this process: bytes of private memory, threads, open files, child processes, and column folders
    outside the cache."""
    gc.collect()
    process = psutil.Process()
    return {
        "memory": anonymous(os.getpid()),
        "threads": sum(thread.name not in ASIDE for thread in threading.enumerate()),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "children": len(process.children(recursive=True)),
        "folders": sum(not folders.is_cached(folder) for folder in folders.root().glob("load-*")),
    }
