"""What decides about a profile is one click from its evidence, and panels of one group are one click apart."""

from __future__ import annotations

from pathlib import Path

from desktop.eyes import changed
from desktop.program import BUTTONS, MENU_PIXELS, TABS
from desktop.waiting import until
from journeys.conftest import Start

ARROW = 16
"""Pixels from the right end of a tab to the arrow that lists its group."""


def test_a_sentence_leads_to_its_line_and_an_arrow_to_another_panel(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.find(BUTTONS, lambda name: name.endswith(" findings"))
    program.click(BUTTONS, lambda name: "matmul_leaky.cpp:82" in name)
    until(lambda: program.has(("label", "filler"), lambda name: "matmul_leaky.cpp:82" in name), "details of the line")
    program.click(BUTTONS, lambda name: name.endswith(" findings"))
    program.find("panel", "Findings")
    assert not program.has("panel", "Roofline")
    left, top, width, height = program.find(TABS, "Memory paths").box
    before = program.eyes.still()
    program.hands.click((left + width - ARROW, top + height // 2))
    until(lambda: changed(before, program.eyes.look()) > MENU_PIXELS, "the menu of the group")
    program.hands.press("Down", "Down", "Return")  # memory paths, roofline
    program.find("panel", "Roofline")
