"""Panels torn off, put back, closed and brought back; the arrangement of the last session."""

from __future__ import annotations

from pathlib import Path

from desktop.accessible import Node
from desktop.program import BUTTONS, TABS, Program
from desktop.waiting import until
from journeys.conftest import Start

DOCK = "Float or dock"
FLOAT, CLOSE = ("Up", "Return"), ("Up", "Up", "Return")
"""A button in the heading of a floating panel, and the keys that choose the last two entries of a panel's menu."""


def own_window(program: Program, panel: str) -> Node | None:
    return next((window for window in program.windows[1:] if window.name.startswith(panel)), None)


def floating_window(program: Program, panel: str) -> Node:
    """The window of a floating panel, once the window manager has placed it: until then it says that it is at 0, 0."""

    def placed() -> Node | None:
        window = own_window(program, panel)
        return window if window is not None and window.box[:2] != (0, 0) else None

    return until(placed, f"{panel} in a window of its own")


def test_a_panel_floats_and_docks_again(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.panel_menu("Summary", *FLOAT)
    floating = floating_window(program, "Summary")
    assert floating.box[2] > 100
    program.hands.click(floating.find(BUTTONS, DOCK).middle)
    until(lambda: own_window(program, "Summary") is None, "the panel is docked")
    program.find(TABS, "Summary")
    assert not program.has(BUTTONS, DOCK)


def test_a_closed_panel_comes_back_from_the_menu_and_all_with_the_first_layout(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    for panel in ("Summary", "Details"):
        program.panel_menu(panel, *CLOSE)
        until(lambda panel=panel: not program.has("panel", panel), f"{panel} is closed")  # type: ignore[misc]
    program.command("Details")
    program.find("panel", "Details")
    assert not program.has("panel", "Summary")
    program.menu("View", "Reset layout")
    program.find("panel", "Summary")


def test_the_arrangement_outlives_the_session(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.panel_menu("Summary", *CLOSE)
    program.show_panel("Roofline")
    program.menu("View", "Appearance", "Dark")
    until(lambda: program.eyes.look().mean() < 90, "the dark theme")
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0

    again = start(samples / "matmul_leakyrelu.bin")
    again.window("matmul_leakyrelu")
    until(lambda: "selected" in again.find(TABS, "Roofline").states, "the same tab in front")
    assert not again.has(TABS, "Summary")
    assert again.eyes.still().mean() < 90
