"""Help commands and the command palette."""

from __future__ import annotations

from app.language import tr
from app.window import key_help
from app.window.command import Command, CommandContext
from app.window.offers import COMMAND_SIGN


def _about(context: CommandContext) -> None:
    from app.window import about  # imports what reads licences

    about.show(context.main)


def _show_start(context: CommandContext) -> None:
    context.show_start(not context.start_shown)


def _show_help(context: CommandContext) -> None:
    """The page of the panel that has the keyboard; the first page if none has."""
    focus = context.keys.last_focus
    dock = None if context.docks is None or focus is None or context.start_shown else context.docks.at(focus)
    context.show_help("index" if dock is None else dock.spec.id)


COMMANDS: tuple[Command, ...] = (
    Command(
        "tools.commands",
        tr("Command palette"),
        "Tools",
        lambda context: context.omnibox.start(COMMAND_SIGN),
        ("Ctrl+Shift+P",),
        help=tr("Type a few letters of a command, panel, table, setting or recent file."),
    ),
    Command(
        "help.page",
        tr("Help"),
        "Help",
        _show_help,
        ("F1",),
        places=("panel",),
        help=tr("Opens the help page of the focused panel: what it answers, formulas, keys, limits."),
        words=("manual", "documentation", "guide", "what is this"),
    ),
    Command(
        "help.tour",
        tr("Tours"),
        "Help",
        lambda context: context.show_help("index"),
        help=tr("A ten-minute tour with a sample of each file type."),
        words=("tutorial", "getting started", "first steps"),
    ),
    Command(
        "help.keys",
        tr("Keyboard shortcuts"),
        "Help",
        key_help.show,
        ("?",),
        help=tr("Lists every command with its keys."),
    ),
    Command(
        "help.start",
        tr("Start page"),
        "Help",
        _show_start,
        enabled=lambda context: context.document.current is not None or not context.start_shown,
        checked=lambda context: context.start_shown,
        help=tr("Shows samples, recent files and first steps."),
    ),
    Command("help.about", tr("About Tilesight"), "Help", _about, separator=True),
)
