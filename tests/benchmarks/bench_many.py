"""Many small profiles in one window: ``PYTHONPATH=.:tests python tests/benchmarks/bench_many.py``.

A folder with profiles of all families, like the output of a simulator run, is opened in the real window until every tab
exists and the saved state of each file was looked up. Opening four times as many takes at most five times as long (no
quadratic work), the folder of 400 at most 10 s, and 200 profiles at most 8 s of processor time in all processes. The
window runs in a separate process (``one_folder``).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import inputs
from benchmarks.loads import ROOT, environment
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size

PART, MOST_SECONDS = 200, 8
MODULES = ("many_profiles", "ascend_bin", "ascend_trace", "poplar", "popef", "tensor_map", "tensorflow_events")


def measure(size: Size) -> list[Record]:
    few, many = size.profiles, 4 * size.profiles
    less, more = _opened(few), _opened(many)
    what = f"folder of {many:,} small profiles"
    note = f"{more['processor']:.1f} s of them busy"
    each = more["processor"] / many
    return [
        Record(f"{what}: opened", "", more["seconds"], "s", at_most=10, note=note),
        Record(f"{what}: work", "", more["processor"], "s", None, 5.0, less["processor"], f"{few:,} profiles"),
        Record(f"{what}: work for every {PART}", "", each * PART, "s", at_most=MOST_SECONDS),
        Record(f"{what}: longest time without an answer", "", more["worst"], "ms"),
    ]


def _opened(count: int) -> dict[str, float]:
    from generators import many_profiles

    def make(place: Path) -> None:
        many_profiles.write(place, count)

    folder = inputs.kept(f"many-{count}", MODULES, f"{count} profiles", make)
    with tempfile.TemporaryDirectory(dir=inputs.folder(), prefix="run-") as cache:
        command = [sys.executable, "-m", "benchmarks.one_folder", str(folder), str(Path(cache) / "data")]
        done = subprocess.run(command, cwd=ROOT, env=environment(Path(cache)), stdout=subprocess.PIPE, check=True)
    figures: dict[str, float] = json.loads(done.stdout)
    if figures["opened"] != count:
        raise RuntimeError(f"{figures['opened']} of {count} profiles were opened")
    return figures


if __name__ == "__main__":
    show(measure(FULL))
