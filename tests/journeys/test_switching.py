"""From one open profile to another and back: everything is where it was; many profiles at once."""

from __future__ import annotations

from pathlib import Path

from desktop.accessible import Node
from desktop.program import TABS, Program
from desktop.waiting import until
from generators import ascend_trace
from journeys.conftest import Start

MODEL, OPERATOR = "resnet_inference.popef", "matmul_leakyrelu"


def turn_to(program: Program, profile: str) -> None:
    program.click(TABS, lambda name: name.startswith(profile))
    until(lambda: program.window("").name.startswith(profile), f"{profile} is shown")
    program.rest()


def floating(program: Program, panel: str) -> Node | None:
    return next((window for window in program.windows[1:] if window.name.startswith(panel)), None)


def test_front_tabs_and_floating_panels_come_back_with_their_profile(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin", samples / "resnet_inference.popef")
    turn_to(program, MODEL)
    program.show_panel("Tensors")
    program.panel_menu("Summary", "Up", "Return")
    until(lambda: floating(program, "Summary"), "a window of its own")
    turn_to(program, OPERATOR)
    assert not program.has("panel", "Tensors")
    until(lambda: floating(program, "Summary") is None, "the summary is docked for the other family")
    timeline, docked = (program.find("panel", name).box for name in ("Timeline", "Summary"))
    assert docked[0] >= timeline[0] + timeline[2]  # beside it, in its place
    turn_to(program, MODEL)
    until(lambda: program.has("panel", "Tensors"), "Tensors is in front again")
    assert not program.has("panel", "Anchors")
    assert until(lambda: floating(program, "Summary"), "the summary floats again").box[2] > 100


def test_a_folder_of_profiles_of_one_name_has_tabs_that_can_be_told_apart(start: Start, tmp_path: Path) -> None:
    for number in range(12):
        folder = tmp_path / f"core{number}" / "out"
        folder.mkdir(parents=True)
        ascend_trace.write(folder / "trace.json", 40, cores=1, seed=number)
    program = start(tmp_path)

    def told_apart() -> bool:
        title = program.window().name.removesuffix(" – Tilesight")
        names = [tab.name for tab in program.tree.all(TABS, lambda name: "trace" in name)]
        whole = any(name.startswith(f"{title} · core") for name in names)  # the shown one is
        return whole and len(set(names)) == len(names) > 3

    until(told_apart, "tabs that can be told apart")
