"""The program as users start it, and what a benchmark does in its process as soon as the window can be used."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer

from app.cli import main
from app.window.application import make_application
from app.window.idle import IdleImports
from app.window.main_window import MainWindow


def run(look: Callable[[MainWindow], bool], interval_ms: int) -> None:
    """Starts the program with an empty window and blocks until it is closed. ``look`` is called regularly from when the
    docks are created, until it returns True."""
    application = make_application()
    timer = QTimer(application)

    def ask() -> None:
        windows = [widget for widget in application.topLevelWidgets() if isinstance(widget, MainWindow)]
        if windows and windows[0].docks is not None and look(windows[0]):
            timer.stop()

    timer.timeout.connect(ask)
    timer.start(interval_ms)
    main(["--size", "1600x900"])


def imports_done(window: MainWindow) -> bool:
    """Whether everything is imported that the window imports while it is idle."""
    imports = window.findChildren(IdleImports)
    return bool(imports) and not any(each._timer.isActive() for each in imports)
