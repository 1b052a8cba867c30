"""Commands for the recent file and the recent comparison that a menu of the start page is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.language import tr
from app.window.command import Command, CommandContext, Subject
from app.window.recent import there

if TYPE_CHECKING:
    from app.window.recent import RecentFile
    from app.window.settings import FilePair

FILE: Subject[RecentFile] = Subject(lambda context: context.start.meant if context.start_shown else None)
PAIR: Subject[FilePair] = Subject(lambda context: context.start.meant_pair if context.start_shown else None)


def _copy_path(file: RecentFile) -> None:
    QGuiApplication.clipboard().setText("\n".join(str(path) for path in file.paths))


def _show_folder(context: CommandContext, file: RecentFile) -> None:
    from app.window.show_in_folder import show_in_folder

    show_in_folder(context, file.path)


def _compare(context: CommandContext, pair: FilePair) -> None:
    from app.window.commands.compare import open_pair

    open_pair(context, pair)


COMMANDS: tuple[Command, ...] = (
    Command(
        "recent.open",
        tr("Open recent file"),
        "",
        FILE.act_in(lambda context, file: context.open(file.paths)),
        enabled=FILE.meets(lambda file: file.exists),
        places=("recent",),
    ),
    Command(
        "recent.copy_path",
        tr("Copy path of recent file"),
        "",
        FILE.act(_copy_path),
        enabled=FILE.meets(),
        places=("recent",),
    ),
    Command(
        "recent.show_in_folder",
        tr("Show folder of recent file"),
        "",
        FILE.act_in(_show_folder),
        enabled=FILE.meets(lambda file: file.exists),
        places=("recent",),
    ),
    Command(
        "recent.forget",
        tr("Remove from recent files"),
        "",
        FILE.act_in(lambda context, file: context.recent_files.forget(file.paths)),
        enabled=FILE.meets(),
        places=("recent",),
        help=tr("Does not delete the file."),
    ),
    Command(
        "recent.compare",
        tr("Open recent comparison"),
        "",
        PAIR.act_in(_compare),
        enabled=PAIR.meets(there),
        places=("recent_pair",),
    ),
    Command(
        "recent.forget_pair",
        tr("Remove from recent comparisons"),
        "",
        PAIR.act_in(lambda context, pair: context.recent_pairs.forget(pair)),
        enabled=PAIR.meets(),
        places=("recent_pair",),
        help=tr("Does not delete the files."),
    ),
)
