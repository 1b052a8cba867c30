"""Where the time of a large trace goes, and what more cores would give: ``PYTHONPATH=.:tests python
tests/benchmarks/bench_parts.py``.

Everything runs in this process, one part after the other, so that the figures are processor time without contention.
What is calculated assumes that all parts but those of the stretches remain, and that cores do not slow each other down.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from app.formats.ascend_trace.columns import Gathered
from app.formats.ascend_trace.gather import TASK
from app.formats.ascend_trace.read import events_array, timeline_of
from app.formats.json.pieces import collector_off
from app.formats.json.problems import Problems
from app.formats.json.stretches import chained
from app.formats.pool import A, R, Task, ignore
from app.formats.source import Source
from app.store import limits, wire
from app.store.codec import write_section
from benchmarks import loads
from benchmarks.loads import environment, last_line
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size
from benchmarks.styled import Input, chosen

STYLES: Final = ("different", "lanes")
"""Those that are measured if none are asked for by ``--only``."""
CORES: Final = (1, 2, 4, 8, 16)
SCANNED: Final = 0.7e9
"""Bytes per second of a compiled scanner of one pass that makes the columns and numbers the texts. Measured with a
prototype whose columns are those of the reader: 0.4 GB/s (a million different ids, phases) to 1.1 (many lanes), 0.1 to
0.5 s for a million events. A floor: it neither rescues damaged records nor checks UTF-8."""
IMPORTED: Final = "import app.store.load; import time; t = time.process_time(); import app.store.worker, \
app.formats.ascend_trace.read; print(time.process_time() - t)"
"""What a copy of a process of the command line must still import."""


def measure(size: Size) -> list[Record]:
    styles = () if size.only else STYLES
    return [record for each in chosen("trace", size, styles) for record in _measured(each, size)]


def _measured(each: Input, size: Size) -> list[Record]:
    (path,) = each.make(size)
    limits.reuse_freed()
    runs = [_parts(path) for _ in range(size.more_loads)]
    parts = {name: min(run[name] for run in runs) for name in runs[0]}
    plain = min(loads.measure(("orjson",), [path], size.more_loads)["orjson"].processor)

    def record(name: str, value: float) -> Record:
        return Record(f"{each.name}: {name}", "", value, "s", baseline=plain, against="orjson.loads")

    scanner = path.stat().st_size / SCANNED
    compiled = {**parts, "decoding": scanner}
    return [
        *(record(name, value) for name, value in parts.items()),
        *(record(f"{_cores(cores)} (calculated)", _calculated(parts, cores)) for cores in CORES),
        *(
            record(f"{_cores(cores)} with a compiled scanner (calculated)", _calculated(compiled, cores))
            for cores in CORES[:2]
        ),
    ]


def _cores(cores: int) -> str:
    return f"{cores} cores" if cores > 1 else "1 core"


def _calculated(parts: dict[str, float], cores: int) -> float:
    """Seconds on so many cores. Merging is done by one process while the others decode."""
    alone = parts["start"] + parts["timeline"] + parts["writing columns"]
    if cores == 1:
        return alone + parts["decoding"]
    merging = parts["receiving"] + parts["merging"]
    return alone + max((parts["decoding"] + parts["sending"] + merging) / cores, merging)


def _parts(path: Path) -> dict[str, float]:
    """Processor seconds of each part of loading a trace by two workers."""
    spent: defaultdict[str, float] = defaultdict(float)
    spent["start"] = float(last_line([sys.executable, "-c", IMPORTED], environment()))
    with Source(path) as source, tempfile.TemporaryDirectory() as folder, collector_off():
        start = events_array(source, 0, source.size)
        gathered = Gathered()
        stretches = chained(_Timed(spent, Path(folder)), TASK, source, start, source.size, (0,))
        for part in stretches:
            with _timed(spent, "merging"):
                gathered.extend(part.gathered())
        with _timed(spent, "timeline"):
            timeline = timeline_of(gathered, 0, Problems(lambda _: None, path.name))
        assert timeline is not None
        with _timed(spent, "writing columns"):
            write_section(timeline, Path(folder) / "columns")
    return dict(spent)


@contextmanager
def _timed(spent: defaultdict[str, float], name: str) -> Iterator[None]:
    begin = time.thread_time()
    yield
    spent[name] += time.thread_time() - begin


class _Timed:
    """A pool of two processes, all of which is done here."""

    workers = 2

    def __init__(self, spent: defaultdict[str, float], folder: Path) -> None:
        self._spent = spent
        self._file = folder / "result"

    def map(self, task: Task[A, R], source: Source, arguments: Sequence[A]) -> Generator[R | None]:
        """See ``Pool``."""
        for argument in arguments:
            with _timed(self._spent, "decoding"):
                made = task.run(source, argument, ignore)
            with _timed(self._spent, "sending"):
                wire.write_result(made, self._file)
            with _timed(self._spent, "receiving"):
                received = wire.take_result(task.result, self._file)
            yield received


if __name__ == "__main__":
    show(measure(FULL))
