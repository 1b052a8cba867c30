"""Ways in: the command line, the dialog, a drop from another program, the start page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from desktop import dragger
from desktop.server import end_group
from desktop.waiting import until
from journeys.conftest import Start


def test_by_command_line(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.window("matmul_leakyrelu")
    program.find("filler", "Timeline")


def test_by_dialog(start: Start, samples: Path) -> None:
    program = start()
    program.hands.press("ctrl+o")
    program.type_path(samples / "matmul_leakyrelu.bin", "Open")
    program.window("matmul_leakyrelu")
    program.find("filler", "Timeline")


def test_by_drop_from_another_program(start: Start, samples: Path) -> None:
    program = start()
    files = [samples / "matmul_leakyrelu.bin", samples / "resnet_inference.popef"]
    command = [sys.executable, str(dragger.__file__), "4", "4", *map(str, files)]
    other = subprocess.Popen(command, env={**program.desktop.environment, "QT_QPA_PLATFORM": "xcb"}, process_group=0)
    try:
        until(lambda: program.eyes.look((4, 4, 60, 24)).mean() > 100, "the other program is there")
        program.rest()
        program.hands.drag((30, 16), (800, 600), steps=20)
        profiles = ("matmul_leakyrelu", "resnet_inference")
        until(lambda: len(program.tree.all("page tab", lambda name: name.startswith(profiles))) == 2, "two tabs")
    finally:
        end_group(other)
