"""Panels are dragged while the profile changes: nothing is arranged under the hand, and the program lives on."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.accessible import Node
from desktop.hands import Place
from desktop.program import TABS, Program
from desktop.waiting import until
from generators import ascend_trace
from journeys.conftest import Start

DRAGS = 20
"""In each of two sessions."""
BESIDE_MENUS: Place = (800, 6)
MEANWHILE = (
    {3: ("ctrl+Tab",)},
    {2: ("ctrl+Tab",), 5: ("ctrl+shift+Tab",)},
    {5: ("F5",)},
    {4: ("ctrl+Tab", "ctrl+Tab"), 6: ("Escape",)},
    {1: ("F5",), 2: ("ctrl+Tab",)},
    {6: ("ctrl+Tab",)},
    {4: ("F1", "ctrl+Tab")},
)
"""Keys after a step of the drag; F5 reads the file again, which then arrives under the hand."""
ENDS: tuple[Place, ...] = ((300, 300), (1400, 500), (800, 940), (1560, 200), (60, 600), (700, 450), (1100, 160))


def dock_area(program: Program) -> Node | None:
    """The window of the docks inside the main window."""
    frames = program.window("").each("frame")
    next(frames, None)
    return next(frames, None)


def panel_tabs(area: Node) -> list[Node]:
    """The tabs of docked panels; nothing inside of panels is asked for."""
    return [tab for bar in area.children if bar.role == "page tab list" for tab in bar.children if not tab.gone]


def first_layout(program: Program, area: Node) -> list[Node]:
    """The tabs of the first layout, after it has been restored."""
    program.hands.click(BESIDE_MENUS)  # the main window has the keyboard again
    program.command("Reset layout")
    return until(lambda: panel_tabs(area), "tabs of panels")


@pytest.mark.parametrize("session", range(2))
def test_forty_drags_of_panels_while_profiles_change(start: Start, samples: Path, tmp_path: Path, session: int) -> None:
    ascend_trace.write(tmp_path / "trace.json", 2_000, cores=2, seed=1)
    files = [samples / "matmul_leakyrelu.bin", samples / "resnet_inference.popef", tmp_path / "trace.json"]
    program = start(*files)
    area = until(lambda: dock_area(program), "docks")
    first = session * DRAGS
    for drag in range(first, first + DRAGS):
        tabs = [] if drag % 8 == session else panel_tabs(area)
        tabs = tabs or first_layout(program, area)
        end, keys = ENDS[(drag + drag // 7) % len(ENDS)], MEANWHILE[drag % len(MEANWHILE)]
        program.hands.drag(tabs[drag % len(tabs)].middle, end, keys=keys)
        assert program.running, f"the program ended with drag {drag}"
    first_layout(program, area)


def test_docks_are_arranged_after_the_release(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin", samples / "resnet_inference.popef")
    program.click(TABS, lambda name: name.startswith("matmul_leakyrelu"))
    shown = program.window("matmul_leakyrelu")
    tab = program.find(TABS, "Memory paths").middle
    program.hands.take(tab, (tab[0] - 300, tab[1] + 200), keys={4: ("ctrl+Tab",)})
    until(lambda: shown.again().name.startswith("resnet_inference"), "the other profile is shown")
    assert program.has("panel", "Source")
    assert not program.has("panel", "Anchors")
    program.hands.let_go()
    until(lambda: program.has(TABS, "Anchors"), "its panels")
    assert not program.has("panel", "Source")
