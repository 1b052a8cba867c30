"""Commands that explain, and the list of all commands itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window import about, key_help
from app.window.command import Command
from app.window.offers import COMMAND_SIGN

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def _show_start(window: MainWindow) -> None:
    window.show_start(not window.start_shown)


COMMANDS: tuple[Command, ...] = (
    Command(
        "tools.commands",
        "Command palette",
        "Tools",
        lambda window: window.omnibox.start(COMMAND_SIGN),
        ("Ctrl+Shift+P",),
        help="Commands, panels, tables, settings and recent files: type a few letters of one.",
    ),
    Command("help.keys", "Keys", "Help", key_help.show, ("F1", "?"), help="Every command with its keys."),
    Command(
        "help.start",
        "Start page",
        "Help",
        _show_start,
        enabled=lambda window: window.document.current is not None or not window.start_shown,
        checked=lambda window: window.start_shown,
        help="Samples, recent files, what is new.",
    ),
    Command("help.about", "About Tilesight", "Help", about.show, separator=True),
)
