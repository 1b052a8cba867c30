"""Two runs are compared by the menu, their tables say what differs, and a click on the chip ends that."""

from __future__ import annotations

from pathlib import Path

from desktop.waiting import until
from generators import popef
from generators.popef import guide_blobs
from journeys.conftest import Start


def test_a_profile_is_compared_with_another_and_that_is_ended(start: Start, tmp_path: Path) -> None:
    before = popef.write(tmp_path / "before.popef", guide_blobs())
    after = popef.write(tmp_path / "after.popef", [*guide_blobs(), popef.tensor("planted", (8,), 3)])
    program = start(before)
    program.hands.press("ctrl+o")
    program.type_path(after, "Open")
    program.rest()
    program.hands.press("ctrl+shift+o")
    program.rest()
    program.hands.press("Return")
    chip = program.find(("push button", "button"), lambda name: "after.popef vs. before.popef (baseline)" in name)
    table = program.show_panel("Tables").find("table")
    until(lambda: table.cell(0, 0).name == "only in the comparison", "the issue that only one has")
    program.hands.click(chip.middle)
    until(lambda: table.cell(0, 0).name == "warning", "the table without a baseline")
