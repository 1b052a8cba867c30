"""One load of files in a separate process: seconds, bytes of columns, and memory used.

``python -m benchmarks.loads WAY FILE ...`` is that process; it prints its measurements. Imports are not timed, and the
page cache is warm from the second run on.
"""

from __future__ import annotations

import contextlib
import gc
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import inputs
from benchmarks.memory import Sampler
from generators.trees import SELF_DESCRIBED

ROOT = Path(__file__).resolve().parents[2]


@dataclass(slots=True)
class Runs:
    """Runs of one way to load: seconds and processor seconds (with all children) of each, bytes of the columns, peak
    memory of the process and of its children together."""

    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    columns: int = 0
    own: int = 0
    children: int = 0

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def worked(self) -> float:
        """Processor seconds."""
        return statistics.median(self.processor)


def measure(ways: Sequence[str], paths: Sequence[Path], repeats: int) -> dict[str, Runs]:
    """Runs each way ``repeats`` times, alternating, so that other load on the machine affects all of them equally."""
    runs_of = {way: Runs() for way in ways}
    for _ in range(repeats):
        for way, runs in runs_of.items():
            once(way, paths, runs)
    return runs_of


def environment(cache: Path | None = None) -> dict[str, str]:
    """The environment of a child: the repository's modules, and a separate cache folder, so that no load is cached.
    Modules are compiled once, as in an installed program."""
    made = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "tests")))}
    made.pop("PYTHONDONTWRITEBYTECODE", None)
    if cache is not None:
        made |= {"XDG_CACHE_HOME": str(cache), "LOCALAPPDATA": str(cache)}
    return made


def last_line(command: Sequence[str], environ: dict[str, str], seconds: int = 300) -> str:
    """The last line that a process prints. RuntimeError with everything that it said, if it fails or prints nothing."""
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=seconds)
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        said = done.stderr.strip() or "it said nothing"
        raise RuntimeError(f"{' '.join(command[1:])} ended with status {done.returncode}: {said}")
    return lines[-1]


def once(way: str, paths: Sequence[Path], runs: Runs) -> None:
    """Adds one run to ``runs``."""
    with tempfile.TemporaryDirectory(dir=inputs.folder(), prefix="run-") as cache:
        command = [sys.executable, "-m", "benchmarks.loads", way, *map(str, paths)]
        with subprocess.Popen(command, env=environment(Path(cache)), stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            with Sampler(child.pid) as sampler:
                child.stdout.readline()  # its imports are done
                sampler.reset()
                last = child.stdout.readline()
        if child.returncode:
            raise RuntimeError(f"{way} of {paths[0].name} ended with status {child.returncode}")
    seconds, processor, columns, before = json.loads(last)
    runs.seconds.append(seconds)
    runs.processor.append(processor)
    runs.columns = columns
    runs.own = max(runs.own, sampler.own - before)
    runs.children = max(runs.children, sampler.children)


def orjson_loads(paths: Sequence[Path]) -> int:
    """The minimum cost of a tool that decodes the files in one piece."""
    import orjson

    for path in paths:
        orjson.loads(path.read_bytes())
    return 0


def orjson_arrays(paths: Sequence[Path]) -> int:
    """``orjson_loads``, and an array for each list of number rows of equal length."""
    import orjson

    return sum(_arrays(orjson.loads(path.read_bytes())) for path in paths)


def cbor_arrays(paths: Sequence[Path]) -> int:
    """``orjson_arrays`` for CBOR. Without its tag: cbor2 makes tagged values immutable, and tuples of lists."""
    import cbor2

    texts = {path: path.read_bytes().removeprefix(SELF_DESCRIBED) for path in paths}
    return sum(_arrays(_plain(path, text, cbor2.loads)) for path, text in texts.items())


def _plain(path: Path, text: bytes, cbor_loads: Callable[[bytes], Any]) -> Any:
    """The value of a file; a CBOR file may lie beside one in JSON."""
    import orjson

    return cbor_loads(text) if path.suffix == ".cbor" else orjson.loads(text)


def gunzip(paths: Sequence[Path]) -> int:
    """The minimum cost of a compressed file: its content, piece by piece, thrown away."""
    for path in paths:
        with gzip.open(path) as file:
            while file.read(1 << 20):
                pass
    return 0


def one_core(paths: Sequence[Path]) -> int:
    """``worker`` with a single core, so that a single worker decodes; like that one where cores cannot be taken."""
    on_one_core()
    return worker(paths)


def on_one_core() -> None:
    """Leaves this process, and what it starts, one core, where cores can be taken."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def worker(paths: Sequence[Path]) -> int:
    """Loads like the window and the command line: a worker process writes columns, this process maps them."""
    from app.store.load import read_all

    with ExitStack() as stack:
        opened = read_all(paths, stack)
        assert opened.profiles
        assert not opened.refusals
        return sum(bytes_of(profile.section(name)) for profile in opened.profiles for name in profile.filled())


def ready_worker(paths: Sequence[Path], spare: Any) -> int:
    """Loads like a window that has been open for a moment: a worker with imported readers is ready."""
    from app.formats.collect import Collector
    from app.formats.registry import plan
    from app.store.load import load
    from app.store.token import Token

    (job,), refusals = plan(paths)
    assert not refusals
    collector = Collector(job.format.id)
    loaded = load(job, collector, Token(), spare=spare)
    columns = sum(bytes_of(profile.section(name)) for profile in collector.profiles for name in profile.filled())
    if loaded is not None:
        loaded.release()
    return columns


WAYS = {
    "orjson": orjson_loads,
    "orjson + arrays": orjson_arrays,
    "cbor2 + arrays": cbor_arrays,
    "worker": worker,
    "one core": one_core,
    "gunzip": gunzip,
}
READY = "ready worker"
IMPORTED_AFTER = 1.0
"""Seconds after which a started worker has imported its readers on any relevant machine."""


def _arrays(value: Any) -> int:
    if isinstance(value, dict):
        return sum(_arrays(part) for part in value.values())
    if isinstance(value, list) and value and isinstance(value[0], list):
        with contextlib.suppress(ValueError, OverflowError):  # rows of different lengths
            return np.array(value, np.int64).nbytes
    return 0


def bytes_of(value: Any) -> int:
    """Bytes of all columns of a section."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, dict):
        return sum(bytes_of(part) for part in value.values())
    if isinstance(value, tuple):
        return sum(bytes_of(part) for part in value)
    return sum(bytes_of(getattr(value, name)) for name in getattr(value, "__slots__", ()))


def _child(way: str, paths: Sequence[Path]) -> None:
    import app.store.load  # noqa: F401
    from app.store.spare import Spare
    from benchmarks.memory import anonymous

    gc.disable()
    spare = Spare()
    if way == READY:
        spare.prepare()
        time.sleep(IMPORTED_AFTER)
    before = anonymous(os.getpid())
    print("ready", flush=True)
    worked, begin = sum(os.times()[:4]), time.perf_counter()
    columns = ready_worker(paths, spare) if way == READY else WAYS[way](paths)
    seconds = time.perf_counter() - begin
    print(json.dumps([seconds, sum(os.times()[:4]) - worked, columns, before]), flush=True)
    spare.close()


if __name__ == "__main__":
    _child(sys.argv[1], [Path(word) for word in sys.argv[2:]])
