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


COMMANDS: tuple[Command, ...] = (
    Command(
        "tools.commands",
        tr("Command palette"),
        "Tools",
        lambda context: context.omnibox.start(COMMAND_SIGN),
        ("Ctrl+Shift+P",),
        help=tr("Commands, panels, tables, settings and recent files: type a few letters of one."),
    ),
    Command("help.keys", tr("Keys"), "Help", key_help.show, ("F1", "?"), help=tr("Every command with its keys.")),
    Command(
        "help.start",
        tr("Start page"),
        "Help",
        _show_start,
        enabled=lambda context: context.document.current is not None or not context.start_shown,
        checked=lambda context: context.start_shown,
        help=tr("Samples, recent files, what is new."),
    ),
    Command("help.about", tr("About Tilesight"), "Help", _about, separator=True),
)
