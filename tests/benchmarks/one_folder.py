"""The process that ``bench_many`` measures: a window that opens a folder of many profiles. ``processor``: seconds of
the window and of its workers."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import psutil
from PySide6.QtCore import QCoreApplication

from app.document.document import Document
from app.document.loader import Loader
from app.document.state_saver import StateSaver
from app.store.cache.limit import CacheLimit
from app.widgets.display import Display
from app.window.application import make_application
from app.window.file_notices import ChangedFiles
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile

SIZE = (1600, 900)
LONGEST = 600.0


def main(folder: Path, data: Path) -> None:
    application = make_application()
    document = Document()
    loader = Loader(document, choice=CacheLimit(), apart=True)
    window = MainWindow(SettingsFile(None))
    window.fill(loader, document, Display(parent=application))
    window.resize(*SIZE)
    window.show()
    for dock in window.prepare().docks.values():
        dock.spec.load()
    keeping = StateSaver(document, data, window)
    ChangedFiles(window)
    loader.start_spare()
    QCoreApplication.processEvents()
    begin, processor, worst = time.perf_counter(), processor_seconds(), 0.0
    window.open([folder])
    while loader.busy or keeping.busy or window.tabs.count() < len(document.entries):
        before = time.perf_counter()
        QCoreApplication.processEvents()
        worst = max(worst, time.perf_counter() - before)
        time.sleep(0.001)
        if before - begin > LONGEST:
            raise TimeoutError(f"not all is open after {LONGEST:.0f} s")
    figures = {
        "seconds": time.perf_counter() - begin,
        "processor": processor_seconds() - processor,
        "worst": worst * 1e3,
        "opened": len(document.entries),
    }
    print(json.dumps(figures), flush=True)
    loader.close()
    window.close()


def processor_seconds() -> float:
    """Of this process and of those that it started, of which none has ended."""
    workers = (worker.cpu_times() for worker in psutil.Process().children(recursive=True))
    return time.process_time() + float(sum(times.user + times.system for times in workers))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
