"""Every command of the palette, typed and run as a person does."""

from __future__ import annotations

from pathlib import Path

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


def test_every_command_once(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.window("matmul_leakyrelu")
    for command in COMMANDS:
        if command.id in ENDING or not command.text:
            continue
        program.hands.press("ctrl+shift+p")
        program.hands.type(command.text)
        program.hands.press("Return")
        program.rest()
        assert program.running, f"the program ended at {command.id}"
        close_what_opened(program)
        program.hands.press("Escape", "Escape")
    until(lambda: program.window().name.endswith("Tilesight"), "the main window")
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0
