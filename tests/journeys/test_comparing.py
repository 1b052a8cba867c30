"""Two profiles are compared by a tab dropped on a tab, the menu or a recent pair; rows lead to their evidence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.cli.words import run
from desktop.accessible import Node
from desktop.hands import RIGHT
from desktop.program import BUTTONS, TABS, Program
from desktop.waiting import until
from generators import popef
from generators.popef import guide_blobs
from journeys.conftest import Start

PAIR = "after.popef vs. before.popef (baseline)"
SWAPPED = "before.popef vs. after.popef (baseline)"


def pair_of_files(folder: Path) -> tuple[Path, Path]:
    """The second one has one tensor more, and another one has another name."""
    before = popef.write(folder / "before.popef", [*guide_blobs(), popef.tensor("ahead", (4,), 3)])
    planted = [popef.tensor("behind", (4,), 3), popef.tensor("planted", (800,), 3)]
    return before, popef.write(folder / "after.popef", [*guide_blobs(), *planted])


def named(text: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(text)


def chip(program: Program, text: str) -> Node:
    return program.find(BUTTONS, named(text))


def drop(program: Program, dragged: str, target: str) -> None:
    """Drags the tab of a profile onto another one."""
    start, end = (program.find(TABS, named(text)).middle for text in (dragged, target))
    program.hands.drag(start, end)
    program.rest()


def test_a_tab_is_dropped_on_a_tab_and_a_row_leads_to_its_evidence(start: Start, tmp_path: Path) -> None:
    before, after = pair_of_files(tmp_path)
    program = start(before, after)
    drop(program, "before", "after")
    chip(program, PAIR)
    explained = program.find("table", named("Causes"))
    until(lambda: "planted" in explained.cell(0, 0).name, "what was planted is the first row")
    program.hands.click(explained.cell(0, 0).middle)
    program.click(BUTTONS, "Show in Tables")
    tables = until(lambda: next(iter(program.tree.all("panel", "Tables")), None), "the panel Tables").find("table")
    until(lambda: tables.selected_rows == [0], "the row in Tables")
    assert [tables.cell(0, column).name for column in (0, 2)] == ["only in the comparison", "planted"]
    program.click(BUTTONS, "Swap baseline")
    chip(program, SWAPPED)
    program.show_panel("Comparison")
    until(lambda: "planted" in program.find("table", named("Causes")).cell(0, 0).name, "the swapped comparison")
    program.click(BUTTONS, "End comparison")
    until(lambda: not program.has(BUTTONS, named(SWAPPED)), "the end of the chip")
    program.find(BUTTONS, "Compare with…")


def test_a_baseline_document_is_opened_beside_a_profile(start: Start, tmp_path: Path) -> None:
    before, after = pair_of_files(tmp_path)
    document = tmp_path / "small.json"
    assert run(["baseline", str(before), "-o", str(document)]) == 0
    program = start(after)
    program.hands.press("ctrl+o")
    program.type_path(document, "Open")
    chip(program, "after.popef vs. small.json (baseline)")
    explained = program.find("table", named("Causes"))
    until(lambda: "planted" in explained.cell(0, 0).name, "what was planted is the first row")
    program.click(BUTTONS, "End comparison")
    until(lambda: not program.has(BUTTONS, named("after.popef vs.")), "the end of the chip")


def table_of_issues(program: Program) -> Node:
    tables = program.show_panel("Tables")
    program.hands.click(tables.find("list").middle)
    program.hands.press("End")
    return tables.find("table")


def test_rows_are_paired_by_hand_and_a_recent_pair_opens_both_files(start: Start, tmp_path: Path) -> None:
    before, after = pair_of_files(tmp_path)
    program = start(before)
    program.hands.press("ctrl+o")
    program.type_path(after, "Open")
    program.rest()
    program.hands.press("ctrl+shift+o")
    program.rest()
    program.hands.press("Return")
    chip(program, PAIR)
    issues = table_of_issues(program)

    def sides() -> list[str]:
        return [issues.cell(row, 0).name for row in range(issues.rows)]

    until(lambda: issues.rows == 3, "the compared table")
    program.rest()
    assert sides() == ["only in the baseline", *["only in the comparison"] * 2]
    program.hands.click(issues.cell(0, 2).middle)
    program.hands.click(issues.cell(1, 2).middle, modifiers=("ctrl",))
    program.hands.click(issues.cell(1, 2).middle, RIGHT)
    program.rest()
    program.hands.press("Down", "Return")  # the first item: Pair these rows
    until(lambda: issues.rows == 2, "the rows that were paired")
    program.rest()
    assert "paired manually" in sides()
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0
    again = start()
    again.hands.wheel(again.find(name="Start page").middle, -20)  # below the samples
    again.rest()
    again.click(BUTTONS, named(PAIR))
    chip(again, PAIR)
    issues = table_of_issues(again)
    until(lambda: issues.rows == 2, "the pair that was kept")
    again.rest()
    assert "paired manually" in sides()
