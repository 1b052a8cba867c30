"""Opening a file again: ``PYTHONPATH=.:tests python tests/benchmarks/bench_cache.py``.

T5: from paths to mapped cached columns, compared with the first load by a worker. The column store is a separate one on
the disk of the inputs. Also measures writing the cache after the first load, which runs in the background, and what
the checks of cached columns (checksums, and the bounds of indices) take of opening again.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from app.formats.events import SectionReady
from app.formats.registry import plan
from app.store import codec
from app.store.cache import cache
from app.store.cache.limit import CacheLimit
from app.store.load import Loaded, load
from app.store.reading import close_all, open_all
from app.store.token import Token
from benchmarks import inputs, targets
from benchmarks.record import Record, worst
from benchmarks.report import show
from benchmarks.size import FULL, Size
from benchmarks.styled import Family, Input, chosen

CHOICE = CacheLimit(1 << 40)
AGAIN = 21
FIGURES = (
    "opened again",
    "opened again, beside the first time",
    "caching the columns",
    "checksums when opened again",
    "bounds when opened again",
)
STYLES: dict[Family, tuple[str, ...]] = {
    "trace": ("repeated", "different", "lanes", "flows", "many_names", "kineto"),
    "graph": ("plain", "floats", "liveness", "variables"),
    "execution": ("steps", "names"),
    "pair": ("plain",),
}
MOST_TRIES = 20


def measure(size: Size) -> list[Record]:
    """The figures of each input; the verdict of a target is that of the worst."""
    with _own_store():
        of_inputs = [
            _reopened(each, size) for family, styles in STYLES.items() for each in chosen(family, size, styles)
        ]
    measured = [figures for figures in of_inputs if len(figures) == len(FIGURES)]
    verdicts = [
        one
        for what, figures in zip(FIGURES, zip(*measured, strict=True), strict=bool(measured))
        for one in worst(what, figures)
    ]
    return [*verdicts, *(record for figures in of_inputs for record in figures)]


def _reopened(each: Input, size: Size) -> list[Record]:
    paths = each.make(size)
    megabytes = sum(path.stat().st_size for path in paths) / 1e6
    name = f"  {each.name}, {megabytes:,.0f} MB"
    if not _heavy(paths):
        note = "small files are read again"
        return [Record(f"{name}: opened again", "T5", None, "ms", note=note, input=each.name)]
    first: list[float] = []
    writes: list[float] = []
    while len(writes) < size.more_loads:
        seconds, loaded = _timed(paths, anew=True)
        first.append(seconds)
        begin = time.perf_counter()
        if loaded.cache_columns(CHOICE, Token()):
            writes.append(time.perf_counter() - begin)
        loaded.release()
        assert len(first) < MOST_TRIES, "nothing is kept: the program's code changes all the time"
    again = []
    for _ in range(AGAIN):
        seconds, loaded = _timed(paths)
        assert not loaded.cache_columns(CHOICE, Token())  # nothing was read, so nothing is written to the cache
        loaded.release()
        again.append(seconds)
    checksums, bounds = (_checking(paths, *of) * 1e3 for of in ((codec, "checksum_of"), (cache, "wrong_column")))
    middle, before = statistics.median(again) * 1e3, statistics.median(first) * 1e3
    ratio, keeping = targets.REOPENED, statistics.median(writes) * 1e3
    return [
        Record(f"{name}: opened again", "T5", middle, "ms", targets.REOPENED_MS, input=each.name),
        Record(f"{name}: beside the first time", "T5", middle, "ms", None, ratio, before, "first", input=each.name),
        Record(f"{name}: caching, beside the window", "", keeping, "ms", input=each.name),
        Record(f"{name}: checksums", "", checksums, "ms", None, targets.CHECKED, before, "first", input=each.name),
        Record(f"{name}: bounds", "", bounds, "ms", None, targets.CHECKED, before, "first", input=each.name),
    ]


def _heavy(paths: Sequence[Path]) -> bool:
    (job,), _ = plan(paths)
    sources = open_all(job)
    try:
        return job.format.heavy(sources)
    finally:
        close_all(sources)


def _timed(paths: Sequence[Path], *, anew: bool = False) -> tuple[float, Loaded]:
    """Seconds from the paths to all sections, and the columns."""
    sections = 0

    def count(event: object) -> None:
        nonlocal sections
        sections += isinstance(event, SectionReady)

    begin = time.perf_counter()
    (job,), refused = plan(paths)
    loaded = load(job, count, Token(), CHOICE, anew=anew)
    seconds = time.perf_counter() - begin
    assert loaded is not None
    assert sections
    assert not refused
    return seconds, loaded


def _checking(paths: Sequence[Path], module: ModuleType, name: str) -> float:
    """Seconds that opening again spends in one function, the median."""
    function, spent, took = getattr(module, name), [], 0.0

    def timed(*arguments: Any) -> Any:
        nonlocal took
        begin = time.perf_counter()
        try:
            return function(*arguments)
        finally:
            took += time.perf_counter() - begin

    setattr(module, name, timed)
    try:
        for _ in range(AGAIN):
            took = 0.0
            _timed(paths)[1].release()
            spent.append(took)
    finally:
        setattr(module, name, function)
    return statistics.median(spent)


@contextmanager
def _own_store() -> Iterator[None]:
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory(dir=inputs.folder()) as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            os.environ.pop("XDG_CACHE_HOME")
            if before is not None:
                os.environ["XDG_CACHE_HOME"] = before


if __name__ == "__main__":
    show(measure(FULL))
