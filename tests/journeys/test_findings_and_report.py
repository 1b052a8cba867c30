"""What is wrong is read in the panel of findings, its evidence selected by a click, and the whole saved as a page,
and as files."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.accessible import Node
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from journeys.conftest import Start

TITLE = "2 of 20 AI cores of the chip have a block"


def test_a_finding_leads_to_its_evidence_and_the_report_holds_it(start: Start, samples: Path, tmp_path: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    panel = program.show_panel("Findings")
    table = panel.find("table")
    until(lambda: table.again().cell(0, 1).name == TITLE, "the first finding")
    program.hands.press("Down")
    link = program.find(BUTTONS, lambda name: name.startswith("1 · time: "))
    program.hands.click(link.middle)
    program.find("label", lambda name: "5.85 µs" in name)
    a_threshold_is_changed_and_reset(program, table)
    program.menu("File", "Save report…")
    target = tmp_path / "report.html"
    program.type_path(target, "Save report")
    until(target.exists, "the report is written")
    page = target.read_text("utf-8")
    assert TITLE in page
    assert page.rstrip().endswith("</html>")
    folder = tmp_path / "everything"
    program.menu("File", "Export everything…")
    program.type_path(folder, "Export everything")
    until((folder / "index.json").exists, "everything is written")
    (listed,) = json.loads((folder / "index.json").read_bytes())["profiles"]
    written = {entry["file"] for entry in (*listed["tables"], *listed["plots"])}
    assert {path.name for path in folder.iterdir()} == {"index.json", *written}
    assert {"lanes.csv", "roofline.svg"} <= written


def a_threshold_is_changed_and_reset(program: Program, table: Node) -> None:
    """The findings follow while the window of thresholds stays open."""
    rows = table.again().rows
    program.menu("Tools", "Thresholds of findings…")
    dialog = program.window("Thresholds of findings")
    program.hands.click(dialog.find(("spin button", "spin box"), "Clock frequency").middle)
    program.hands.press("ctrl+a")
    program.hands.type("50")
    program.hands.press("Tab")
    until(lambda: table.again().rows < rows, "fewer findings")
    program.click(BUTTONS, "Restore defaults")
    until(lambda: table.again().rows == rows, "the findings from before")
    program.hands.press("Escape")
    program.gone("Thresholds of findings")
