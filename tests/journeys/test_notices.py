"""Notices offer the next step, which works by the mouse."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop.accessible import Node
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from generators import ascend_trace
from journeys.conftest import Start


def lower(program: Program, above: int) -> Node:
    """The button of the notice, below that of the toolbar."""
    return until(
        lambda: next((node for node in program.tree.all(BUTTONS, "Reload") if node.box[1] > above), None),
        "Reload beside the notice",
    )


def test_reload_of_a_file_that_changed(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    ascend_trace.write(path, events=300, cores=1, seed=1)
    program = start(path)
    program.find("filler", "Timeline")
    ascend_trace.write(tmp_path / "longer", events=700, cores=1, seed=1)
    shutil.move(tmp_path / "longer", path)
    slices = program.find("label", lambda name: name.startswith("Slices: ")).name
    program.find("text", "Notices")
    buttons = until(
        lambda: two if len(two := program.tree.all(BUTTONS, "Reload")) == 2 else None, "Reload of the notice"
    )
    program.hands.click(max(buttons, key=lambda button: button.box[1]).middle)
    program.find("label", lambda name: name.startswith("Slices: ") and name != slices)
    until(lambda: not program.has("text", "Notices"), "no notice")


def test_try_again_opens_a_file_that_is_mended(start: Start, samples: Path, tmp_path: Path) -> None:
    path = tmp_path / "later.bin"
    path.write_bytes(b"\x00\xff" * 5_000)
    program = start(path, samples / "resnet_inference.popef")
    program.window("resnet_inference")
    program.find("text", "Notices")
    shutil.copy(samples / "matmul_leakyrelu.bin", path)
    program.click(BUTTONS, "Try again")
    program.window("matmul_leakyrelu")
    until(lambda: not program.has("text", "Notices"), "no notice")
