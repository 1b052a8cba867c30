"""Tile memory: bars of a histogram by keys, a grid of tiles zoomed, and its table as a file."""

from __future__ import annotations

import csv
from itertools import pairwise
from pathlib import Path

from desktop.accessible import Node
from desktop.eyes import changed
from desktop.program import Program
from desktop.waiting import until
from journeys.conftest import Start
from journeys.exporting import choose, write_to

PROFILE = "resnet-1472-tiles"
TILES = 1472
TABLE = "Memory by tile: Memory per tile, by region, including gaps"
MUCH = 3_000
"""Pixels that differ if a picture is zoomed, not only hovered."""


def arranged(program: Program, now: str, wanted: str, picture: str) -> Node:
    """Chooses how the tiles are arranged; the picture."""
    program.click("combo box", now)
    program.hands.type(wanted[0])  # letters that a busy machine takes more than 0.4 s to read are a word each
    program.hands.press("Return")
    return program.find("filler", lambda name: name.startswith(picture))


def selected(program: Program) -> str:
    """What the panel says about the selected tiles."""
    texts = program.tree.all("filler", lambda name: " tiles selected · " in name)
    return texts[0].name if texts else ""


def test_bars_by_keys_a_grid_zoomed_and_a_table_as_a_file(start: Start, samples: Path, tmp_path: Path) -> None:
    program = start(samples / PROFILE)
    program.find("text", "Tiles to select")
    left, top, width, height = arranged(program, "By tile", "Histogram", "Histogram: ").box
    program.hands.click((left + width * 5 // 8, top + height // 2))
    bar = until(lambda: selected(program), "the tiles of a bar")
    program.hands.press("Right", "Return")
    beside = until(lambda: text if (text := selected(program)) != bar else "", "the bar at the right")
    assert beside
    program.hands.press("Left", "Return")
    until(lambda: selected(program) == bar, "the first bar again")

    left, top, width, height = box = arranged(program, "Histogram", "Floor", "Grid of tiles: ").box
    place = left + width // 3, top + height // 2
    looks = [program.eyes.still(box)]
    program.hands.wheel(place, 3, modifiers=["ctrl"])
    looks.append(program.eyes.still(box))
    program.hands.double_click(place)
    looks.append(program.eyes.still(box))
    program.hands.press("0")
    looks.append(program.eyes.still(box))
    assert all(changed(one, other) > MUCH for one, other in pairwise(looks))

    choose(program, TABLE)
    program.hands.press("Return")
    write_to(program, tmp_path / "tiles.csv")
    with (tmp_path / "tiles.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert len(rows) == TILES
    total, *parts = (header.index(name) for name in header if name.endswith("[B]"))
    assert parts
    assert all(int(row[total]) == sum(int(row[part]) for part in parts) for row in rows)
