"""Commands for the recent file and the recent comparison that a menu of the start page is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.language import tr
from app.window.command import Command, CommandContext
from app.window.recent_pairs import there

if TYPE_CHECKING:
    from app.window.recent import RecentFile
    from app.window.settings import FilePair


def _file(context: CommandContext) -> RecentFile | None:
    return context.start.meant if context.start_shown else None


def _open(context: CommandContext) -> None:
    file = _file(context)
    if file is not None:
        context.open(file.paths)


def _copy_path(context: CommandContext) -> None:
    file = _file(context)
    if file is not None:
        QGuiApplication.clipboard().setText("\n".join(str(path) for path in file.paths))


def _show_folder(context: CommandContext) -> None:
    from app.window.show_in_folder import show_in_folder

    file = _file(context)
    if file is not None:
        show_in_folder(context, file.path)


def _forget(context: CommandContext) -> None:
    file = _file(context)
    if file is not None:
        context.recent_files.forget(file.paths)


def _exists(context: CommandContext) -> bool:
    file = _file(context)
    return file is not None and file.exists


def _pair(context: CommandContext) -> FilePair | None:
    return context.start.meant_pair if context.start_shown else None


def _can_compare(context: CommandContext) -> bool:
    pair = _pair(context)
    return pair is not None and there(pair)


def _compare(context: CommandContext) -> None:
    from app.window.commands.compare import open_pair

    pair = _pair(context)
    if pair is not None:
        open_pair(context, pair)


def _forget_pair(context: CommandContext) -> None:
    pair = _pair(context)
    if pair is not None:
        context.recent_pairs.forget(pair)


COMMANDS: tuple[Command, ...] = (
    Command("recent.open", tr("Open recent file"), "", _open, enabled=_exists, places=("recent",)),
    Command(
        "recent.copy_path",
        tr("Copy path of recent file"),
        "",
        _copy_path,
        enabled=lambda context: _file(context) is not None,
        places=("recent",),
    ),
    Command(
        "recent.show_in_folder",
        tr("Show folder of recent file"),
        "",
        _show_folder,
        enabled=_exists,
        places=("recent",),
    ),
    Command(
        "recent.forget",
        tr("Remove from recent files"),
        "",
        _forget,
        enabled=lambda context: _file(context) is not None,
        places=("recent",),
        help=tr("Does not delete the file."),
    ),
    Command(
        "recent.compare",
        tr("Open recent comparison"),
        "",
        _compare,
        enabled=_can_compare,
        places=("recent_pair",),
    ),
    Command(
        "recent.forget_pair",
        tr("Remove from recent comparisons"),
        "",
        _forget_pair,
        enabled=lambda context: _pair(context) is not None,
        places=("recent_pair",),
        help=tr("Does not delete the files."),
    ),
)
