"""A statement is typed and run, a row of the result selects a slice, and the result is exported."""

from __future__ import annotations

from pathlib import Path

from desktop.waiting import until
from journeys.conftest import Start
from journeys.exporting import choose, write_to

STATEMENT = "select name, duration, item from slices order by duration desc limit 3 "


def test_a_query_is_typed_run_and_exported(start: Start, samples: Path, tmp_path: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    panel = program.show_panel("Query")
    program.hands.click(panel.find("text", "Statement").middle)
    program.hands.type(STATEMENT)
    program.hands.press("ctrl+Return")
    table = until(lambda: next(iter(panel.again().all("table")), None), "the result")
    until(lambda: table.again().rows == 3, "three rows")
    name = table.again().cell(1, 0)
    program.hands.click(name.middle)
    program.find("label", lambda text: text.startswith("Duration: 561 ns"))
    choose(program, "Query")
    program.hands.press("Return")
    write_to(program, tmp_path / "out.csv")
    head, *rows = (tmp_path / "out.csv").read_text("utf-8").splitlines()
    assert head.startswith("name,duration [s],item")
    assert rows[1].startswith(f"{name.name},5.606")
    assert len(rows) == 3
