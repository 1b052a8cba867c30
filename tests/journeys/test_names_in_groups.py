"""Names that differ only in numbers: one row of the statistics, which opens, is selected, copied and taken apart."""

from __future__ import annotations

import json
from pathlib import Path

from desktop import clipboard
from desktop.accessible import Node
from desktop.program import Program
from desktop.waiting import until
from journeys.conftest import Start

TABLE = "Slices by name"
BUTTON = ("push button", "button", "toggle button", "check box")


def trace(folder: Path) -> Path:
    """A trace of eight matmuls with numbers in their names and two copies."""
    names = [f"0-{number}-{number + 7}(matmul)" for number in range(8)] + ["copy", "copy"]
    events = [
        {"ph": "X", "pid": 1, "tid": 1, "ts": 10 * place, "dur": 9 - place / 2, "name": name}
        for place, name in enumerate(names)
    ]
    path = folder / "trace.json"
    path.write_text(json.dumps({"traceEvents": events}))
    return path


def table(program: Program, rows: int) -> Node:
    """The statistics, as soon as they have so many rows."""
    return until(
        lambda: next((one for one in program.tree.all("table", TABLE) if one.rows == rows), None), f"{rows} rows"
    )


def test_a_group_opens_is_selected_copied_and_taken_apart(start: Start, tmp_path: Path) -> None:
    program = start(trace(tmp_path))
    program.show_panel("Statistics")
    shown = table(program, 2)
    assert [shown.cell(row, 0).name for row in range(2)] == ["matmul", "copy"]
    program.hands.click(shown.cell(0, 0).middle)
    until(lambda: program.has(("label", "filler"), "8 slices"), "the slices of the group")
    program.hands.press("ctrl+c")
    until(lambda: "\nmatmul\t8\t" in clipboard.text(program.desktop), "its row")
    program.click(BUTTON, "List the slices of the selected names beside the table (double click, Enter)")
    until(lambda: any(one.rows == 8 for one in program.tree.all("table", "Instances")), "the slices, one by one")
    program.click(BUTTON, "List the slices of the selected names beside the table (double click, Enter)")
    program.hands.click(shown.cell(0, 0).middle)
    program.hands.press("Right")
    assert table(program, 10).cell(1, 0).name == "0-0-7(matmul)"
    program.hands.press("Left")
    table(program, 2)
    program.click(BUTTON, "Group names that differ only in numbers and addresses")
    table(program, 9)
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0

    again = start(tmp_path / "trace.json")
    again.show_panel("Statistics")
    table(again, 9)
