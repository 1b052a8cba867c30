"""What the search-or-command field offers for what is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.window.command import Command
from app.window.fuzzy import score
from app.window.key_names import shown_key

if TYPE_CHECKING:
    from app.analysis.search import Hit, Search
    from app.window.main_window import MainWindow

COMMAND_SIGN = ">"
LIMIT = 30
COMMANDS_BESIDE_HITS = 5


@dataclass(frozen=True, slots=True)
class Offer:
    """One line: ``detail`` stands muted at the right. ``hit`` is set for things of the profile."""

    text: str
    detail: str
    run: Callable[[], None]
    enabled: bool = True
    hit: Hit | None = None


def offers(typed: str, window: MainWindow, search: Search | None, go: Callable[[Hit], None]) -> list[Offer]:
    """Commands only after the sign (or where nothing is open), else things with that name, then commands."""
    text = typed.strip()
    if text.startswith(COMMAND_SIGN):
        return command_offers(text[1:].strip(), window, window.commands)
    if search is None:
        return command_offers(text, window, window.commands)
    hits = [Offer(hit.text, _detail(hit), lambda hit=hit: go(hit), hit=hit) for hit in search.hits(text, LIMIT)]  # type: ignore[misc]
    fitting = [command for command in window.commands if text.casefold() in command_title(command).casefold()]
    return [*hits, *command_offers(text, window, fitting)[:COMMANDS_BESIDE_HITS]] if text else []


def command_offers(typed: str, window: MainWindow, commands: Iterable[Command]) -> list[Offer]:
    """The commands that fit, best first; those that cannot be run now come last."""
    ranked = []
    for place, command in enumerate(commands):
        text = command_title(command)
        points = score(typed, text)
        if points is not None:
            enabled = command.enabled(window)
            ranked.append((not enabled, -points, place, command, text))
    ranked.sort(key=lambda entry: entry[:3])
    return [
        Offer(text, shown_key(command), _runner(command, window), enabled=not disabled)
        for disabled, _, _, command, text in ranked
    ]


def command_title(command: Command) -> str:
    """The text with its heading, so that "Dark" reads "Theme: Dark"."""
    return f"{command.submenu}: {command.text}" if command.submenu else command.text


def _runner(command: Command, window: MainWindow) -> Callable[[], None]:
    return lambda: command.run(window)


def _detail(hit: Hit) -> str:
    return f"{hit.count:,} × {hit.named.what}" if hit.count > 1 else hit.named.what
