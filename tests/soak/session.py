"""The real window in this process, as the program builds it, without a screen and without the person's settings."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

import psutil
from PySide6.QtCore import QCoreApplication, QEvent

from app.document.collecting import Collecting
from app.document.document import Document
from app.document.keeping import Keeping
from app.document.loader import Failure, Loader
from app.store import folders
from app.widgets.display import Display
from app.window.application import make_application, quieten
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
from app.window.unexpected import UnexpectedErrors
from benchmarks.memory import anonymous

PATIENCE = 60.0
ASIDE = {"soak", "tests"}


class Session:
    """``errors``: what nobody foresaw, one text each; ``failures``: what the window told of files."""

    def __init__(self, data: Path) -> None:
        quieten()
        self.errors: list[str] = []
        self.failures: list[str] = []
        sys.excepthook = self._unforeseen
        threading.excepthook = lambda told: self._unforeseen(
            told.exc_type, told.exc_value or told.exc_type(), told.exc_traceback
        )
        self.application = make_application()
        self.document = Document()
        self.loader = Loader(self.document)
        self.window = MainWindow(SettingsFile(None))
        self.reports = UnexpectedErrors(self.window)
        self.window.fill(self.loader, self.document, Display(parent=self.application))
        self.collecting = Collecting(self.window)
        self.keeping = Keeping(self.document, data, self.window)
        self.loader.failed.connect(self._failed)
        self.window.resize(1280, 800)
        self.window.show()
        self.window.prepare()
        self.pump(0.05)

    def pump(self, seconds: float) -> None:
        """Lets the window live for a while."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            time.sleep(0.0005)

    def until(self, done: Callable[[], bool], what: str) -> None:
        """RuntimeError when it does not come to pass in a minute."""
        end = time.monotonic() + PATIENCE
        while not done():
            self.pump(0.001)
            if time.monotonic() > end:
                raise RuntimeError(f"waited a minute for: {what}")

    def open(self, paths: Sequence[Path]) -> None:
        """Opens and waits until all is read and shown."""
        self.window.open(paths)
        self.until(lambda: not self.loader.busy, "the end of a load")
        self.pump(0.02)

    def every_panel(self) -> None:
        """Each panel that is offered comes to the front and is painted."""
        docks = self.window.prepare()
        for name in tuple(docks.offered):
            self.window.show_panel(name)
            QCoreApplication.processEvents()
            docks.docks[name].widget().grab()

    def close_all(self) -> None:
        for entry in self.document.entries:
            self.window.close_profile(entry.id)
        self.pump(0.02)

    def end(self) -> None:
        """As when the person closes the window and the program ends."""
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
    """What a process holds: bytes of memory of its own, threads, open files, child processes, folders of columns that
    nobody needs any more."""
    gc.collect()
    process = psutil.Process()
    return {
        "memory": anonymous(os.getpid()),
        "threads": sum(thread.name not in ASIDE for thread in threading.enumerate()),
        "files": len(list(Path("/proc/self/fd").iterdir())),
        "children": len(process.children(recursive=True)),
        "folders": len(list(folders.root().glob("load-*"))),
    }
