"""Days on which something is wrong with a file: it is garbage, it is cancelled, it changes, it goes."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from desktop.program import BUTTONS
from desktop.waiting import until
from generators import ascend_trace
from journeys.conftest import Start

REPEATS = 220
"""Of some 1.8 MB: enough that reading takes seconds."""
CANCEL_S = 10.0
"""From the click to the end of the reading, on a very busy machine, with the looking that the test does. How fast it
is stands in the benchmarks; that no tab of the file comes shows that it was cancelled."""


def test_a_file_that_cannot_be_read_leaves_the_others_alone(start: Start, samples: Path, tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.bin"
    garbage.write_bytes(b"\x00\xff" * 5_000)
    program = start(garbage, samples / "matmul_leakyrelu.bin")
    program.window("matmul_leakyrelu")
    notice = program.find("text", "Notices")
    assert notice.text.startswith(f"{garbage}: ")
    assert "\n" not in notice.text.strip()
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0


def test_a_cancelled_load_leaves_what_was_open(start: Start, samples: Path, tmp_path: Path) -> None:
    large = tmp_path / "large.trace.json"
    pieces = list(ascend_trace.chunks(6_000, 4))
    body = b"".join(pieces)
    first, last = body.index(b"[") + 1, body.rindex(b"]")
    with large.open("wb") as file:
        file.write(body[:first])
        for place in range(REPEATS):
            file.write(b"," * bool(place) + body[first:last])
        file.write(body[last:])
    program = start(samples / "matmul_leakyrelu.bin")
    program.window("matmul_leakyrelu")
    program.open(large)
    program.click(BUTTONS, lambda name: name.startswith("Cancel"))
    clicked = time.monotonic()
    until(lambda: not program.has(BUTTONS, lambda name: name.startswith("Cancel")), "the reading ends")
    assert time.monotonic() - clicked < CANCEL_S
    program.window("matmul_leakyrelu")
    assert not program.has("page tab", lambda name: name.startswith("large"))


def test_a_file_that_grew_is_read_again(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    ascend_trace.write(path, events=300, cores=1, seed=1)
    program = start(path)
    slices = program.find("label", lambda name: name.endswith(" slices")).name
    ascend_trace.write(tmp_path / "longer", events=700, cores=1, seed=1)
    shutil.move(tmp_path / "longer", path)
    until(lambda: any("trace.json: " in text.text for text in program.tree.all("text")), "a notice")
    program.hands.press("F5")
    more = program.find("label", lambda name: name.endswith(" slices") and name != slices).name
    assert int(more.split()[0]) > int(slices.split()[0])
