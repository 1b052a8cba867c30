"""A PyPTO run, opened as a folder by the dialog: what decides, its panel, and its critical path."""

from __future__ import annotations

from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators import pypto
from journeys.conftest import Start


def test_from_a_folder_to_the_critical_path(start: Start, tmp_path: Path) -> None:
    program = start()
    pypto.write(tmp_path / "dfx_outputs")
    program.open(tmp_path / "dfx_outputs")
    program.find("filler", "Timeline")
    program.find(BUTTONS, lambda name: "cores work" in name)
    program.find("panel", "Tasks on cores")
    program.click(("page tab", "page tab list"), "Cores")
    program.hands.click(program.find("filler", "Timeline").middle)
    program.hands.press("c")
    legend = "Colours: Critical path, "
    until(lambda: program.has((), lambda name: name.startswith(legend)), "the path in the legend")
    program.find(BUTTONS, lambda name: "on the critical path" in name)
