"""The page Findings of a comparison: a finding that came, those that stayed, and swapped, one that went."""

from __future__ import annotations

from pathlib import Path

from desktop.accessible import Node
from desktop.program import BUTTONS, TABS, Program
from desktop.waiting import until
from fakes.poplar_pairs import changed, grow, tree_of
from generators import poplar
from generators.trees import write_json
from journeys.conftest import Start

SCALE = poplar.Scale(ipus=2, tiles_per_ipu=16, compute_sets=4, loops=2)
FULL, MORE = 17, 700 * 1024
"""The tile that gets more bytes than it has."""
TITLE = "Out of memory on 1 tile of 32"


def findings(program: Program) -> dict[str, list[str]]:
    """The titles of the page by what became of them, as assistive tools are told."""
    tables: list[Node] = [node for window in program.windows for node in window.each("table", "Findings")]
    made: dict[str, list[str]] = {}
    for table in tables[:1]:
        for row in range(table.rows):
            made.setdefault(table.cell(row, 0).name, []).append(table.cell(row, 1).name)
    return made


def test_findings_came_stayed_and_went(start: Start, tmp_path: Path) -> None:
    tree, sides = tree_of(SCALE), []
    for name, content in (("before", tree), ("after", changed(tree, lambda made: grow(made, FULL, MORE)))):
        folder = tmp_path / name / "out"
        folder.mkdir(parents=True)
        sides.append(write_json(folder / "graph.json", content).parent)
    program = start("--baseline", *sides)
    program.show_panel("Comparison")
    program.find("filler", lambda name: name.startswith("A: after · out   B: before · out (baseline)"))
    program.click(TABS, lambda name: name.startswith("Findings ("))
    until(lambda: TITLE in findings(program).get("came", ()), "the finding that came")
    stayed = findings(program)["stayed"]
    assert stayed
    assert "went" not in findings(program)
    program.click(BUTTONS, "Swap baseline")
    program.show_panel("Comparison")
    program.find("filler", lambda name: name.startswith("A: before · out   B: after · out (baseline)"))
    program.click(TABS, lambda name: name.startswith("Findings ("))
    until(lambda: TITLE in findings(program).get("went", ()), "the finding that went")
    assert len(findings(program)["stayed"]) == len(stayed)
    assert "came" not in findings(program)
    program.click(BUTTONS, lambda name: name.startswith("Matching: "))
    program.find("table", "Matched rows")
    program.find("filler", "Everything can be compared.")
