"""A window whose files change while it is open, in a separate process, because a signal would also end the tests.

``python -m fakes.changed_window shorten|delete FOLDER`` opens every file in FOLDER and changes it in this way
(``shorten`` cuts every other file off and replaces the rest; ``delete`` deletes the column store, too), then draws
every panel of every profile, exports every table, examines records and values, and prints errors, what was drawn, and
the notices in the window as JSON.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from itertools import islice
from pathlib import Path

from PySide6.QtWidgets import QApplication

from app.analysis.export import export
from app.analysis.tables import available
from app.document.document import Document
from app.document.loader import Loader
from app.profile.selection import Kind, Selection
from app.store import folders
from app.store.cache import sweeping
from app.store.cache.limit import CacheLimit
from app.widgets.display import Display
from app.window.application import make_application, quieten
from app.window.file_notices import ChangedFiles
from app.window.main_window import MainWindow
from app.window.screenshot import read_all, settle
from app.window.self_test import SelfTestResult, _draw, _errors_into
from app.window.settings import SettingsFile

PATIENCE = 20.0


def main(change: str, folder: Path) -> None:
    quieten()
    application = make_application()
    told = SelfTestResult()
    document = Document()
    loader = Loader(document, choice=CacheLimit(1 << 30))
    window = MainWindow(SettingsFile())
    window.fill(loader, document, Display(parent=application))
    window.resize(1280, 800)
    window.show()
    window.prepare()
    files = sorted(path for path in folder.iterdir() if path.is_file())
    with _errors_into(told.trouble):
        window.open(files)
        read_all(window)
        changed = ChangedFiles(window)
        for place, path in enumerate(files):
            alter(("truncate", "replace")[place % 2] if change == "shorten" else change, path)
        if change == "delete":
            sweeping.clear()
            shutil.rmtree(folders.place(), ignore_errors=True)  # something may be written into it meanwhile
        changed.watcher.look()
        wait(lambda: window.notices.text.count("the file") == len(files))
        for entry in document.entries:
            document.show(entry.id)
            _draw(window, told)
            look_inside(window)
            for table in available(entry.profile):
                "".join(islice(export(table, "csv"), 2))
    print(json.dumps({"trouble": told.trouble, "panels": told.panels, "notices": window.notices.text}))
    window.close()
    loader.close()


def alter(change: str, path: Path) -> None:
    if change == "truncate":
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size // 3)
    elif change == "replace":
        other = path.with_name(f".{path.name}.new")
        other.write_bytes(b"\xff{[" * 1000)
        other.replace(path)
    elif change == "delete":
        path.unlink()


def look_inside(window: MainWindow) -> None:
    """Reads the parts of a file that are read only on demand."""
    kinds: tuple[Kind, ...] = ("slice", "blob", "tensor", "anchor", "line", "instruction", "block", "compute_set")
    for kind in kinds:
        window.document.selection.set(Selection(kind, (0,), "test"))
        settle(window)
    window.document.selection.clear()


def wait(done: object) -> None:
    """Processes events until ``done()``."""
    assert callable(done)
    end = time.monotonic() + PATIENCE
    while not done() and time.monotonic() < end:
        QApplication.processEvents()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
