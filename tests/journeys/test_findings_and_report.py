"""What is wrong is read in the panel of findings, its evidence selected by a click, and the whole saved as a page."""

from __future__ import annotations

from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from journeys.conftest import Start

TITLE = "2 of 20 AI cores of the chip have a block"


def test_a_finding_leads_to_its_evidence_and_the_report_holds_it(start: Start, samples: Path, tmp_path: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    panel = program.show_panel("Findings")
    table = panel.find("table")
    until(lambda: table.again().cell(0, 1).name == TITLE, "the first finding")
    program.hands.press("Down")
    link = program.find(BUTTONS, lambda name: name.startswith("1 · cycles: "))
    program.hands.click(link.middle)
    program.find("label", lambda name: name.startswith("Cycles: 8,391 cycles"))
    program.menu("File", "Save report…")
    target = tmp_path / "report.html"
    program.type_path(target, "Save report")
    until(target.exists, "the report is written")
    page = target.read_text("utf-8")
    assert TITLE in page
    assert page.rstrip().endswith("</html>")
