"""The image of a tensor, zoomed and shown whole again."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from desktop.eyes import changed
from journeys.conftest import Start

TENSOR = "stage2/block1/conv2/weights"
MUCH = 3_000
"""Pixels that differ if a picture is zoomed, not only hovered."""


def test_the_image_of_a_tensor_is_zoomed(start: Start, samples: Path) -> None:
    program = start(samples / "resnet_inference.popef")
    table = program.find("table", "Blobs")
    row = next(row for row in range(table.rows) if table.cell(row, 1).name == TENSOR)
    program.hands.click(table.cell(row, 0).middle)
    program.click("check box", "Image")
    left, top, width, height = box = program.find("filler", "The slice as an image").box
    place = left + width // 3, top + height // 3
    looks = [program.eyes.still(box)]
    program.hands.wheel(place, 3, modifiers=["ctrl"])
    looks.append(program.eyes.still(box))
    program.hands.double_click(place)
    looks.append(program.eyes.still(box))
    program.hands.press("0")
    looks.append(program.eyes.still(box))
    assert all(changed(one, other) > MUCH for one, other in pairwise(looks))
