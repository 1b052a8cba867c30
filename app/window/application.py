"""Starts the application: shows the window, or renders it into an image."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QLibraryInfo,
    QMessageLogContext,
    QSize,
    QTimer,
    QtMsgType,
    QTranslator,
    Signal,
    qFormatLogMessage,
    qInstallMessageHandler,
)
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication, QStyleFactory

import app.document  # noqa: F401 (must come before the first subclass of a Qt class)
from app import __version__, program
from app.language import tr
from app.places import notes_folder, sessions_folder, settings_path
from app.preferred_language import ENGLISH, VARIABLE
from app.window.main_window import MainWindow, no_command_pages
from app.window.palette import paint_first
from app.window.settings import SettingsFile, ThemeChoice

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewLink
    from app.store.cache.limit import CacheLimit


INTERRUPT_CHECK_MS = 200
PICTURE_SIZE = (1600, 1000)
AT_LATEST_MS = 500
"""Files are opened after this time at the latest: a window that starts minimised is never painted."""
_LACKING: Final = {
    "Look in:": tr("Look in:"),
    "&Look in:": tr("&Look in:"),
    "Files of type:": tr("Files of type:"),
    "Files of &type:": tr("Files of &type:"),
    "Folder": tr("Folder"),
    "File Folder": tr("Folder"),
}
"""Texts of Qt's file dialog that its Chinese catalogue lacks."""


class Application(QApplication):
    """The QApplication. Signal ``file_wanted`` (path): the desktop asks to open a file (macOS does so instead of
    passing arguments)."""

    file_wanted = Signal(object)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_wanted.emit(Path(event.file()))
            return True
        return super().event(event)


def run(
    paths: Sequence[Path],
    *,
    baseline: Path | None = None,
    screenshot: Path | None = None,
    panel: str | None = None,
    size: tuple[int, int] | None = None,
    theme: ThemeChoice | None = None,
    command_pages: Callable[[str], str] = no_command_pages,
    goto: ViewLink | None = None,
) -> int:
    """Opens ``paths`` in the window, compared with ``baseline``, goes to the place of ``goto``, and returns the exit
    status when it closes. With ``screenshot`` the window is rendered into that file once everything is read: no display
    is needed, the user's settings are not used, and the status is 1 if a file could not be read or the image could not
    be written."""
    if screenshot is not None:
        _do_without_display()
        quieten()
    application = make_application()
    settings = SettingsFile(None if screenshot is not None else settings_path())
    if screenshot is not None or theme is not None:
        settings.override(theme=theme or "light")
    paint_first(application, settings.value.theme)
    window = MainWindow(settings, command_pages=command_pages)
    if size is not None or screenshot is not None:
        window.resize(QSize(*(size or PICTURE_SIZE)))
    with ExitStack() as ending:
        if screenshot is None:
            return _show(application, window, list(paths), baseline, panel, ending, goto)
        _fill(application, window, ending)
        from app.window.screenshot import Screenshot

        return Screenshot(window).take(list(paths), screenshot, panel, baseline, goto)


def make_application() -> Application:
    """Returns the QApplication, created if necessary, with the Fusion style and the names of the program."""
    application = QApplication.instance()
    if not isinstance(application, Application):
        application = Application(sys.argv[:1])
        translate_qt(application)
    application.setApplicationName("tilesight")
    application.setApplicationDisplayName("Tilesight")
    application.setDesktopFileName(program.desktop_name())
    application.setApplicationVersion(__version__)
    application.setStyle(QStyleFactory.create("Fusion"))
    return application


def _show(
    application: Application,
    window: MainWindow,
    paths: list[Path],
    baseline: Path | None,
    panel: str | None,
    ending: ExitStack,
    goto: ViewLink | None,
) -> int:
    """Shows the window and runs the event loop. An empty window is painted before anything slow is imported; then it
    gets its contents; then files are opened (in the background) and the docks are created."""

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
        reading = paths or ([] if goto is None else list(goto.profile.paths))
        if reading:
            window.central.show_reading(reading)
        QTimer.singleShot(0, window, go)

    def go() -> None:
        from PySide6.QtCore import Qt

        from app.widgets.chart.imports import imports
        from app.window.cache import sweep_leftovers
        from app.window.idle import IdleImports, module_imports

        _save_states(window, ending)
        _watch(window)
        window.open(paths)
        docks = window.prepare()
        _keep_session(window, ending)
        if goto is not None:
            window.links.follow(goto, paths)
        headings = [dock.complete for dock in docks.docks.values()]
        panels = [dock.spec.load for dock in docks.docks.values()]
        # all of this stays until the end: no collection needs to look at it
        later = chain(headings, module_imports(), panels, imports(), (gc.freeze,))
        imports_done = IdleImports(later, window, lambda: window.awaiting_data).done
        imports_done.connect(window.loader.start_spare)
        imports_done.connect(partial(sweep_leftovers, window))
        once = Qt.ConnectionType.SingleShotConnection
        if baseline is not None:
            window.open([baseline])
            window.loader.idle.connect(lambda: window.baseline_opener.compare_all(baseline), once)
        if panel is not None:
            window.loader.idle.connect(lambda: docks.focus(panel), once)

    application.file_wanted.connect(want)
    window.painted.connect(begin)
    QTimer.singleShot(AT_LATEST_MS, window, begin)
    close_on_signals(window)
    window.show()
    return application.exec()


