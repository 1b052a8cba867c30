"""A whole capture of two ranks, opened as a folder: what decides, its panels, and a table on the disk."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from desktop.eyes import changed
from desktop.program import BUTTONS, MENU_PIXELS
from desktop.waiting import until
from generators.ascend_capture import Run, write
from journeys.conftest import Start


def test_ranks_of_one_run_open_as_one_profile(start: Start, tmp_path: Path) -> None:
    program = start()
    write(tmp_path / "run", Run())
    program.open(tmp_path / "run")
    program.find("filler", "Timeline")
    program.find(BUTTONS, lambda name: name.startswith("rank 1 late by "))
    program.find("panel", "Training steps")
    for title in ("Kernels", "Communication", "Device memory"):
        program.show_panel(title)
        program.find("panel", title)


def test_delays_are_exported_as_they_are_shown(start: Start, tmp_path: Path) -> None:
    write(tmp_path / "run", Run())
    program = start(tmp_path / "run")
    program.show_panel("Communication")
    program.click(("page tab", "page tab list"), "Delays")
    program.hands.press("ctrl+e")
    program.window("Export")
    program.hands.press("Return")
    target = tmp_path / "delays.csv"
    program.type_path(target, "Export")
    until(target.exists, "the file")
    with target.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["late_rank"] for row in rows] == ["1", "1"]
    assert [float(row["delay [s]"]) for row in rows] == [Run().late * 1e-9] * 2


@pytest.mark.parametrize("by", ["command", "drop"])
def test_ranks_that_were_opened_one_by_one_are_joined(start: Start, tmp_path: Path, by: str) -> None:
    write(tmp_path / "run", Run())
    program = start(tmp_path / "run" / "rank0_ascend_pt")
    program.find("filler", "Timeline")
    program.open(tmp_path / "run" / "rank1_ascend_pt")
    program.find("page tab", lambda name: name.startswith("rank1_ascend_pt"))
    program.find(BUTTONS, lambda name: name.startswith("16.9"))  # read, so that it can be joined
    if by == "command":
        program.command("Join as one run")
    else:
        second = program.find("page tab", lambda name: name.startswith("rank1_ascend_pt"))
        first = program.find("page tab", lambda name: name.startswith("rank0_ascend_pt"))
        before = program.eyes.still()
        program.hands.drag(second.middle, first.middle)
        until(lambda: changed(before, program.eyes.look()) > MENU_PIXELS, "a menu")
        program.hands.press("Down", "Return")
    program.find(BUTTONS, lambda name: name.startswith("rank 1 late by "))
    until(lambda: not program.has("page tab", lambda name: name.startswith("rank1_ascend_pt")), "one profile")


def test_a_cell_of_the_matrix_of_links_marks_its_row(start: Start, tmp_path: Path) -> None:
    write(tmp_path / "run", Run(ranks=3))
    program = start(tmp_path / "run")
    program.show_panel("Communication")
    program.click(("page tab", "page tab list"), "Links")
    program.find(("label", "filler", "panel"), "9 rows")


def test_evidence_leads_to_its_row_in_the_table(start: Start, tmp_path: Path) -> None:
    write(tmp_path / "run", Run())
    program = start(tmp_path / "run")
    table = program.show_panel("Findings").find("table")
    until(lambda: table.again().rows > 1, "the findings")
    program.hands.press("Home")
    page = program.find("label", lambda name: name.startswith("Saves at most"))
    program.hands.wheel(page.middle, -30)
    program.rest()
    program.click(BUTTONS, lambda name: ", step 5" in name)
    program.find("panel", "Tables")
    program.find(("label", "filler", "panel"), "4 rows")  # a step of each rank
