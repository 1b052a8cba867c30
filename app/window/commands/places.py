"""From the selection to its panel, its details and whatever has its name."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication

from app.language import tr
from app.widgets.abilities import CopiesCell, CopiesText
from app.window.command import Command, CommandContext, nearest
from app.window.offers import COMMAND_SIGN, GO_SIGN

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


def _cell_name(context: CommandContext) -> str:
    """The text of the current cell of the focused table or tree, or the text of a page that the menu is about; "" for
    figures, and elsewhere."""
    focus = context.keys.last_focus
    cell, page = nearest(focus, CopiesCell), nearest(focus, CopiesText)
    return cell.cell_name() if cell is not None else "" if page is None else page.text_meant()


def _selected_name(context: CommandContext) -> str:
    """The name of the selected thing (the first of several); "" without one."""
    selected, profile = context.document.selection.value, context.document.profile
    if selected is None or profile is None:
        return ""
    from app.analysis.kinds import KINDS  # imports numpy

    return KINDS[selected.kind].name(profile, selected.first)


def _has_name(context: CommandContext) -> bool:
    return context.document.selection.value is not None or bool(_cell_name(context))


def _find_others(context: CommandContext) -> None:
    name = (_cell_name(context) or _selected_name(context)).strip()
    text = name.split("\n")[0].lstrip(COMMAND_SIGN + GO_SIGN)  # which would begin something else
    if text:
        context.omnibox.start(text)


def _copy_name(context: CommandContext) -> None:
    name = _selected_name(context)
    if name:
        QGuiApplication.clipboard().setText(name)


COMMANDS: tuple[Command, ...] = (
    Command(
        "go.home",
        tr("Show in panel"),
        "Go",
        _go_home,
        enabled=_has_home,
        places=("selected",),
        separator=True,
        help=tr("Brings the main panel of this kind of item to the front, such as the timeline for slices."),
    ),
    Command(
        "go.details",
        tr("Show details"),
        "Go",
        _show_details,
        enabled=_has_details,
        places=("selected",),
        help=tr("Brings the details of the selection to the front."),
        words=("properties", "inspect"),
    ),
    Command(
        "go.find_others",
        tr("Search for this name"),
        "",
        _find_others,
        enabled=_has_name,
        places=("cell", "node", "text", "selected"),
        help=tr("Searches for the text of the current cell, or else the name of the selection."),
        words=("find others", "same name", "find all", "occurrences"),
    ),
    Command(
        "edit.copy_name",
        tr("Copy name"),
        "",
        _copy_name,
        enabled=lambda context: context.document.selection.value is not None,
        places=("selected",),
        help=tr("Copies the name of the selection."),
    ),
)
