"""Two blocks of one operator are compared by the dialog, and a button of the chip ends that."""

from __future__ import annotations

from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from journeys.conftest import Start


def test_two_blocks_by_the_dialog(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.window("matmul_leakyrelu")
    program.command("compare parts")
    dialog = program.window("Compare parts")
    button = dialog.find(BUTTONS, "Compare")
    until(lambda: "enabled" in button.again().states, "two blocks are chosen")
    program.hands.click(button.middle)
    program.gone("Compare parts")
    chip = program.find(BUTTONS, lambda name: "(baseline)" in name)
    assert "matmul_leakyrelu, block 1 vs. matmul_leakyrelu, block 0" in chip.name
    table = program.show_panel("Tables").find("table")
    until(lambda: table.cell(0, 0).name, "a row of differences")
    program.click(BUTTONS, "End comparison")
    until(
        lambda: not program.has(BUTTONS, lambda name: "(baseline)" in name),
        "the end of the comparison",
    )
    program.hands.press("ctrl+w")
    until(lambda: not program.has(("page tab",), lambda name: "block 1" in name), "the part is closed")
