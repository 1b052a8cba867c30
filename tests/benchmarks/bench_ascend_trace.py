"""Loading a trace: ``PYTHONPATH=.:tests python tests/benchmarks/bench_ascend_trace.py [EVENTS [REPEATS]]``.

Each measurement has a fresh process of its own, the page cache warm; prints the best of each and the ratio to
``orjson.loads`` of the whole file without garbage collection (target: at most 0.7 through the worker, its start
included). Memory is the peak of the process beyond what its imports take.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import orjson

from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.source import Source
from app.store.load import read_all
from generators import ascend_trace


def whole(path: Path) -> None:
    """What every tool pays that decodes the file in one go."""
    orjson.loads(path.read_bytes())


def here(path: Path) -> None:
    """The reader alone, in this process."""
    read(FORMAT, [path])


def through_worker(path: Path) -> None:
    """As the window and the command line do it: a worker process writes columns, this process maps them."""
    with ExitStack() as stack:
        opened = read_all([path], stack)
        assert opened.profiles[0].timeline is not None


def arguments(path: Path) -> None:
    """One event decoded again (milliseconds, best of twenty), after a load that is not counted."""
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    assert FORMAT.record is not None
    best = 1.0
    with Source(path) as source:
        for ordinal in profile.timeline.slices.record[:: len(profile.timeline.slices.record) // 20].tolist():
            begin = time.perf_counter()
            FORMAT.record(source, profile, ordinal)
            best = min(best, time.perf_counter() - begin)
    print(json.dumps([best, 0]))
    sys.exit()


WAYS = {"orjson.loads": whole, "reader": here, "worker": through_worker, "one event": arguments}


def measure(way: str, path: Path) -> None:
    """Runs one way and prints [seconds, peak bytes]."""
    gc.disable()
    before = _peak()
    begin = time.perf_counter()
    WAYS[way](path)
    print(json.dumps([time.perf_counter() - begin, _peak() - before]))


def _peak() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    return 0


def main(events: int, repeats: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        ascend_trace.write(path, events, 16)
        size = path.stat().st_size
        print(f"{events:,} events, {size / 1e6:.0f} MB, best of {repeats}")
        runs: dict[str, list[list[float]]] = {way: [] for way in WAYS}
        for _ in range(repeats):  # in turns, so that whatever else the machine does hits all alike
            for way, found in runs.items():
                command = [sys.executable, __file__, way, str(path)]
                found.append(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))
        base = min(run[0] for run in runs["orjson.loads"])
        for way, found in runs.items():
            seconds, memory = min(run[0] for run in found), max(run[1] for run in found)
            print(f"{way:14} {seconds * 1e3:9.1f} ms  {seconds / base:6.3f} x orjson  peak {memory / size:5.2f} x file")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] in WAYS:
        measure(sys.argv[1], Path(sys.argv[2]))
    else:
        numbers = [int(argument) for argument in sys.argv[1:]]
        main(*(numbers + [1_000_000, 5][len(numbers) :]))
