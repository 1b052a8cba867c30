"""Files that the window writes: tables, pictures, values, blocks, reports; what is cancelled writes nothing."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from PySide6.QtGui import QImage

from desktop.program import BUTTONS, Program
from desktop.waiting import until
from generators import ascend_trace, tensorflow_events
from journeys.conftest import Start
from journeys.exporting import asked_where, by_command_line, cancel, choose, listed, offered, press_button, write_to

PROFILE = "matmul_leakyrelu.bin"
LANES = 32
PIXELS = (3200, 1800)
"""Of a PNG: twice 1600 x 900, so that text stays sharp."""
SVG = "{http://www.w3.org/2000/svg}"


def test_what_an_operator_holds(start: Start, samples: Path, tmp_path: Path, home: Path) -> None:
    """Tables, pictures, what is cancelled, a file that is there already, a block: one after the other in one window."""
    program = start(samples / PROFILE)
    program.find("filler", "Timeline")
    what_is_cancelled_writes_nothing(program, tmp_path, home)
    a_file_that_is_there_is_replaced_after_a_question(program, tmp_path)
    a_table_by_enter_by_button_and_by_double_click(program, samples, tmp_path)
    pictures_as_png_and_as_svg(program, tmp_path)
    what_is_searched_for(program, tmp_path)
    a_block_as_it_lies_in_the_file(program, samples, tmp_path)


def a_table_by_enter_by_button_and_by_double_click(program: Program, samples: Path, tmp_path: Path) -> None:
    choose(program, "Lanes")
    program.hands.press("Return")
    write_to(program, tmp_path / "lanes.csv")
    choose(program, "Lanes")
    press_button(program, "Save as…")
    write_to(program, tmp_path / "lanes.tsv")
    line = choose(program, "Lanes")
    program.hands.double_click(line.middle)
    write_to(program, tmp_path / "lanes.json")

    plain = (tmp_path / "lanes.csv").read_bytes()
    assert plain == by_command_line(samples / PROFILE, "lanes", tmp_path / "other.csv")
    for suffix, separator in ((".csv", ","), (".tsv", "\t")):
        with (tmp_path / f"lanes{suffix}").open(encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file, delimiter=separator)
        assert {"busy [s]", "busy_share [%]"} <= set(header)
        assert [len(row) for row in rows] == [len(header)] * LANES
    assert [row["thread"] for row in json.loads((tmp_path / "lanes.json").read_bytes())["rows"]] == [
        row[header.index("thread")] for row in rows
    ]


def pictures_as_png_and_as_svg(program: Program, tmp_path: Path) -> None:
    for suffix in (".png", ".svg"):
        choose(program, "Whole timeline")
        program.hands.press("Return")
        write_to(program, tmp_path / f"whole{suffix}")
    choose(program, "Roofline", "image")  # a table has the same title
    program.hands.press("Return")
    write_to(program, tmp_path / "chart.svg")
    picture = QImage(str(tmp_path / "whole.png"))
    assert (picture.width(), picture.height()) == PIXELS
    assert colours(picture) > 8
    root = ElementTree.parse(tmp_path / "whole.svg").getroot()
    assert root.tag == f"{SVG}svg"
    assert any(text.text for text in root.iter(f"{SVG}text"))
    chart = ElementTree.parse(tmp_path / "chart.svg").getroot()
    assert "Ops/Byte" in {(text.text or "").strip() for text in chart.iter(f"{SVG}text")}
    assert not list(chart.iter(f"{SVG}image"))


def what_is_searched_for(program: Program, tmp_path: Path) -> None:
    """Letters go to the search field, Enter exports the first match."""
    lines = offered(program)
    until(lambda: listed(lines) > 20, "the tables are listed")
    program.hands.type("core load table")
    until(lambda: listed(lines) == 1, "one match")
    program.hands.press("Return")
    write_to(program, tmp_path / "searched.csv")
    assert (tmp_path / "searched.csv").read_text(encoding="utf-8").count("\n") > 1
    offered(program)
    program.hands.type("report")
    program.hands.press("Return")
    program.type_path(tmp_path / "searched.html", "Save report")
    until((tmp_path / "searched.html").exists, "the report is written")


def what_is_cancelled_writes_nothing(program: Program, tmp_path: Path, home: Path) -> None:
    offered(program)
    program.hands.press("Escape")
    program.gone("Export")
    offered(program)
    press_button(program, "Cancel")
    program.gone("Export")
    for refuse in (cancel, lambda program: press_button(program, "Cancel")):
        choose(program, "Lanes")
        program.hands.press("Return")
        program.type_into_field(str(tmp_path / "never.csv"), asked_where(program))
        refuse(program)
        program.gone("Export")
    program.hands.press("w")
    program.rest()
    assert not list(tmp_path.glob("never*"))
    assert not [*home.glob("*.csv*"), *home.glob("*.png*")]


def a_file_that_is_there_is_replaced_after_a_question(program: Program, tmp_path: Path) -> None:
    there = tmp_path / "there.csv"
    there.write_bytes(b"mine")
    choose(program, "Lanes")
    program.hands.press("Return")
    program.type_into_field(str(there), asked_where(program))
    program.hands.press("Return")
    program.window("Replace")
    program.hands.press("Return")  # Cancel is the default, and leads back to the name
    program.gone("Replace")
    assert there.read_bytes() == b"mine"
    program.type_into_field(str(there), program.window("Export"))
    program.hands.press("Return")
    program.window("Replace")
    press_button(program, "Replace")
    until(lambda: there.read_bytes() != b"mine", "the file is replaced")
    assert there.read_text(encoding="utf-8").startswith("process,")
    assert [path.name for path in tmp_path.iterdir()] == ["there.csv"]


def test_what_cannot_be_written_is_told_and_offered_again(start: Start, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    ascend_trace.write(trace, events=300, cores=1, seed=1)
    content = trace.read_bytes()
    program = start(trace)
    program.find("filler", "Timeline")
    choose(program, "Lanes")
    program.hands.press("Return")
    write_to(program, Path("/sys/lanes.csv"), new=False)
    notice = program.find("text", "Notices")
    assert notice.text.startswith("/sys/lanes.csv: cannot be written: ")
    press_button(program, "Export again…")
    program.type_into_field(str(trace), program.window("Export"))
    program.hands.press("Return")
    program.window("Replace")
    press_button(program, "Replace")
    until(lambda: f"{trace}: cannot be written" in notice.again().text, "a notice")
    assert "/sys" not in notice.text
    assert trace.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [trace.name]
    press_button(program, "Export again…")
    write_to(program, tmp_path / "again.csv")


def test_values_of_a_tensor(start: Start, samples: Path, tmp_path: Path) -> None:
    program = start(samples / "resnet_inference.popef")
    table = program.find("table", "Blobs")
    row = next(row for row in range(table.rows) if table.cell(row, 0).name == "DATA_TENSOR")
    program.hands.click(table.cell(row, 0).middle)
    program.panel_menu("Content", "Down", "Return")
    program.type_path(tmp_path / "values.npy", "Save as a NumPy file")
    until((tmp_path / "values.npy").exists, "the values are written")
    values = np.load(tmp_path / "values.npy", allow_pickle=False)
    assert values.size


def a_block_as_it_lies_in_the_file(program: Program, samples: Path, tmp_path: Path) -> None:
    program.command("File blocks")  # its group has another panel in front
    table = program.find("table", "Blocks of the file")
    program.hands.click(table.cell(3, 0).middle)
    press_button(program, "Save…")
    target = tmp_path / "block.bin"
    program.type_path(target, "Save block content")
    until(target.exists, "the block is written")
    assert target.read_bytes()
    assert target.read_bytes() in (samples / PROFILE).read_bytes()


def test_a_report_inside_an_event_log(start: Start, tmp_path: Path) -> None:
    log, report = tmp_path / "events.out.tfevents.1559736000.host", b'{"memory": "as it lies in the log"}'
    log.write_bytes(tensorflow_events.log([tensorflow_events.run(graph=report)]))
    program = start(log)
    table = program.find("table", "Host events")
    row = next(row for row in range(table.rows) if table.cell(row, 0).name == "COMPILE_END")
    program.hands.click(table.cell(row, 0).middle)
    program.click(BUTTONS, lambda name: name.startswith("Save… "))
    program.type_path(tmp_path / "report.json", "Save event data")
    until((tmp_path / "report.json").exists, "the report is written")
    assert (tmp_path / "report.json").read_bytes() == report


def colours(picture: QImage) -> int:
    """How many there are in it."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB32)
    return len(np.unique(np.frombuffer(plain.constBits(), np.uint32)))
