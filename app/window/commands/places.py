"""Going from the selection to its panel and its details; commands for a recent file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication

from app.language import tr
from app.window.command import Command, CommandContext

if TYPE_CHECKING:
    from app.window.recent import RecentFile

DETAILS = "details"
SOURCE = "home"


def _has_home(context: CommandContext) -> bool:
    """Whether the selected item has a panel of its own, and that panel does not have the focus."""
    selected, docks = context.document.selection.value, context.docks
    if selected is None or docks is None:
        return False
    homes = [docks.docks[name] for name in docks.offered if selected.kind in docks.docks[name].spec.shows]
    focus = context.keys.last_focus
    return bool(homes) and (focus is None or not any(dock.isAncestorOf(focus) for dock in homes))


def _go_home(context: CommandContext) -> None:
    selected = context.document.selection.value
    if selected is not None:
        from app.window.going import bring_home

        bring_home(context, selected.kind)
        context.document.selection.set(replace(selected, source=SOURCE))  # another source: the panel scrolls to it


def _has_details(context: CommandContext) -> bool:
    selected, docks = context.document.selection.value, context.docks
    return selected is not None and docks is not None and DETAILS in docks.offered and not docks.in_sight(DETAILS)


def _show_details(context: CommandContext) -> None:
    context.prepare().bring(DETAILS)


def _meant(context: CommandContext) -> RecentFile | None:
    return context.start.meant if context.start_shown else None


def _open_meant(context: CommandContext) -> None:
    file = _meant(context)
    if file is not None:
        context.open(file.paths)


def _copy_meant(context: CommandContext) -> None:
    file = _meant(context)
    if file is not None:
        QGuiApplication.clipboard().setText("\n".join(str(path) for path in file.paths))


def _forget_meant(context: CommandContext) -> None:
    file = _meant(context)
    if file is not None:
        context.recent_files.forget(file.paths)


def _can_open_meant(context: CommandContext) -> bool:
    file = _meant(context)
    return file is not None and file.exists


COMMANDS: tuple[Command, ...] = (
    Command(
        "go.home",
        tr("Show in its panel"),
        "Go",
        _go_home,
        enabled=_has_home,
        places=("selected",),
        separator=True,
        help=tr("Brings the panel to the front in which things of this kind have their place: slices on the timeline."),
    ),
    Command(
        "go.details",
        tr("Show details"),
        "Go",
        _show_details,
        enabled=_has_details,
        places=("selected",),
        help=tr("Brings the details of what is selected to the front."),
        words=("properties", "inspect"),
    ),
    Command("recent.open", tr("Open recent file"), "", _open_meant, enabled=_can_open_meant, places=("recent",)),
    Command(
        "recent.copy_path",
        tr("Copy path of recent file"),
        "",
        _copy_meant,
        enabled=lambda context: _meant(context) is not None,
        places=("recent",),
    ),
    Command(
        "recent.forget",
        tr("Remove from recent files"),
        "",
        _forget_meant,
        enabled=lambda context: _meant(context) is not None,
        places=("recent",),
        help=tr("The file itself stays."),
    ),
)
