"""Opening, reloading, exporting, saving, closing; recent files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.document.entry import rest_of_run
from app.language import tr
from app.views.texts import shown_line
from app.window import dialogs
from app.window.command import CURRENT, Command, CommandContext, Subject, copy_text
from app.window.footer import ACTIVE
from app.window.nearest import nearest
from app.window.notices import Notice
from app.window.recent import there

if TYPE_CHECKING:
    from app.store.stored_part import StoredPart
    from app.window.recent import RecentFile
    from app.window.settings import FilePair

BLOCK_TABLES = ("raw-blocks", "entries")
SAVER = "window's saver of blocks"
RECENT_FILE: Subject[RecentFile] = Subject(lambda context: context.start.meant if context.start_shown else None)
RECENT_PAIR: Subject[FilePair] = Subject(lambda context: context.start.meant_pair if context.start_shown else None)
QUIT = Command("file.quit", tr("Quit"), "File", lambda context: context.main.close(), ("Ctrl+Q",), separator=True)
"""Not in ``COMMANDS``: it ends the menu, after what other modules add to it."""


def _open(context: CommandContext) -> None:
    context.open(dialogs.ask_files(context.main, context.settings.value.recent))


def _open_folder(context: CommandContext) -> None:
    context.open(dialogs.ask_folder(context.main, context.settings.value.recent))


def _close_others(context: CommandContext) -> None:
    current = context.document.current
    with context.document.together():
        for entry in context.document.entries:
            if current is not None and entry.id != current.id:
                context.close_profile(entry.id)


def _export(context: CommandContext) -> None:
    from app.window.export_dialog import export  # imports every table

    export(context)


def _everything(context: CommandContext) -> None:
    from app.window.saving import ask  # imports every table

    ask(context)


def _report(context: CommandContext) -> None:
    from app.window.saving import ask_and_save  # imports every table

    ask_and_save(context)


def _completes_run(context: CommandContext) -> bool:
    current = context.document.current
    return current is not None and bool(rest_of_run(context.document.entries, current))


def _show_in_folder(context: CommandContext, path: Path) -> None:
    """Opens the folder of a file in the file manager; of a part of a file, that of the file."""
    from app.formats.parts import holder

    folder = (holder(path) or path).absolute().parent
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        text = tr("{folder}: no file manager is available.", folder=folder)
        context.notices.add(Notice("info", text))


def _paths_text(paths: Iterable[Path]) -> str:
    return "\n".join(map(str, paths))


def _active_jobs(context: CommandContext) -> list[int]:
    return [job.id for job in context.loader.jobs if job.state in ACTIVE]


def _cancel(context: CommandContext) -> None:
    for job in _active_jobs(context):
        context.loader.cancel(job)


def _blocks(context: CommandContext) -> list[StoredPart]:
    """Returns what the selected rows of the focused table stand for; none if it is not a table of blocks or files."""
    profile = context.document.profile
    if profile is None or (profile.raw_blocks is None and profile.entries is None):
        return []
    from app.store.stored_part import stored_part
    from app.widgets.table.widget import TableWidget

    table = nearest(context.keys.last_focus, TableWidget)
    if table is None or table.view.items.table.id not in BLOCK_TABLES:
        return []
    shown = table.view.items.table
    keys = (shown.key(row) for row in table.selected_rows().tolist())
    blocks = (stored_part(profile, shown.id, key) for key in keys if key >= 0)  # others are of the baseline
    return [block for block in blocks if block is not None]


def _save_blocks(context: CommandContext) -> None:
    from app.widgets.saving import BlockSaver

    saver = context.main.findChild(BlockSaver, SAVER)
    if saver is None:
        saver = BlockSaver(context.main)
        saver.setObjectName(SAVER)
        saver.said.connect(lambda text, wrong: _report_saved(context, text, wrong))
    saver.ask(_blocks(context))


def _report_saved(context: CommandContext, text: str, wrong: bool) -> None:
    if wrong:
        context.notices.add(Notice("error", text, "write"))
    else:
        context.footer.showMessage(shown_line(text), 8000)


def _compare_recent(context: CommandContext, pair: FilePair) -> None:
    from app.window.commands.compare import open_pair

    open_pair(context, pair)


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
        CURRENT.act_in(lambda context, entry: context.loader.reload(entry.id)),
        ("F5",),
        enabled=CURRENT.meets(lambda entry: entry.done and not entry.is_part),
        places=("tab",),
        icon="refresh-cw",
        separator=True,
        help=tr("Reads the files again; selection and ranges stay."),
        words=("refresh", "read again"),
    ),
    Command(
        "file.join_run",
        tr("Join as one run"),
        "",
        CURRENT.act_in(
            lambda context, entry: context.loader.join(entry.id, rest_of_run(context.document.entries, entry))
        ),
        enabled=_completes_run,
        places=("tab",),
        help=tr("Reads the ranks of all open Ascend captures again as one profile. Ranks of one number stay apart."),
        words=("rank", "capture", "merge", "combine"),
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
        enabled=CURRENT.meets(),
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
        enabled=CURRENT.meets(lambda entry: entry.done),
        help=tr("Saves every table and plot in a folder, with an index of units, source and version."),
        words=("all", "folder", "xlsx", "Excel", "parquet"),
    ),
    Command(
        "file.report",
        tr("Save report…"),
        "File",
        _report,
        enabled=CURRENT.meets(lambda entry: entry.done),
        help=tr("Saves one HTML page: summary, findings, charts, tables, comparison and provenance."),
        words=("HTML", "share", "print"),
    ),
    Command(
        "file.copy_paths",
        tr("Copy file path"),
        "File",
        CURRENT.act(lambda entry: copy_text(_paths_text(entry.profile.origin.paths))),
        enabled=CURRENT.meets(),
        places=("tab",),
        submenu=tr("File location"),
    ),
    Command(
        "file.show_in_folder",
        tr("Show in folder"),
        "File",
        CURRENT.act_in(lambda context, entry: _show_in_folder(context, entry.profile.origin.paths[0])),
        enabled=CURRENT.meets(lambda entry: bool(entry.profile.origin.paths)),
        places=("tab",),
        help=tr("Opens the folder of the file in the file manager."),
        words=("reveal", "explorer", "finder", "file manager", "containing folder"),
        submenu=tr("File location"),
    ),
    Command(
        "file.close",
        tr("Close"),
        "File",
        CURRENT.act_in(lambda context, entry: context.close_profile(entry.id)),
        ("Ctrl+W",),
        enabled=CURRENT.meets(),
        places=("tab",),
        separator=True,
    ),
    Command(
        "file.close_others",
        tr("Close other profiles"),
        "File",
        _close_others,
        enabled=lambda context: len(context.document.entries) > 1,
        places=("tab",),
    ),
)

RECENT: tuple[Command, ...] = (
    Command(
        "recent.open",
        tr("Open recent file"),
        "",
        RECENT_FILE.act_in(lambda context, file: context.open(file.paths)),
        enabled=RECENT_FILE.meets(lambda file: file.exists),
        places=("recent",),
    ),
    Command(
        "recent.copy_path",
        tr("Copy path of recent file"),
        "",
        RECENT_FILE.act(lambda file: copy_text(_paths_text(file.paths))),
        enabled=RECENT_FILE.meets(),
        places=("recent",),
    ),
    Command(
        "recent.show_in_folder",
        tr("Show folder of recent file"),
        "",
        RECENT_FILE.act_in(lambda context, file: _show_in_folder(context, file.path)),
        enabled=RECENT_FILE.meets(lambda file: file.exists),
        places=("recent",),
    ),
    Command(
        "recent.forget",
        tr("Remove from recent files"),
        "",
        RECENT_FILE.act_in(lambda context, file: context.recent_files.forget(file.paths)),
        enabled=RECENT_FILE.meets(),
        places=("recent",),
        help=tr("Does not delete the file."),
    ),
    Command(
        "recent.compare",
        tr("Open recent comparison"),
        "",
        RECENT_PAIR.act_in(_compare_recent),
        enabled=RECENT_PAIR.meets(there),
        places=("recent_pair",),
    ),
    Command(
        "recent.forget_pair",
        tr("Remove from recent comparisons"),
        "",
        RECENT_PAIR.act_in(lambda context, pair: context.recent_pairs.forget(pair)),
        enabled=RECENT_PAIR.meets(),
        places=("recent_pair",),
        help=tr("Does not delete the files."),
    ),
)

BLOCKS: tuple[Command, ...] = (
    Command(
        "file.save_blocks",
        tr("Save block content…"),
        "",
        _save_blocks,
        enabled=lambda context: bool(_blocks(context)),
        places=("tables", "raw_blocks"),
        help=tr("Saves the selected blocks of an Ascend operator file, or files of a report, as stored."),
    ),
)
