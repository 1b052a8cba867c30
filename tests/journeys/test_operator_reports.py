"""A file of an operator report, the folder around it, and a file saved from it."""

from __future__ import annotations

from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators.ascend_report import device_files, simulator_files, write
from journeys.conftest import Start
from journeys.exporting import press_button


def test_from_a_single_file_to_its_folder_and_a_file_saved_from_it(start: Start, tmp_path: Path) -> None:
    folder = write(tmp_path / "OPPROF_20260821101500_ABCDEFGHIJKLMNOP", device_files())
    program = start(folder / "trace.json")
    program.find("text", "Notices")
    program.click(BUTTONS, "Open folder")
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


def test_a_source_that_is_only_named_and_a_block_inside_the_report(start: Start, tmp_path: Path) -> None:
    folder = write(tmp_path / "OPPROF_20260821101600_ABCDEFGHIJKLMNOP", simulator_files(1))
    source = tmp_path / "mine" / "add_custom.cpp"
    source.parent.mkdir()
    source.write_text("".join(f"line {number};\n" for number in range(1, 20)))
    program = start(folder)
    program.window("add_custom")
    program.click(BUTTONS, "Open source file…")
    program.click(BUTTONS, "Choose file…")
    program.type_path(source, "Open source file")
    program.find("label", lambda name: name.startswith(f"Current text of {source}"))
    program.show_panel("File blocks")
    program.find("table", "Files of the report")
    program.hands.click(program.find("combo box", "Files of the report").middle)
    program.hands.press("Down", "Return")
    table = program.find("table", "Blocks of the file")
    program.hands.click(table.cell(0, 1).middle)
    press_button(program, "Save…")
    target = tmp_path / "saved.json"
    program.type_path(target, "Save block content")
    until(target.exists, "the block is written")
    assert target.read_bytes() == b'{"name":"add_custom","op_type":"vector"}'
