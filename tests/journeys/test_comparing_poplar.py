"""Two Poplar reports: the difference by tile and its table as a file, the program tree, swapped, and ended."""

from __future__ import annotations

import csv
from pathlib import Path

from desktop.program import BUTTONS, Program
from desktop.waiting import until
from fakes.poplar_pairs import Tree, changed, grow, tree_of
from generators import poplar
from generators.trees import write_json
from journeys.conftest import Start
from journeys.exporting import offered, write_to

SCALE = poplar.Scale(ipus=2, tiles_per_ipu=16, compute_sets=4, loops=2)
GROWN, MORE, PLANTED = 17, 4096, "planted/by/hand"


def plant(made: Tree) -> None:
    """A variable has grown on one tile, and a program is inserted."""
    grow(made, GROWN, MORE)
    made["programs"].append({"type": "WriteUndef", "name": PLANTED})
    parent = next(program for program in made["programs"] if len(program.get("children", ())) >= 3)
    parent["children"].insert(1, len(made["programs"]) - 1)


def status(program: Program, name: str) -> str:
    """What the program tree says of a program; "" if it is not listed."""
    trees = [node for window in program.windows for node in window.each(("tree", "tree table"), "Tree of programs")]
    for tree in trees[:1]:
        for row in range(tree.rows):
            if tree.cell(row, 0).name == name:
                return tree.cell(row, 2).name
    return ""


def test_two_reports_differ_by_a_tile_and_a_program(start: Start, tmp_path: Path) -> None:
    tree, sides = tree_of(SCALE), []
    for name, content in (("before", tree), ("after", changed(tree, plant))):
        (tmp_path / name).mkdir()
        sides.append(write_json(tmp_path / name / "graph.json", content).parent)
    program = start("--baseline", *sides)
    program.find(BUTTONS, lambda name: "after" in name and "before" in name and "(baseline)" in name)
    program.show_panel("Tile memory")
    program.find("filler", lambda name: f"largest increase on tile {GROWN}: +4.00 KiB" in name)
    program.click("combo box", "Both")
    program.hands.type("D")
    program.hands.press("Return")
    program.find("filler", lambda name: name.endswith("difference from the baseline"))
    program.click(BUTTONS, "Table")
    tables = [node for window in program.windows for node in window.each("table")]
    until(lambda: any(table.again().rows == 1 for table in tables), "the one tile that differs")
    offered(program)
    program.hands.press("Return")
    write_to(program, tmp_path / "tiles.csv")
    until(lambda: (tmp_path / "tiles.csv").stat().st_size, "the rows are written")
    with (tmp_path / "tiles.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["tile"], row["total_difference [B]"]) == (str(GROWN), str(MORE))

    until(lambda: status(program, PLANTED) == "only in the comparison", "the program that is new")
    program.menu("Compare", "Swap baseline")
    until(lambda: status(program, PLANTED) == "only in the baseline", "the program that is gone")
    program.menu("Compare", "End comparison")
    until(lambda: not program.has("combo box", "In program order"), "the tree without a baseline")
