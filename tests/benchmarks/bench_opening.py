"""The first profile of a session: ``PYTHONPATH=.:tests python tests/benchmarks/bench_opening.py``.

The samples are opened in the real window, each in a new process (``one_opening``), after the idle imports. Measured is
the processor time of every turn of the event loop until the panels are built; no turn may take more than 50 ms.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks import targets
from benchmarks.loads import ROOT, environment, last_line
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size

SAMPLES = ("resnet-1472-tiles", "matmul_leakyrelu.bin", "resnet_inference.popef")


def measure(size: Size) -> list[Record]:
    samples = SAMPLES[-1:] if size.name == "quick" else SAMPLES
    return [
        Record(f"opening {name}: longest turn", "T2", _longest(name, size), "ms", targets.TURN_MS) for name in samples
    ]


def _longest(name: str, size: Size) -> float:
    """The median of the longest turns, in milliseconds of processor time."""
    sample = ROOT / "resources" / "samples" / name
    return statistics.median(_run(sample, now=size.name == "quick") for _ in range(size.starts))


def _run(sample: Path, *, now: bool) -> float:
    with tempfile.TemporaryDirectory() as home:
        places = {"XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "benchmarks.one_opening", str(sample), *(["--now"] if now else [])]
        return float(last_line(command, environment(Path(home)) | places))


if __name__ == "__main__":
    show(measure(FULL))
