"""Something true on the screen: ``PYTHONPATH=.:tests python tests/benchmarks/bench_first.py``.

Large files are opened in the real window (T18). Measured from the call that a drop makes: until the document has the
first section, and until a panel that shows data of the file has been painted for the first time; each with a worker
that waits (the idle window) and without one (the file is dropped as soon as the window can be used, while panels and
readers are not imported yet). Every window runs in a new process (``one_first``) with an empty cache.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import inputs, targets
from benchmarks.loads import environment, last_line
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size
from benchmarks.styled import FAMILIES, chosen

STYLES = ("different", "kineto", "lanes", "plain", "steps", "exchanges", "cbor")
OTHERS = {
    "trace.json.gz": inputs.packed_trace,
    "log": inputs.log,
    "operator": inputs.operator,
    "popef": inputs.popef,
}
SETTLE = 1.5
"""Seconds after the idle imports in which a worker gets ready."""


def measure(size: Size) -> list[Record]:
    records = []
    for family in FAMILIES:
        for each in chosen(family, size, STYLES):
            records += _waiting_or_not(each.name, each.make(size), size)
    for name, make in OTHERS.items():
        if not size.only or any(word in name for word in size.only):
            records += _waiting_or_not(name, [make(size)], size)
    return records


def _waiting_or_not(name: str, files: Sequence[Path], size: Size) -> list[Record]:
    ways = (False,) if size.name == "quick" else (True, False)
    return [record for waiting in ways for record in _of_input(name, files, waiting, size)]


def _of_input(name: str, files: Sequence[Path], waiting: bool, size: Size) -> list[Record]:
    runs = [_run(files, waiting) for _ in range(3 if size.full else 1)]
    start = "a worker waits" if waiting else "just started"

    def record(what: str, key: str, at_most: float | None) -> Record:
        of_run = [run[key][0] for run in runs if key in run]
        value = statistics.median(of_run) if len(of_run) == len(runs) else None
        worked = statistics.median(run[key][2] for run in runs if key in run) if of_run else 0
        what_it_is, whole = runs[0].get(key, ["", "nothing"])[1], runs[0]["whole"][0]
        note = f"{what_it_is}; CPU of the window until then {worked:.0f} ms; the whole after {whole:.0f} ms"
        return Record(f"{name}, {start}: {what}", "T18", value, "ms", at_most, note=note, input=name)

    return [
        record("first section", "section", None),
        record("first painted", "painted", targets.FIRST_MS),
    ]


def _run(files: Sequence[Path], waiting: bool) -> dict[str, Any]:
    """Milliseconds from the drop, and what came, by ``section``, ``painted``, ``whole``."""
    with tempfile.TemporaryDirectory(dir=inputs.folder(), prefix="run-") as home:
        places = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        when = str(SETTLE) if waiting else "now"
        command = [sys.executable, "-m", "benchmarks.one_first", when, *map(str, files)]
        times: dict[str, Any] = json.loads(last_line(command, environment(Path(home)) | places))
    return times


if __name__ == "__main__":
    show(measure(FULL))
