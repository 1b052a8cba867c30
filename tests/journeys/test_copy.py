"""What pasting into another program gives after Copy: rows as they are exported, one cell as it is, texts."""

from __future__ import annotations

from pathlib import Path

from desktop import clipboard
from desktop.program import Program
from desktop.waiting import until
from journeys.conftest import Start
from journeys.exporting import by_command_line

PROFILE = "matmul_leakyrelu.bin"


def pasted(program: Program, before: str = "") -> str:
    """What the clipboard holds as soon as it is not what it held ``before``."""
    return until(lambda: now if (now := clipboard.text(program.desktop)) != before else None, "a copy")


def test_rows_and_a_cell_of_a_table(start: Start, samples: Path, tmp_path: Path) -> None:
    program = start(samples / PROFILE)
    program.show_panel("File blocks")
    table = program.find("table", "Blocks of the file")
    exported = by_command_line(samples / PROFILE, "raw-blocks", tmp_path / "all.tsv").decode()
    before = clipboard.text(program.desktop)

    program.hands.click(table.cell(0, 0).middle)
    program.hands.press("ctrl+a", "ctrl+c")
    rows = pasted(program, before)
    shown = rows.splitlines()[0].split("\t")
    header, *lines = clipboard.columns_of(exported, shown)  # which has the columns that this file lacks, too
    assert clipboard.columns_of(rows, shown) == [header, *lines]

    program.hands.click(table.cell(1, 0).middle)
    program.hands.click(table.cell(2, 0).middle, modifiers=["shift"])
    until(lambda: table.selected_rows == [1, 2], "two rows")
    program.hands.press("ctrl+c")
    assert pasted(program, rows).splitlines() == [header, *lines[1:3]]

    program.hands.click(table.cell(3, 0).middle)
    before = clipboard.text(program.desktop)
    program.hands.press("ctrl+shift+c")
    assert pasted(program, before) == lines[3].split("\t")[0]


def test_details_and_the_summary(start: Start, samples: Path) -> None:
    program = start(samples / PROFILE)
    program.find("filler", "Timeline")
    before = clipboard.text(program.desktop)
    program.hands.click(next(iter(program.find("filler", "Summary").all("label"))).middle)
    program.hands.press("ctrl+c")
    summary = pasted(program, before)
    assert "matmul_leakyrelu" in summary
    assert "Ascend910B4" in summary
    program.hands.click(program.find("table", "Instructions").cell(2, 0).middle)
    heading = until(lambda: next(iter(program.find("filler", "Details").all("label")), None), "details")
    program.hands.click(heading.middle)
    program.hands.press("ctrl+c")
    assert heading.name in pasted(program, summary)
