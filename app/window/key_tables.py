"""Tables of keys for the pages of the help, from the command list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.help.markdown import escaped, table
from app.language import joined, tr
from app.window.command import MENU_TITLES, Command
from app.window.commands import COMMANDS
from app.window.key_names import shown_keys
from app.window.offers import command_title

if TYPE_CHECKING:
    pass


CANVAS = "canvas"


def key_table(argument: str) -> str:
    """The keys of the commands for ``argument``, places of context menus; those of canvases belong to "canvas". All
    commands, menu by menu, without an argument. KeyError for a place that no command has."""
    if not argument:
        return "\n\n".join(_menus())
    places = set(argument.split())
    known = {place for command in COMMANDS for place in command.places} | {CANVAS}
    if places - known:
        raise KeyError(argument)
    own = [command for command in COMMANDS if _belongs(command, places)]
    parts = [_table(command for command in own if command.keys)] if any(command.keys for command in own) else []
    others = [escaped(command_title(command)) for command in own if not command.keys]
    if others:
        parts.append(tr("In the context menu: {commands}.", commands=joined(" · ", others)))
    return "\n\n".join(parts)


def _belongs(command: Command, places: set[str]) -> bool:
    return bool(places.intersection(command.places)) or (CANVAS in places and command.canvas)


def _menus() -> Iterable[str]:
    for menu, title in MENU_TITLES.items():
        own = [command for command in COMMANDS if command.menu == menu]
        if own:
            yield f"## {title or tr('In no menu')}"
            yield _table(own)


def _table(commands: Iterable[Command]) -> str:
    rows = [(f"**{escaped(shown_keys(one))}**" if one.keys else "–", _link(one), escaped(one.help)) for one in commands]
    return table((tr("Keys"), tr("Command"), tr("What it does")), rows)


def _link(command: Command) -> str:
    return f"[{escaped(command_title(command))}](command:{command.id})"
