"""Opening, reloading, exporting, closing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.window import dialogs
from app.window.command import Command
from app.window.jobs_view import ACTIVE

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def _open(window: MainWindow) -> None:
    window.open(dialogs.ask_files(window, window.settings.value.recent))


def _open_folder(window: MainWindow) -> None:
    window.open(dialogs.ask_folder(window, window.settings.value.recent))


def _any_open(window: MainWindow) -> bool:
    return window.document.current is not None


def _reload(window: MainWindow) -> None:
    entry = window.document.current
    if entry is not None:
        window.loader.reload(entry.id)


def _can_reload(window: MainWindow) -> bool:
    entry = window.document.current
    return entry is not None and entry.done


def _close(window: MainWindow) -> None:
    entry = window.document.current
    if entry is not None:
        window.close_profile(entry.id)


def _close_others(window: MainWindow) -> None:
    current = window.document.current
    with window.document.together():
        for entry in window.document.entries:
            if current is not None and entry.id != current.id:
                window.close_profile(entry.id)


def _export(window: MainWindow) -> None:
    from app.window.export_dialog import export  # brings every table along

    export(window)


def _copy_paths(window: MainWindow) -> None:
    entry = window.document.current
    if entry is not None:
        QGuiApplication.clipboard().setText("\n".join(str(path) for path in entry.profile.origin.paths))


def _active_jobs(window: MainWindow) -> list[int]:
    return [job.id for job in window.loader.jobs if job.state in ACTIVE]


def _cancel(window: MainWindow) -> None:
    for job in _active_jobs(window):
        window.loader.cancel(job)


def _quit(window: MainWindow) -> None:
    window.close()


COMMANDS: tuple[Command, ...] = (
    Command(
        "file.open", "Open files…", "File", _open, ("Ctrl+O",), icon="open", help="Several files can be chosen at once."
    ),
    Command(
        "file.open_folder",
        "Open folder…",
        "File",
        _open_folder,
        icon="folder",
        help="Every profile in it, a few levels deep.",
    ),
    Command(
        "file.clear_recent",
        "Clear recent files",
        "File",
        lambda window: window.remembering.clear(),
        enabled=lambda window: bool(window.settings.value.recent),
        submenu="Open recent",
    ),
    Command(
        "file.reload",
        "Reload",
        "File",
        _reload,
        ("F5",),
        enabled=_can_reload,
        places=("tab",),
        icon="reload",
        separator=True,
        help="Reads the files again; selection and ranges stay.",
        words=("refresh", "read again"),
    ),
    Command(
        "file.cancel",
        "Cancel reading",
        "File",
        _cancel,
        enabled=lambda window: bool(_active_jobs(window)),
        help="Stops everything that is being read; what was open before stays.",
    ),
    Command(
        "file.export",
        "Export…",
        "File",
        _export,
        ("Ctrl+E",),
        enabled=_any_open,
        places=("panel",),
        icon="export",
        separator=True,
        help="A table as CSV, TSV or JSON, a picture as PNG or SVG; what has the keyboard comes first.",
        words=("screenshot", "save as", "image", "CSV", "PNG", "SVG"),
    ),
    Command(
        "file.copy_paths",
        "Copy file path",
        "File",
        _copy_paths,
        enabled=_any_open,
        places=("tab",),
    ),
    Command("file.close", "Close", "File", _close, ("Ctrl+W",), enabled=_any_open, places=("tab",), separator=True),
    Command(
        "file.close_others",
        "Close the others",
        "File",
        _close_others,
        enabled=lambda window: len(window.document.entries) > 1,
        places=("tab",),
    ),
    Command("file.quit", "Quit", "File", _quit, ("Ctrl+Q",), separator=True),
)
