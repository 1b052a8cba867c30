"""Getting from one thing to another: search, panels, open profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.command import Command
from app.window.offers import GO_SIGN
from app.window.panel_finding import can_find, find_step

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

PANEL_KEYS = 6


def _step_profile(window: MainWindow, direction: int) -> None:
    entries, current = window.document.entries, window.document.current
    if current is not None:
        place = [entry.id for entry in entries].index(current.id)
        window.document.show(entries[(place + direction) % len(entries)].id)


def _several(window: MainWindow) -> bool:
    return len(window.document.entries) > 1


def _step_match(window: MainWindow, direction: int) -> None:
    if window.finding.active:
        window.finding.again(direction)
    else:
        find_step(window.keys.last_focus, direction)


def _can_step_match(window: MainWindow) -> bool:
    return window.finding.active or can_find(window.keys.last_focus)


def _focus_panel(number: int) -> Command:
    def run(window: MainWindow) -> None:
        if window.docks is not None:
            window.docks.focus(window.docks.offered[number - 1])

    return Command(
        f"go.panel_{number}",
        f"Panel {number}",
        "",
        run,
        (f"Ctrl+{number}",),
        enabled=lambda window: window.docks is not None and len(window.docks.offered) >= number,
        help="In the order of View → Panels.",
    )


COMMANDS: tuple[Command, ...] = (
    Command(
        "go.search",
        "Search everything",
        "Go",
        lambda window: window.omnibox.start(),
        ("/",),
        enabled=lambda window: window.document.current is not None,
        icon="search",
        separator=True,
        help="Names of every kind, source texts, instructions, addresses, files, and the cells of all tables.",
        words=("find", "look for", "grep"),
    ),
    Command(
        "go.to",
        "Go to…",
        "Go",
        lambda window: window.omnibox.start(GO_SIGN),
        ("Ctrl+P",),
        enabled=lambda window: window.document.current is not None,
        help="A lane, program, tensor, function or source line by its name; file.cpp:123, tile 17, 0x1a40.",
        words=("jump", "open symbol", "quick open", "line", "address", "tile"),
    ),
    Command(
        "go.next_match",
        "Next match",
        "Go",
        lambda window: _step_match(window, 1),
        ("F3",),
        enabled=_can_step_match,
        help="In the search field: Enter.",
    ),
    Command(
        "go.previous_match",
        "Previous match",
        "Go",
        lambda window: _step_match(window, -1),
        ("Shift+F3",),
        enabled=_can_step_match,
        help="In the search field: Shift+Enter.",
    ),
    Command(
        "go.next_profile",
        "Next profile",
        "Go",
        lambda window: _step_profile(window, 1),
        ("Ctrl+Tab", "Ctrl+PgDown"),
        enabled=_several,
        separator=True,
    ),
    Command(
        "go.previous_profile",
        "Previous profile",
        "Go",
        lambda window: _step_profile(window, -1),
        ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
        enabled=_several,
    ),
    *(_focus_panel(number) for number in range(1, PANEL_KEYS + 1)),
)
