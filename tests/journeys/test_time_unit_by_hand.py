"""The unit of times set by hand: menu, dialog, the exported table, and the next start."""

from __future__ import annotations

import csv
from pathlib import Path

from desktop.program import BUTTONS, Program
from desktop.waiting import until
from generators import pipe_words
from generators.ascend_report import device_files, write
from journeys.conftest import Start
from journeys.exporting import choose, write_to


def button(program: Program, text: str) -> None:
    """Waits until the button above the timeline names this unit."""
    until(lambda: program.has(BUTTONS, f"Time unit: {text}"), f"the unit {text}")


def heads(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return next(csv.reader(file))


def test_cycles_of_a_clock_are_exported_remembered_and_undone(start: Start, tmp_path: Path) -> None:
    folder = write(tmp_path / "OPPROF_1_A", device_files() | {"trace.json": pipe_words.trace()})
    program = start(folder)
    button(program, "cycles")
    assert program.has("label", lambda name: name.startswith("▲ ") and "but the operator took 1.80 µs" in name)
    program.click(BUTTONS, "Time unit: cycles")
    program.hands.press("Down", "Down", "Down", "Return")
    dialog = program.window("Time unit")
    field = until(lambda: dialog.focused, "the field with the keyboard")
    assert field.text.startswith("1650")  # the profile's clock
    program.hands.press("ctrl+a")
    program.hands.type("1000")
    program.hands.press("Return")
    button(program, "cycles at 1,000 MHz, set manually")
    program.click(BUTTONS, "Time unit: cycles at 1,000 MHz, set manually")
    program.hands.press("Down", "Down", "Return")  # nanoseconds; files for programs have seconds
    button(program, "ns, set manually")
    choose(program, "Lanes")
    program.hands.press("Return")
    write_to(program, tmp_path / "lanes.csv")
    assert "busy [s set by hand]" in heads(tmp_path / "lanes.csv")

    program.hands.press("ctrl+q")
    program.wait_ended()
    program = start(folder)
    button(program, "ns, set manually")
    program.command("Reset time unit")
    button(program, "cycles")
    program.command("Undo time unit")
    button(program, "ns, set manually")
