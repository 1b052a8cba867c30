"""A program two hundred levels down is searched for in the tree, seen there, and left by its path in Details."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.waiting import until
from generators import poplar
from generators.trees import plain
from journeys.conftest import Start

LEVELS = 200
NEEDLE = "model/encoder/attention/needle"


def deep(folder: Path) -> Path:
    """A graph whose control program holds a chain of so many programs, the last of which is the needle."""
    graph = plain(poplar.graph(poplar.Scale(tiles_per_ipu=12)))
    programs = graph["programs"]
    first = len(programs)
    for level in range(LEVELS):
        name = f"model/encoder/layer_{level}/query/MatMul/Convolve"
        programs.append({"type": "Sequence", "name": name, "children": [first + level + 1]})
    programs.append({"type": "Sequence", "name": NEEDLE, "children": []})
    programs[graph["controlPrograms"][0]]["children"].append(first)
    path = folder / "graph.json"
    path.write_text(json.dumps(graph))
    return path


def test_a_deep_program_is_found_seen_and_left_by_its_path(start: Start, tmp_path: Path) -> None:
    program = start(deep(tmp_path))
    program.hands.click(program.find(("text", "entry"), "Find by name or type").middle)
    program.hands.type("needle")
    program.hands.press("Return")
    until(lambda: program.has(("filler", "label"), NEEDLE), "details of the needle")
    tree = program.find(("tree", "tree table"), "Tree of programs")
    cells = [tree.cell(row, 0) for row in range(LEVELS, tree.rows)]  # behind the rows of the chain
    (needle,) = (cell for cell in cells if cell.name == NEEDLE)
    assert tree.box[1] <= needle.box[1] <= needle.box[1] + needle.box[3] <= tree.box[1] + tree.box[3], "it is in sight"
    program.click("push button", lambda name: name.endswith(f"layer_{LEVELS - 1}/query/MatMul/Convolve (Sequence)"))
    until(lambda: program.has(("filler", "label"), f"model/encoder/layer_{LEVELS - 1}/query/MatMul/Convolve"), "above")
