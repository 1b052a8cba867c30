"""Two operators: the way from difference to difference in their sources, the arrow of a roofline, swapped and ended."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from desktop.accessible import Node
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from fakes.operators import changed, shifted, whole
from generators.ascend_kernel import KERNEL
from journeys.conftest import Start
from journeys.exporting import choose, write_to

SVG = "{http://www.w3.org/2000/svg}"
ADDED = ["    // planted", "    Planted();"]
AT, LINE, MORE = 45, 63, 4321


def pair(folder: Path) -> tuple[Path, Path]:
    """A kernel, and one with two lines more, of which another line is hotter and a point of the roofline higher."""
    before, after = folder / "before.bin", folder / "after.bin"

    def hotter(tree: Any) -> None:
        for file in tree["Files"]:
            for line in file["Lines"]:
                if (file["Source"], line["Line"]) == (KERNEL, LINE):
                    line["Cycles"] = [cycles + MORE for cycles in line["Cycles"]]

    def higher(tree: Any) -> None:
        roof = tree["multiple_rooflines"][0]["rooflines"][1]
        roof["point"] = [2 * roof["point"][0], 1.5 * roof["point"][1]]

    content = whole()
    before.write_bytes(content)
    after.write_bytes(changed(shifted(changed(content, 0x03, hotter), AT, ADDED), 0x0D, higher))
    return before, after


def source_table(program: Program) -> Node:
    """The table of lines."""
    return program.find("table", KERNEL)


def selected(program: Program) -> list[str]:
    """The first cells of the selected line: sign, line before, line, difference, text."""
    table = source_table(program)
    rows = table.selected_rows
    return [table.cell(rows[0], column).name for column in range(5)] if rows else []


def test_differences_of_source_and_roofline(start: Start, tmp_path: Path) -> None:
    before, after = pair(tmp_path)
    program = start("--baseline", before, after)
    program.find(BUTTONS, lambda name: "(baseline)" in name)
    program.show_panel("Source")
    program.find((), lambda name: f"+{MORE:,}" in name and "1 line differs" in name)
    program.click(BUTTONS, "Next difference")
    until(lambda: selected(program)[-1:] == [ADDED[0]], "the first line that was added")
    assert selected(program)[0] == "+"
    program.hands.press("F7")
    until(lambda: selected(program)[3:4] == [f"+{MORE:,}"], "the hotter line")
    assert selected(program)[:3] == ["", str(LINE), str(LINE + len(ADDED))]
    program.hands.press("shift+F7")
    until(lambda: selected(program)[-1:] == [ADDED[0]], "back to the line that was added")

    program.show_panel("Roofline")
    choose(program, "Roofline", "image, as shown")
    program.hands.press("Return")
    write_to(program, tmp_path / "roofline.svg")
    texts = {text.text or "" for text in ElementTree.parse(tmp_path / "roofline.svg").getroot().iter(f"{SVG}text")}
    assert "L2 +50.0 %" in {text.strip() for text in texts}
    choose(program, "Roofline", "table, as shown")
    program.hands.press("Return")
    write_to(program, tmp_path / "roofline.csv")
    until(lambda: (tmp_path / "roofline.csv").stat().st_size, "the rows are written")
    with (tmp_path / "roofline.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    moved = [row for row in rows if float(row["performance_percent [%]"] or 0)]
    assert [(row["bandwidth_name"], round(float(row["performance_percent [%]"]), 6)) for row in moved] == [("L2", 50.0)]

    program.click(BUTTONS, "Swap baseline")
    program.show_panel("Source")
    program.find((), lambda name: f"−{MORE:,}" in name)
    program.click(BUTTONS, "Next difference")
    until(lambda: selected(program)[:1] == ["−"], "the line that only the baseline has, in its place")
    program.click(BUTTONS, "End comparison")
    until(lambda: not program.has(BUTTONS, "Next difference"), "the source alone")
    until(lambda: source_table(program).cell(0, 0).name == "1", "lines by their number")
