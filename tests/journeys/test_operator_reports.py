"""A file of an operator report, the folder around it, and a file saved from it."""

from __future__ import annotations

from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators.ascend_report import device_files, write
from journeys.conftest import Start
from journeys.exporting import press_button


def test_from_a_single_file_to_its_folder_and_a_file_saved_from_it(start: Start, tmp_path: Path) -> None:
    folder = write(tmp_path / "OPPROF_20260821101500_ABCDEFGHIJKLMNOP", device_files())
    program = start(folder / "trace.json")
    program.find("text", "Notices")
    program.click(BUTTONS, "Open the folder")
    program.window("add_custom")
    until(lambda: not program.has("text", "Notices"), "no notice")
    program.show_panel("File blocks")
    table = program.find("table", "Files of the report")
    program.hands.click(table.cell(0, 1).middle)
    press_button(program, "Save…")
    target = tmp_path / "saved.csv"
    program.type_path(target, "Save block content")
    until(target.exists, "the file is written")
    assert target.read_bytes() == device_files()["Memory.csv"]
