"""The real window, with files opened like a user does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import Loader
from app.panels.panel import Panel
from app.widgets.display import Display
from app.window.dock import Dock
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
from fakes.pointer import release_buttons

READ_MS = 60_000
SETTLED_MS = 30_000


def outdated(dock: Dock) -> bool:
    """Whether its panel waits to be filled: one that came to the front is filled as it is painted."""
    panel = dock.widget()
    return isinstance(panel, Panel) and panel.refill_due


@contextmanager
def opened_window(
    qtbot: QtBot, paths: Sequence[Path], settings: SettingsFile | None = None
) -> Iterator[tuple[MainWindow, Callable[[], None]]]:
    """(the window with all docks and all files read; a function that waits for its deferred work)."""
    document = Document()
    loader = Loader(document)
    window = MainWindow(settings or SettingsFile(None))
    window.fill(loader, document, Display())
    qtbot.addWidget(window)
    window.resize(1600, 1000)
    window.show()
    release_buttons(window)
    docks = window.prepare().docks.values()
    window.open(paths)
    qtbot.waitUntil(lambda: not loader.busy and document.profile is not None, timeout=READ_MS)

    def settle() -> None:
        QCoreApplication.processEvents()
        timers = [timer for timer in window.findChildren(QTimer) if timer.isSingleShot() or timer.interval() == 0]
        qtbot.waitUntil(lambda: not any(timer.isActive() for timer in timers), timeout=SETTLED_MS)
        qtbot.waitUntil(lambda: not any(dock.on_screen and outdated(dock) for dock in docks), timeout=SETTLED_MS)

    settle()
    yield window, settle
    window.close()
    loader.close()
