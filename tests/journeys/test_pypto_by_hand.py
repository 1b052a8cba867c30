"""PyPTO runs, opened as folders: what decides, the panel, counters and the critical path, and what is shown of a large
one while it is read, as of a large report of ttnn."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators import pypto, tenstorrent
from journeys.conftest import Start


def test_from_a_folder_to_the_critical_path(start: Start, tmp_path: Path) -> None:
    program = start()
    pypto.write(tmp_path / "dfx_outputs")
    program.open(tmp_path / "dfx_outputs")
    program.find("filler", "Timeline")
    program.find(BUTTONS, lambda name: "cores work" in name)
    program.find("panel", "Tasks on cores")
    program.click(("page tab", "page tab list"), "Cores")
    program.show_panel("Statistics")
    program.click(("page tab", "page tab list"), "Counters")
    counters = program.find("table", lambda name: name.startswith("Counters"))
    assert [counters.cell(row, 1).name for row in range(counters.rows)] == ["running blocks"] * 2 + ["ready tasks"] * 2
    program.hands.click(program.find("filler", "Timeline").middle)
    program.hands.press("c")
    legend = "Colours: Critical path, "
    until(lambda: program.has((), lambda name: name.startswith(legend)), "the path in the legend")
    program.find(BUTTONS, lambda name: "on the critical path" in name)


def test_large_runs_and_reports_show_their_beginning_while_they_are_read(start: Start, tmp_path: Path) -> None:
    """Reading takes seconds, as rows are many; it is not waited for."""
    run, report = tmp_path / "dfx_outputs", tenstorrent.report(tmp_path / "db.sqlite", tenstorrent.Run())
    run.mkdir()
    times = ((number % 24, number, 50 * (number // 24), 50 * (number // 24) + 40) for number in range(99_999))
    rows = [b"[%d,%d,0,%d,%d]" % each for each in times]
    head = b'{"chip_swimlane_level":1,"metadata":{"num_cores":24},"aicore_tasks":['
    (run / "chip_swimlane_records.json").write_bytes(head + b",".join(rows * 10) + b"]}")
    with closing(sqlite3.connect(report)) as database:
        for _ in range(16):
            database.execute("INSERT INTO buffers SELECT 6, 0, address, 64, 1, 0 FROM buffers")
        database.commit()
    program = start()
    shown = r"Reading… Shown so far: the first [\d,]+ "
    for path, what, panel in ((run, "blocks", "Timeline"), (report, "operations", "Plot: L1 of the fullest core")):
        program.open(path)
        program.find("label", partial(_is_like, shown + what))
        program.find("filler", panel)


def _is_like(pattern: str, name: str) -> bool:
    return re.fullmatch(pattern, name) is not None
