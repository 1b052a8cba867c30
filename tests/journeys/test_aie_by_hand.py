"""A trace of AMD AI Engine tiles: opened by the dialog, its floor plan, and the table behind that on the disk."""

from __future__ import annotations

import csv
from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators.aie_trace import Traced, write
from journeys.conftest import Start


def test_from_a_trace_to_the_stalls_of_its_tiles(start: Start, tmp_path: Path) -> None:
    program = start()
    program.open(write(tmp_path / "trace.json"))
    program.find("filler", "Timeline")
    program.find(BUTTONS, lambda name: name.startswith("LOCK_STALL: "))  # what decides, above the panels
    program.click("check box", "Table")  # of the floor plan, which the first layout has in front
    program.hands.press("ctrl+e")
    program.window("Export")
    program.hands.press("Return")
    target = tmp_path / "tiles.csv"
    program.type_path(target, "Export")
    until(target.exists, "the file")
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stalls = {row["process"]: row for row in rows if row["event"] == "LOCK_STALL"}
    assert len(rows) == 50
    assert stalls["core_trace for tile2,0"]["count"] == "20"
    assert stalls["core_trace for tile2,0"]["tile"] == "tile (column 0, row 2)"


def test_two_traces_are_compared_by_the_events_of_their_tiles(start: Start, tmp_path: Path) -> None:
    """Stalls are in the legend as waits, and the table has the differences."""
    sides = [write(tmp_path / "before.json"), write(tmp_path / "after.json", Traced(seed=5, rounds=30))]
    program = start("--baseline", *sides)
    program.find(BUTTONS, lambda name: name.endswith("(baseline)"))
    program.show_panel("Floor plan")
    until(lambda: program.has((), lambda name: name.startswith("Colours: ") and "Waiting" in name), "the legend")
    program.click("check box", "Table")
    program.hands.press("ctrl+e")
    program.window("Export")
    program.hands.press("Return")
    target = tmp_path / "tiles.csv"
    program.type_path(target, "Export")
    until(target.exists, "the file")
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stall = next(row for row in rows if "tile2,0" in row["process"] and row["event"] == "LOCK_STALL")
    counts = [stall[title] for title in stall if title.startswith("count")]
    assert counts[:3] == ["20", "30", "10"], stall
