"""A tile is gone to, what takes its memory is read, followed and copied, and the command line says the same."""

from __future__ import annotations

import json
from pathlib import Path

from desktop import clipboard
from desktop.waiting import until
from generators import poplar
from generators.poplar_variables import variables_of
from generators.trees import plain
from journeys.conftest import Start
from journeys.exporting import by_command_line


def test_what_takes_a_tile_is_found_followed_and_copied(start: Start, tmp_path: Path) -> None:
    scale = poplar.Scale(tiles_per_ipu=24)
    report = tmp_path / "report"
    report.mkdir()
    graph = plain(poplar.graph(scale))
    (report / "graph.json").write_text(json.dumps(graph))
    (report / "vars.json").write_text(json.dumps(variables_of(graph)))
    program = start(report)
    program.find("text", "Tiles to select")
    program.hands.press("ctrl+p")
    program.hands.type("tile 17")
    program.hands.press("Return")
    until(lambda: program.has((), lambda name: name.startswith("tile 17: ")), "the tile")
    assert not program.has("table", "Categories on tile 17"), "no table opens by itself"
    program.click(("push button", "button"), lambda name: name.endswith(" more"))
    program.find("table", "Categories on tile 17")
    program.click("page tab", "Variables")
    table = program.find("table", "Variables on tile 17")
    before = clipboard.text(program.desktop)
    program.hands.click(table.cell(1, 0).middle)
    variable = table.cell(1, 0).name
    until(lambda: program.has(("filler", "label"), variable), "details of the variable")
    assert program.has("table", "Variables on tile 17"), "the tile stays"
    program.hands.press("ctrl+a", "ctrl+c")
    copied = until(lambda: now if (now := clipboard.text(program.desktop)) != before else None, "a copy")
    exported = by_command_line(report, "tile-variables", tmp_path / "all.tsv", "--tiles", "17").decode()
    assert copied.rstrip("\n") == exported.rstrip("\n")
    sizes = [int(line.split("\t")[1]) for line in exported.splitlines()[1:]]
    assert sum(sizes) == graph["memory"]["byTile"]["totalIncludingGaps"][17]
