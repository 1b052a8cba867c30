"""Ways in: the command line, the dialog, a drop from another program, the start page."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from pathlib import Path

from desktop import dragger
from desktop.program import BUTTONS, Program
from desktop.server import end_group
from desktop.waiting import until
from generators import ascend_trace
from journeys.conftest import Start

OPERATOR, MODEL, NETWORK = "matmul_leakyrelu", "resnet_inference", "resnet-1472-tiles"


def tabs(program: Program) -> list[str]:
    """What the tabs of open profiles say, from left to right."""
    names = [tab.name for tab in program.tree.all("page tab")]
    return [name for name in names if name.startswith((OPERATOR, MODEL, NETWORK))]


def test_by_command_line(start: Start, samples: Path) -> None:
    program = start(samples / f"{OPERATOR}.bin", samples / NETWORK)
    until(lambda: len(tabs(program)) == 2, "two tabs")
    program.find("filler", "Timeline")


def test_by_dialog(start: Start, samples: Path) -> None:
    program = start()
    program.hands.press("ctrl+o")
    program.type_path(samples / f"{OPERATOR}.bin", "Open")
    program.window(OPERATOR)
    program.find("filler", "Timeline")


def test_a_dialog_that_is_cancelled_opens_nothing(start: Start, samples: Path) -> None:
    program = start()
    program.hands.press("ctrl+o")
    program.type_into_field(str(samples / f"{OPERATOR}.bin"), program.window("Open"))
    program.hands.press("Escape")
    until(lambda: "focused" in program.find(BUTTONS, "Open files…").states or program.window("Open"), "the dialog")
    while any(window.name.startswith("Open") for window in program.windows):
        program.hands.press("Escape")  # the first may only close the list of completions
        program.rest()
    assert program.window("Tilesight")


def test_a_folder_by_dialog(start: Start, samples: Path) -> None:
    program = start()
    program.open(samples / NETWORK)
    program.window(NETWORK)
    program.find("filler", "Timeline")


def test_by_drop_from_another_program(start: Start, samples: Path) -> None:
    program = start()
    files = [samples / f"{OPERATOR}.bin", samples / f"{MODEL}.popef", samples / NETWORK]
    command = [sys.executable, str(dragger.__file__), "4", "4", *map(str, files)]
    other = subprocess.Popen(command, env={**program.desktop.environment, "QT_QPA_PLATFORM": "xcb"}, process_group=0)
    try:
        until(lambda: program.eyes.look((4, 4, 60, 24)).mean() > 100, "the other program is there")
        program.rest()
        program.hands.drag((30, 16), (800, 600), steps=20)
        until(lambda: len(tabs(program)) == 3, "three tabs")
    finally:
        end_group(other)


def test_a_sample_by_double_click_opens_once(start: Start) -> None:
    program = start()
    program.hands.double_click(program.find(BUTTONS, lambda name: "Matmul" in name).middle)
    program.window(OPERATOR)
    program.rest()
    assert len(tabs(program)) == 1


def test_a_recent_file(start: Start, samples: Path, tmp_path: Path) -> None:
    copy = tmp_path / f"{OPERATOR}.bin"
    shutil.copy(samples / copy.name, copy)
    program = start(copy)
    program.window(OPERATOR)
    program.hands.press("ctrl+w")
    program.find(BUTTONS, "Open files…")
    program.click(BUTTONS, lambda name: name.startswith(copy.name))
    program.window(OPERATOR)
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0

    again = start()
    again.click(BUTTONS, lambda name: name.startswith(copy.name))
    again.window(OPERATOR)


def test_a_compressed_file(start: Start, samples: Path, tmp_path: Path) -> None:
    ascend_trace.write(tmp_path / "plain.json", events=500, cores=1)
    packed = tmp_path / "run.trace.json.gz"
    packed.write_bytes(gzip.compress((tmp_path / "plain.json").read_bytes()))
    program = start()
    program.open(packed)
    program.find("filler", "Timeline")
    program.find(("label", "filler"), packed.name)  # the title of the summary


def test_a_graph_and_the_execution_beside_it(start: Start, samples: Path, tmp_path: Path) -> None:
    folder = tmp_path / NETWORK
    shutil.copytree(samples / NETWORK, folder)
    program = start(folder / "graph.json")
    program.window(NETWORK)
    program.click(BUTTONS, "Open with execution.json")
    program.find("filler", "Timeline")
    until(lambda: len(tabs(program)) == 1, "one tab")
    program.hands.press("ctrl+w")
    program.click(BUTTONS, lambda name: name.startswith("graph.json + execution.json"))
    program.find("filler", "Timeline")
