"""Two models of which a tensor differs: the difference of its values is shown, exported, and the values before."""

from __future__ import annotations

import csv
import struct
from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators import popef
from journeys.conftest import Start
from journeys.exporting import offered, write_to


def test_the_values_of_a_changed_tensor(start: Start, tmp_path: Path) -> None:
    sides = []
    for name, value in (("before", 6.0), ("after", 4.0)):
        weights = popef.tensor("weights", (2, 2), 3, struct.pack("<4f", 1, 2, 3, value))
        sides.append(popef.write(tmp_path / f"{name}.popef", [*popef.guide_blobs(), weights]))
    program = start("--baseline", *sides)
    program.find(BUTTONS, lambda name: "after.popef vs. before.popef (baseline)" in name)
    program.show_panel("Tensors")
    program.click(BUTTONS, "Values")
    program.find("label", "1 of 2 contents differ.")
    tables = [node for window in program.windows for node in window.each("table")]
    wide = [node for node in tables if node.rows and node.columns > 2]  # the tensor's own values have two columns
    table = next(node for node in wide if node.cell(0, 2).name == "different")
    program.hands.click(table.cell(0, 1).middle)
    program.find("label", lambda name: name.startswith("1 (25.0 %) of 4 values differ · largest difference 2"))
    program.find(BUTTONS, "Difference")
    offered(program)
    program.hands.press("Return")
    write_to(program, tmp_path / "contents.csv")
    until(lambda: (tmp_path / "contents.csv").stat().st_size, "the rows are written")
    with (tmp_path / "contents.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["name"].partition(" ")[0], row["content"]) for row in rows] == [
        ("weights", "different"),
        ("input_parameter", "the same"),
    ]
    assert (rows[0]["largest"], rows[0]["mean"]) == ("2.0", "0.5")
