"""The real window while it loads a trace: ``PYTHONPATH=.:tests python tests/benchmarks/bench_window.py``.

A generated trace is opened while a small one is zoomed by one step per frame. Target T2: frames during loading take at
most 1.3 x those of the idle window (or 8 ms), the worst at most 50 ms. Target T3: the window's process uses at most
0.4 x the file more memory than the empty window, sampled from outside. The window runs in a separate process
(``one_window``).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import inputs
from benchmarks.loads import ROOT, environment
from benchmarks.memory import AVAILABLE, WHY_NOT, Sampler
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size

MB = 1e6


def measure(size: Size) -> list[Record]:
    small, large = inputs.trace(size.events // 50), inputs.trace(size.events)
    figures, empty, window, worker = _run(small, large, size.frames * 3)
    bytes_ = large.stat().st_size
    what = f"window, while {size.events:,} events are loaded"
    idle, during, keeping, after = (figures[name] for name in ("idle", "loading", "keeping", "loaded"))
    note = f"{during['count']} frames in {figures['seconds']:.2f} s"
    records = [
        Record(f"{what}: frame", "T2", during["median"], "ms", 8, 1.3, idle["median"], "idle", note),
        Record(f"{what}: worst frame", "T2", during["worst"], "ms", 50, baseline=idle["worst"], against="idle"),
        Record("window, while what was read is kept: worst frame", "T2", keeping["worst"], "ms", at_most=50),
        Record(f"window: shows {size.events:,} events", "", figures["shown"], "ms"),
        Record(f"window: frame of {size.events:,} events while zooming", "T6", after["median"], "ms", 16),
    ]
    if not AVAILABLE:
        return [*records, Record(f"{what}: memory", "T3", None, "MB", note=WHY_NOT)]
    own = (window - empty) / MB
    return [
        *records,
        Record(f"{what}: memory beyond the empty one", "T3", own, "MB", None, 0.4, bytes_ / MB, "file"),
        Record(f"{what}: worker's memory", "T3", worker / MB, "MB", None, 0.7, bytes_ / MB, "file"),
    ]


def _run(small: Path, large: Path, frames: int) -> tuple[dict[str, Any], int, int, int]:
    """(output of the window, its memory when empty, its peak memory afterwards, the peak memory of its worker)."""
    with tempfile.TemporaryDirectory(dir=inputs.folder(), prefix="run-") as cache:
        command = [sys.executable, "-m", "benchmarks.one_window", str(small), str(large), str(frames)]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, cwd=ROOT, env=environment(Path(cache))
        ) as child:
            assert child.stdout is not None
            assert child.stdin is not None
            with Sampler(child.pid) as sampler:
                child.stdout.readline()  # the empty window is ready
                empty, _ = sampler.reset()
                child.stdin.write(b"\n")
                child.stdin.flush()
                last = child.stdout.readline()
            child.stdin.close()
        if child.returncode:
            raise RuntimeError(f"the window ended with status {child.returncode}")
    return json.loads(last), empty, sampler.own, sampler.children


if __name__ == "__main__":
    show(measure(FULL))