def _fill(application: Application, window: MainWindow, ending: ExitStack) -> None:
    """Creates document and loader and builds the window's contents; ``ending`` closes them."""
    from app.document.document import Document
    from app.document.loader import Loader
    from app.widgets.display import Display
    from app.window.idle import Collecting

    document = Document()
    loader = Loader(document, choice=_choice(window), apart=True)
    loader.workers = window.settings.value.decoders
    window.fill(loader, document, Display(parent=application))
    ending.callback(Collecting(window).stop)
    ending.callback(loader.close)


def _save_states(window: MainWindow, ending: ExitStack) -> None:
    """Restores and saves notes and views of files; the window does not close before notes are saved, or the user agrees
    to lose them."""
    from app.document.state_saver import StateSaver
    from app.window.session import UnsavedNotes

    unsaved = UnsavedNotes(window, StateSaver(window.document, notes_folder(), window))
    window.may_close = unsaved.may_close
    ending.callback(unsaved.finish)


def _keep_session(window: MainWindow, ending: ExitStack) -> None:
    """Remembers what is open until the program ends in order, and offers what a crash has closed."""
    from app.window.session import SessionKeeper

    ending.callback(SessionKeeper(window, sessions_folder()).end)


def _choice(window: MainWindow) -> CacheLimit:
    """Returns the cache limit: that of the settings, or the command line's if settings are not stored in a file."""
    from app.store.cache.limit import CacheLimit, noted

    return CacheLimit(window.settings.value.cache_bytes) if window.settings.has_file else noted()


def _watch(window: MainWindow) -> None:
    """Starts the notices about changed files and about mismatched or incomplete pairs, and stores the cache limit where
    the command line reads it."""
    from app.window.cache import publish_limit
    from app.window.file_notices import ChangedFiles, PairNotices, UnusedBaselines

    ChangedFiles(window)
    PairNotices(window)
    UnusedBaselines(window)
    if window.loader.choice is not None:
        publish_limit(window.loader.choice)


def _do_without_display() -> None:
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def quieten() -> None:
    """Suppresses the message that Qt's offscreen platform prints for every window."""
    qInstallMessageHandler(_print_message)


def _print_message(kind: QtMsgType, where: QMessageLogContext, text: str) -> None:
    """Message handler: prints Qt's messages to standard error, except those of the offscreen platform about size
    hints."""
    if "propagateSizeHints" not in text:
        print(qFormatLogMessage(kind, where, text), file=sys.stderr)


def close_on_signals(window: MainWindow) -> None:
    """Closes the window on Ctrl+C in the terminal, and when the session ends or the process is asked to: that is no
    crash, of which the next start would tell. Python runs signal handlers only between bytecodes, so a timer wakes
    it regularly while Qt's event loop waits; and between any of them, also of a paint method, so that the window is
    closed in a turn of its own."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: QTimer.singleShot(0, window.close))
    timer = QTimer(window, interval=INTERRUPT_CHECK_MS)
    timer.timeout.connect(lambda: None)
    timer.start()


class _Lacking(QTranslator):
    """Is asked for what Qt's catalogue lacks."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, _context: str, source: str, *_: object) -> str:
        return cast("str", _LACKING.get(source))  # None: Qt takes "" for a translation


def translate_qt(application: QCoreApplication) -> bool:
    """Loads Qt's own translation; returns False if the language is English, or if Qt has none."""
    language = os.environ.get(VARIABLE, ENGLISH)
    translator = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language == ENGLISH or not translator.load(f"qtbase_{language}", folder):
        return False
    application.installTranslator(_Lacking(application))
    return application.installTranslator(translator)
