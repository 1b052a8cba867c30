"""Commands of the palette, typed and run as a person does."""

from __future__ import annotations

from pathlib import Path

from app.window.command import Command
from app.window.commands import COMMANDS
from desktop.program import Program
from desktop.waiting import until
from journeys.conftest import Start

ENDING = ("file.quit", "file.close", "file.close_others", "file.clear_recent", "view.full_screen")
"""Run last, or by journeys of their own: what they do takes the window or the profile away."""
DIALOGS = ("dialog", "file chooser", "alert")


def close_what_opened(program: Program) -> None:
    """Esc for dialogs and menus until the main window is alone again."""
    for _ in range(6):
        extra = [window for window in program.windows[1:] if window.role in DIALOGS and "showing" in window.states]
        if not extra:
            return
        program.hands.press("Escape")
        program.rest()
    raise AssertionError(f"windows that Esc does not close: {[window.name for window in extra]}")


def first_of_each_kind() -> list[Command]:
    """The first command of each area, without those that end something. ``tests/gui/window/test_every_command.py`` runs
    all."""
    firsts: dict[str, Command] = {}
    for command in COMMANDS:
        if command.text and command.id not in ENDING:
            firsts.setdefault(command.id.split(".")[0], command)
    return list(firsts.values())


def test_a_command_of_each_kind(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.window("matmul_leakyrelu")
    for command in first_of_each_kind():
        program.command(command.text)
        program.rest()
        assert program.running, f"the program ended at {command.id}"
        close_what_opened(program)
        program.hands.press("Escape", "Escape")
    until(lambda: program.window().name.endswith("Tilesight"), "the main window")
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0
