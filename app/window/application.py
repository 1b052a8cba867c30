"""Starts the window (or draws it into a picture)."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QSize,
    QStandardPaths,
    QTimer,
    QtMsgType,
    Signal,
    qFormatLogMessage,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QStyleFactory

import app.document  # noqa: F401 (before the first class that is made from one of Qt's)
from app import __version__
from app.window.main_window import MainWindow
from app.window.palette import paint_first
from app.window.settings import FILE_NAME, SettingsFile, ThemeChoice

if TYPE_CHECKING:
    from app.store.cache.choice import Keep

INTERRUPT_CHECK_MS = 200
PICTURE_SIZE = (1600, 1000)
AT_LATEST_MS = 500
"""A window that is never painted (it starts minimised) still opens its files."""


class Application(QApplication):
    """Signal ``file_wanted`` (path): the desktop hands over a file (macOS does, in place of arguments)."""

    file_wanted = Signal(object)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_wanted.emit(Path(event.file()))
            return True
        return super().event(event)


def run(
    paths: Sequence[Path],
    *,
    screenshot: Path | None = None,
    panel: str | None = None,
    size: tuple[int, int] | None = None,
    theme: ThemeChoice | None = None,
) -> int:
    """Opens ``paths`` in the window and returns the exit status when it closes. With ``screenshot`` the window
    is drawn into that file once everything is read: no display is needed, and what the person has arranged is
    not used; status 1 when a file could not be read or the picture not be written."""
    if screenshot is not None:
        _do_without_display()
        quieten()
    application = make_application()
    settings = SettingsFile(None if screenshot is not None else config_path())
    if screenshot is not None or theme is not None:
        settings.override(theme=theme or "light")
    paint_first(application, settings.value.theme)
    window = MainWindow(settings)
    if size is not None or screenshot is not None:
        window.resize(QSize(*(size or PICTURE_SIZE)))
    with ExitStack() as ending:
        if screenshot is None:
            return _show(application, window, list(paths), panel, ending)
        _fill(application, window, ending)
        from app.window.screenshot import Screenshot

        return Screenshot(window).take(list(paths), screenshot, panel)


def make_application() -> Application:
    """The one application, in Fusion, with our names."""
    application = QApplication.instance()
    if not isinstance(application, Application):
        application = Application(sys.argv[:1])
    application.setApplicationName("tilesight")
    application.setApplicationDisplayName("Tilesight")
    application.setDesktopFileName("tilesight")
    application.setApplicationVersion(__version__)
    application.setStyle(QStyleFactory.create("Fusion"))
    return application


def config_path() -> Path:
    """Where the settings lie on this system."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppConfigLocation)
    return Path(folder) / FILE_NAME


def data_path() -> Path:
    """Where notes and views of files lie on this system."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)) / "files"


def _show(application: Application, window: MainWindow, paths: list[Path], panel: str | None, ending: ExitStack) -> int:
    """An empty window is painted before anything that takes time is imported; then its contents; then files are
    opened (in the background) and the docks made."""

    def want(path: Path) -> None:
        if window.docks is None:
            paths.append(path)
        else:
            window.open([path])

    def begin() -> None:
        if window.filled:
            return
        from app.window.unexpected import UnexpectedErrors

        ending.callback(UnexpectedErrors(window).release)
        _fill(application, window, ending)
        if paths:
            window.middle.show_reading(paths)
        QTimer.singleShot(0, window, go)

    def go() -> None:
        from PySide6.QtCore import Qt

        from app.widgets.chart.imports import imports
        from app.window.warming import Warming, module_imports

        _keep(window, ending)
        _watch(window)
        window.open(paths)
        docks = window.prepare()
        panels = [dock.spec.load for dock in docks.docks.values()]
        Warming(chain(module_imports(), panels, imports()), window).done.connect(window.loader.keep_ready)
        if panel is not None:
            once = Qt.ConnectionType.SingleShotConnection
            window.loader.idle.connect(lambda: docks.focus(panel), once)

    application.file_wanted.connect(want)
    window.painted.connect(begin)
    QTimer.singleShot(AT_LATEST_MS, window, begin)
    _close_on_interrupt(application, window)
    window.show()
    return application.exec()


def _fill(application: Application, window: MainWindow, ending: ExitStack) -> None:
    """What is shown, and what loads it; ended by ``ending``."""
    from app.document.collecting import Collecting
    from app.document.document import Document
    from app.document.loader import Loader
    from app.widgets.display import Display

    document = Document()
    loader = Loader(document, choice=_choice(window), apart=True)
    window.fill(loader, document, Display(parent=application))
    ending.callback(Collecting(window).stop)
    ending.callback(loader.close)


def _keep(window: MainWindow, ending: ExitStack) -> None:
    """What was left on files comes back."""
    from app.document.keeping import Keeping

    ending.callback(Keeping(window.document, data_path(), window).write)


def _choice(window: MainWindow) -> Keep:
    """How much is kept of heavy files: as the settings say, and without settings as the command line does it."""
    from app.store.cache.choice import Keep, noted

    return Keep(window.settings.value.cache_bytes) if window.settings.kept else noted()


def _watch(window: MainWindow) -> None:
    """Files that change while they are open are told of, and pairs that do not belong together or are not whole; the
    command line is told what may be kept."""
    from app.window.cache import tell_the_command_line
    from app.window.changed_files import ChangedFiles
    from app.window.pair_notices import PairNotices

    ChangedFiles(window)
    PairNotices(window)
    if window.loader.choice is not None:
        tell_the_command_line(window.loader.choice)


def _do_without_display() -> None:
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def quieten() -> None:
    """Leaves out what Qt's offscreen platform says of every window."""
    qInstallMessageHandler(_without_chatter)


def _without_chatter(kind: QtMsgType, where: QMessageLogContext, text: str) -> None:
    """Qt's messages on standard error, but for what its offscreen platform says of every window."""
    if "propagateSizeHints" not in text:
        print(qFormatLogMessage(kind, where, text), file=sys.stderr)


def _close_on_interrupt(application: Application, window: MainWindow) -> None:
    """Ctrl+C in the terminal closes the window. The timer gives Python a moment to hear of it."""
    signal.signal(signal.SIGINT, lambda *_: window.close())
    timer = QTimer(application, interval=INTERRUPT_CHECK_MS)
    timer.timeout.connect(lambda: None)
    timer.start()
