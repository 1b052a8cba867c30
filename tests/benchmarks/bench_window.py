"""The real window while it loads a trace, and when it is used: ``PYTHONPATH=.:tests python
tests/benchmarks/bench_window.py``.

A generated trace is opened while a small one is zoomed by one step per frame. Target T2: frames during loading take at
most 1.3 x those of the idle window (or 8 ms), the worst at most 50 ms. Target T3: the window's process uses at most
0.4 x the file more memory than the empty window, sampled from outside. The window runs in a separate process
(``one_window``). Clicks, hover, Escape and the wheel in large profiles (``clicks``): a turn of the event loop takes at
most 50 ms of the window's thread.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import clicks, inputs, targets
from benchmarks.loads import ROOT, environment
from benchmarks.memory import AVAILABLE, WHY_NOT, Sampler
from benchmarks.record import Record, worst
from benchmarks.report import show
from benchmarks.size import FULL, Size
from benchmarks.styled import Input, chosen

MB = 1e6


LOADING = "window, while a trace is loaded"
STYLES = ("repeated", "different", "lanes", "flows", "many_names", "kineto", "shortest")


def measure(size: Size) -> list[Record]:
    """The figures of each input; the verdict of a target is that of the worst; then those of clicks."""
    of_inputs = [_of_input(each, size) for each in chosen("trace", size, STYLES)]
    verdicts = [one for figures in zip(*of_inputs, strict=True) for one in worst(figures[0].name, figures)]
    single = [replace(record, name=f"  {record.input}: {record.name}") for figures in of_inputs for record in figures]
    return [*verdicts, *single, *clicks.measure(size)]


def _of_input(each: Input, size: Size) -> list[Record]:
    small, (large,) = inputs.trace(size.events // 50), each.make(size)
    figures, empty, window, worker = _run(small, large, size.frames * 3)
    records = _records(figures, size)
    if AVAILABLE:
        file = large.stat().st_size / MB
        own, of = (window - empty) / MB, "file"
        records += [
            Record(f"{LOADING}: memory beyond the empty one", "T3", own, "MB", None, targets.WINDOW_MEMORY, file, of),
            Record(
                f"{LOADING}: memory of all workers", "T3", worker / MB, "MB", None, targets.WORKERS_MEMORY, file, of
            ),
        ]
    else:
        records.append(Record(f"{LOADING}: memory", "T3", None, "MB", note=WHY_NOT))
    return [replace(record, input=each.name) for record in records]


def _records(figures: dict[str, Any], size: Size) -> list[Record]:
    idle, during, keeping, after = (figures[name] for name in ("idle", "loading", "keeping", "loaded"))
    note = f"{during['count']} frames in {figures['seconds']:.2f} s"
    return [
        Record(f"{LOADING}: frame", "T2", during["median"], "ms", 8, 1.3, idle["median"], "idle", note),
        Record(f"{LOADING}: worst frame", "T2", during["worst"], "ms", 50, baseline=idle["worst"], against="idle"),
        Record("window, while columns are cached: worst frame", "T2", keeping["worst"], "ms", at_most=50),
        Record(f"window: shows {size.events:,} events", "", figures["shown"], "ms"),
        Record("window: frame while zooming", "T6", after["median"], "ms", 16),
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
