"""Panels torn off, put back, closed and brought back; the arrangement of the last session."""

from __future__ import annotations

from pathlib import Path

from desktop.accessible import Node
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from journeys.conftest import Start

FLOAT, CLOSE = "Float or dock", "Close panel"


def heading_button(program: Program, panel: str, name: str) -> Node:
    """A button in the heading of a panel that stands alone in its place, or floats."""
    return program.find("panel", panel).find(BUTTONS, name)


def own_window(program: Program, panel: str) -> Node | None:
    return next((window for window in program.windows[1:] if window.name.startswith(panel)), None)


def test_a_panel_floats_and_docks_again(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.hands.click(heading_button(program, "Summary", FLOAT).middle)
    floating = until(lambda: own_window(program, "Summary"), "a window of its own")
    assert floating.box[2] > 100
    program.hands.click(floating.find(BUTTONS, FLOAT).middle)
    until(lambda: own_window(program, "Summary") is None, "the panel is docked")
    heading_button(program, "Summary", FLOAT)


def test_a_closed_panel_comes_back_from_the_menu_and_all_with_the_first_layout(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    for panel in ("Details", "Issues"):
        program.hands.click(heading_button(program, panel, CLOSE).middle)
        until(lambda panel=panel: not program.has("panel", panel), f"{panel} is closed")  # type: ignore[misc]
    program.menu("View", "Panels", "Details")
    program.find("panel", "Details")
    assert not program.has("panel", "Issues")
    program.menu("View", "Reset layout")
    program.find("panel", "Issues")
