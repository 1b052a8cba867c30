"""In how many waves the blocks of an operator run: the panel, the summary and the command line say the same."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import orjson

from desktop.program import Program
from desktop.waiting import until
from generators.ascend_bin import block
from journeys.conftest import Start
from journeys.exporting import by_command_line


def operator_file(path: Path) -> Path:
    """24 blocks of 10 µs on a chip of 20 cores, and 2,048 cache lines whose numbers begin with 90,000."""
    rows = [{"value": [str(place), "10.0"]} for place in range(24)]
    base = {
        "name": "two_waves",
        "op_type": "cube",
        "soc": "Ascend910B4",
        "block_dim": "24",
        "duration": 21.5,
        "block_detail": {"head_name": ["Block ID", "Duration (μs)"], "row": rows},
    }
    side = {"Address Range": [], "Value": [3, 0.75]}
    other = {"Address Range": [], "Value": [1, 0.25]}
    lines = [{"Cacheline Id": 90_000 + place, "Hit": side, "Miss": other} for place in range(2048)]
    content = orjson.dumps({"Cacheline Records": lines})
    path.write_bytes(block(0x05, orjson.dumps(base)) + block(0x0E, content))
    return path


def test_waves_of_blocks_and_the_name_of_a_cache_line(start: Start, tmp_path: Path) -> None:
    path = operator_file(tmp_path / "two_waves.bin")
    program = start(path)
    program.show_panel("Operator")
    program.find(name="20 of 20 AI cores work: 24 blocks in 2 waves, 4 in the last")
    for text in ("Waves: 2", "Last wave: 4 of 20 AI cores", "Perfect packing (estimate): 12.0 µs"):
        program.find("label", text)
    rows = csv.DictReader(io.StringIO(by_command_line(path, "operator", tmp_path / "out.csv").decode()))
    written = {row["figure"]: (row["value"], row["unit"]) for row in rows}
    assert (written["Waves"], written["Last wave"]) == (("2", ""), ("4 of 20 AI cores", ""))
    assert written["Perfect packing (estimate)"] == ("12", "µs")

    program.show_panel("Cache")
    hits = program.find("filler", "Plot: Cache map, Hits: share of the line's hits and misses")
    program.hands.click(hits.middle)
    assert until(lambda: _named(program), "the details of a cache line")
    program.find("label", "Hits: 3")


def _named(program: Program) -> bool:
    """Whether Details are about the hits of a line, by its number in the file."""
    page = program.find("filler", "Details")
    names = [node.name for role in ("label", "filler", "heading") for node in page.all(role)]
    return any(re.fullmatch(r"Cache line 9\d,\d{3} \(hits\)", name) for name in names)
