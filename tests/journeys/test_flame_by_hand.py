"""The flame graph of nested slices: a click on a frame selects its slices and the row of its path, which is copied."""

from __future__ import annotations

import json
from pathlib import Path

from desktop import clipboard
from desktop.waiting import until
from journeys.conftest import Start

TABS = ("page tab", "page tab list")


def trace(folder: Path) -> Path:
    """A trace of four steps, each with a load."""
    events = [
        {"ph": "X", "pid": 1, "tid": 1, "ts": 100 * step + 10 * inside, "dur": 90 - 20 * inside, "name": name}
        for step in range(4)
        for inside, name in enumerate((f"step {step}", "load"))
    ]
    path = folder / "trace.json"
    path.write_text(json.dumps({"traceEvents": events}))
    return path


def test_a_frame_is_chosen_and_its_row_copied(start: Start, tmp_path: Path) -> None:
    program = start(trace(tmp_path))
    program.show_panel("Statistics")
    program.click(TABS, "By path")
    table = until(lambda: next(iter(program.tree.all("table", "Slices by path")), None), "the table of paths")
    assert [table.cell(row, 0).name for row in range(2)] == ["step", "step › load"]
    flame = program.find((), "Flame graph of slices")
    (across, _), (_, top, _, _) = flame.middle, flame.box
    program.hands.click((across, top + 78))
    until(lambda: program.has(("label", "filler"), "4 slices"), "the slices of the frame")
    program.hands.click(table.cell(1, 0).middle)
    program.hands.press("ctrl+c")
    until(lambda: "\nstep › load\t1\t4\t" in clipboard.text(program.desktop), "the row of a path")
