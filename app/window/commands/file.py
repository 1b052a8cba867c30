"""Opening, reloading, exporting, closing."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication

from app.language import tr
from app.window import dialogs
from app.window.command import Command, CommandContext
from app.window.footer import ACTIVE


def _open(context: CommandContext) -> None:
    context.open(dialogs.ask_files(context.main, context.settings.value.recent))


def _open_folder(context: CommandContext) -> None:
    context.open(dialogs.ask_folder(context.main, context.settings.value.recent))


def _any_open(context: CommandContext) -> bool:
    return context.document.current is not None


def _reload(context: CommandContext) -> None:
    entry = context.document.current
    if entry is not None:
        context.loader.reload(entry.id)


def _can_reload(context: CommandContext) -> bool:
    entry = context.document.current
    return entry is not None and entry.done and not entry.is_part


def _close(context: CommandContext) -> None:
    entry = context.document.current
    if entry is not None:
        context.close_profile(entry.id)


def _close_others(context: CommandContext) -> None:
    current = context.document.current
    with context.document.together():
        for entry in context.document.entries:
            if current is not None and entry.id != current.id:
                context.close_profile(entry.id)


def _export(context: CommandContext) -> None:
    from app.window.exports import export  # imports every table

    export(context)


def _everything(context: CommandContext) -> None:
    from app.window.saving import ask  # imports every table

    ask(context)


def _report(context: CommandContext) -> None:
    from app.window.saving import ask_and_save  # imports every table

    ask_and_save(context)


def _complete(context: CommandContext) -> bool:
    entry = context.document.current
    return entry is not None and entry.done


def _copy_paths(context: CommandContext) -> None:
    entry = context.document.current
    if entry is not None:
        QGuiApplication.clipboard().setText("\n".join(str(path) for path in entry.profile.origin.paths))


def _any_file(context: CommandContext) -> bool:
    entry = context.document.current
    return entry is not None and bool(entry.profile.origin.paths)


def _show_in_folder(context: CommandContext) -> None:
    from app.window.show_in_folder import show_in_folder  # not needed for the first paint

    entry = context.document.current
    if entry is not None and entry.profile.origin.paths:
        show_in_folder(context, entry.profile.origin.paths[0])


def _active_jobs(context: CommandContext) -> list[int]:
    return [job.id for job in context.loader.jobs if job.state in ACTIVE]


def _cancel(context: CommandContext) -> None:
    for job in _active_jobs(context):
        context.loader.cancel(job)


def _quit(context: CommandContext) -> None:
    context.main.close()


COMMANDS: tuple[Command, ...] = (
    Command(
        "file.open",
        tr("Open files…"),
        "File",
        _open,
        ("Ctrl+O",),
        icon="folder-open",
        help=tr("Opens one or several files."),
    ),
    Command(
        "file.open_folder",
        tr("Open folder…"),
        "File",
        _open_folder,
        icon="folder",
        help=tr("Opens every profile in a folder, a few levels deep."),
    ),
    Command(
        "file.clear_recent",
        tr("Clear recent files"),
        "File",
        lambda context: context.recent_files.clear(),
        enabled=lambda context: bool(context.settings.value.recent),
        submenu=tr("Open recent"),
    ),
    Command(
        "file.reload",
        tr("Reload"),
        "File",
        _reload,
        ("F5",),
        enabled=_can_reload,
        places=("tab",),
        icon="refresh-cw",
        separator=True,
        help=tr("Reads the files again; selection and ranges stay."),
        words=("refresh", "read again"),
    ),
    Command(
        "file.cancel",
        tr("Cancel reading"),
        "File",
        _cancel,
        enabled=lambda context: bool(_active_jobs(context)),
        help=tr("Cancels all reading; open profiles stay."),
    ),
    Command(
        "file.export",
        tr("Export…"),
        "File",
        _export,
        ("Ctrl+E",),
        enabled=_any_open,
        places=("panel",),
        icon="download",
        separator=True,
        help=tr("Saves a table as CSV, TSV, JSON, Excel workbook or Parquet, or a chart as PNG or SVG."),
        words=("screenshot", "save as", "image", "CSV", "PNG", "SVG", "Excel", "xlsx", "parquet"),
    ),
    Command(
        "file.export_everything",
        tr("Export everything…"),
        "File",
        _everything,
        enabled=_complete,
        help=tr("Saves every table and plot in a folder, with an index of units, source and version."),
        words=("all", "folder", "xlsx", "Excel", "parquet"),
    ),
    Command(
        "file.report",
        tr("Save report…"),
        "File",
        _report,
        enabled=_complete,
        help=tr("Saves one HTML page: summary, findings, charts, tables, comparison and provenance."),
        words=("HTML", "share", "print"),
    ),
    Command(
        "file.copy_paths",
        tr("Copy file path"),
        "File",
        _copy_paths,
        enabled=_any_open,
        places=("tab",),
    ),
    Command(
        "file.show_in_folder",
        tr("Show in folder"),
        "File",
        _show_in_folder,
        enabled=_any_file,
        places=("tab",),
        help=tr("Opens the folder of the file in the file manager."),
        words=("reveal", "explorer", "finder", "file manager", "containing folder"),
    ),
    Command("file.close", tr("Close"), "File", _close, ("Ctrl+W",), enabled=_any_open, places=("tab",), separator=True),
    Command(
        "file.close_others",
        tr("Close other profiles"),
        "File",
        _close_others,
        enabled=lambda context: len(context.document.entries) > 1,
        places=("tab",),
    ),
)
QUIT = Command("file.quit", tr("Quit"), "File", _quit, ("Ctrl+Q",), separator=True)
"""Not in ``COMMANDS``: it ends the menu, after what other modules add to it."""
