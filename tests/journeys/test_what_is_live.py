"""What is live at the peak is asked for, followed and copied, and the command line says the same."""

from __future__ import annotations

import json
from pathlib import Path

from desktop import clipboard
from desktop.waiting import until
from generators import poplar
from generators.trees import plain
from journeys.conftest import Start
from journeys.exporting import by_command_line
from oracles.poplar_live import live


def test_what_is_live_at_the_peak_is_read_followed_and_copied(start: Start, tmp_path: Path) -> None:
    values = plain(poplar.graph(poplar.Scale(tiles_per_ipu=8, live_variables="records")))
    graph = tmp_path / "graph.json"
    graph.write_text(json.dumps(values))
    wanted = live(values["memory"]["liveness"])
    peak = wanted.steps.index(wanted.peak)
    program = start(graph)
    program.show_panel("Liveness")
    program.click("push button", "Peak")
    table = program.find("table", f"Variables live at program step {peak}")
    until(lambda: program.has(("filler", "label"), "Temporarily live"), "details of the program step")
    before = clipboard.text(program.desktop)
    program.hands.click(table.cell(0, 0).middle)
    variable = table.cell(0, 0).name
    until(lambda: program.has(("filler", "label"), variable), "details of the variable")
    assert program.has("table", f"Variables live at program step {peak}"), "the step stays"
    program.hands.press("ctrl+a", "ctrl+c")
    copied = until(lambda: now if (now := clipboard.text(program.desktop)) != before else None, "a copy")
    exported = by_command_line(graph, "live-variables/peak", tmp_path / "peak.tsv").decode()
    shown = copied.splitlines()[0].split("\t")
    assert clipboard.columns_of(copied, shown) == clipboard.columns_of(exported, shown)
    sizes = [int(line.split("\t")[1]) for line in exported.splitlines()[1:]]
    assert sum(sizes) == sum(size or 0 for _, _, size in [*wanted.always, *(wanted.at[wanted.peak] or [])])
