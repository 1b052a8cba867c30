"""A capture of Tenstorrent, opened file by file and as a folder: what decides, its panels, a table on the disk."""

from __future__ import annotations

import csv
from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators.tenstorrent import Run, write
from journeys.conftest import Start


def test_a_folder_opens_as_one_capture(start: Start, tmp_path: Path) -> None:
    program = start()
    write(tmp_path / "run", Run(unended=0))
    program.open(tmp_path / "run")
    program.find("filler", "Timeline")
    program.find(BUTTONS, lambda name: name.endswith("of kernels"))
    program.find("panel", "Floor plan")
    for title in ("Device operations", "Zones", "NoC", "L1 memory", "Source", "Heat table"):
        program.show_panel(title)
        program.find("panel", title)


def test_zones_are_exported_as_they_are_shown(start: Start, tmp_path: Path) -> None:
    log, *_ = write(tmp_path / "run", Run(unended=0))
    program = start(log)
    program.show_panel("Zones")
    program.hands.press("ctrl+e")
    program.window("Export")
    program.hands.press("Return")
    target = tmp_path / "zones.csv"
    program.type_path(target, "Export")
    until(target.exists, "the file")
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
