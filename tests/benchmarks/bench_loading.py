"""From files to mapped columns: ``PYTHONPATH=.:tests python tests/benchmarks/bench_loading.py``.

T1: loading a trace by a worker, including the start of its process, compared with `orjson.loads` alone without the
cyclic collector. T3: memory of the worker. T4: the matrices of a graph compared with `orjson.loads` and `np.array`.
Also a long execution, CBOR, and a PopEF file larger than memory.
"""

from __future__ import annotations

import statistics
import time

from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.source import Source
from benchmarks import inputs, loads
from benchmarks.memory import AVAILABLE, WHY_NOT
from benchmarks.record import Record
from benchmarks.report import show
from benchmarks.size import FULL, Size

MB = 1e6
NO_SLOWER = 1.0
"""The bound without a specific target: loading into columns takes no longer than decoding alone."""


def traces(size: Size) -> list[Record]:
    """T1 and the worker's side of T3."""
    records = []
    for events, repeats in ((size.events, size.loads), (size.more_events, size.more_loads)):
        path = inputs.trace(events)
        runs = loads.measure(("orjson", "worker", loads.READY), [path], repeats)
        what = f"trace of {events:,} events, {path.stat().st_size / MB:,.0f} MB"
        records.append(_faster(what, "T1", runs["worker"], runs["orjson"], 0.7, "orjson.loads"))
        waiting = f"{what}: by a worker that waits"
        records.append(_faster(waiting, "T1", runs[loads.READY], runs["orjson"], 0.7, "orjson.loads"))
        records.append(_memory(f"{what}: worker's memory", "T3", runs["worker"].children, path.stat().st_size, 0.7))
    for path, what in (
        (inputs.trace_of_today(size.events), "trace with timestamps of today"),
        (inputs.trace_of_pytorch(size.events), "trace of the PyTorch style"),
    ):
        runs = loads.measure(("orjson", "worker"), [path], size.loads)
        ours, theirs = (runs[way].best for way in ("worker", "orjson"))
        megabytes = f"{path.stat().st_size / MB:,.0f} MB"
        records.append(Record(f"{what}, {megabytes}", "T14", ours, "s", baseline=theirs, against="orjson.loads"))
    return records


def one_event(size: Size) -> list[Record]:
    """The time to decode one event again, whose arguments stay in the file."""
    path = inputs.trace(size.events)
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    assert FORMAT.record is not None
    records, times = profile.timeline.slices.record, []
    with Source(path) as source:
        for ordinal in records[:: max(1, len(records) // 40)].tolist():
            begin = time.perf_counter()
            FORMAT.record(source, profile, ordinal)
            times.append((time.perf_counter() - begin) * 1e3)
    return [Record("arguments of one event, decoded again", "T1", statistics.median(times), "ms", at_most=16)]


def graphs(size: Size) -> list[Record]:
    """T4, in JSON and in CBOR."""
    records = []
    orjson, cbor = ("orjson + arrays", "orjson + np.array"), ("cbor2 + arrays", "cbor2 + np.array")
    of = f"{size.tiles:,} x {size.compute_sets:,}"
    for name, paths, (way, against), target, bound in (
        (f"graph of {of}", (inputs.graph(size),), orjson, "T4", 0.5),
        (f"graph of {of} in CBOR", (inputs.graph(size, ".cbor"),), cbor, "", NO_SLOWER),
        ("graph and execution of one IPU", inputs.pair(size), orjson, "", NO_SLOWER),
    ):
        what = f"{name}, {sum(path.stat().st_size for path in paths) / MB:,.0f} MB"
        runs = loads.measure((way, "worker"), paths, size.more_loads)
        ours = runs["worker"]
        records.append(_faster(what, target, ours, runs[way], bound, against))
        peak = ours.children or ours.own
        most = (1.5 * ours.columns + 200 * MB) / MB
        note = f"columns {ours.columns / MB:,.0f} MB" if AVAILABLE else WHY_NOT
        value = peak / MB if AVAILABLE else None
        records.append(Record(f"{what}: memory", "T4", value, "MB", at_most=most, note=note))
    return records


def of_one_ipu(size: Size) -> list[Record]:
    """Files that the window opens while a worker is ready."""
    paths = inputs.pair(size)
    runs = loads.measure(("orjson + arrays", loads.READY), paths, size.loads)
    what = "graph and execution of one IPU, by a worker that waits"
    return [_faster(what, "T4", runs[loads.READY], runs["orjson + arrays"], 0.6, "orjson + np.array")]


def others(size: Size) -> list[Record]:
    """A long execution, and a file larger than memory."""
    paths = inputs.execution(size)
    runs = loads.measure(("orjson", "worker"), paths, size.more_loads)
    megabytes = sum(path.stat().st_size for path in paths) / MB
    what = f"execution of {size.steps:,} steps, {megabytes:,.0f} MB"
    popef = inputs.popef(size)
    sparse = loads.measure(("worker",), [popef], size.loads)["worker"]
    name = f"PopEF of {popef.stat().st_size / 1e9:,.1f} GB"
    memory = max(sparse.own, sparse.children) / MB if AVAILABLE else None
    return [
        _faster(what, "", runs["worker"], runs["orjson"], NO_SLOWER, "orjson.loads"),
        Record(name, "", sparse.central * 1e3, "ms", at_most=1000),
        Record(f"{name}: memory", "", memory, "MB", at_most=100),
    ]


def measure(size: Size) -> list[Record]:
    return [*traces(size), *one_event(size), *graphs(size), *of_one_ipu(size), *others(size)]


def _faster(what: str, target: str, ours: loads.Runs, plain: loads.Runs, bound: float, against: str) -> Record:
    """Compares the best run of each, as the targets require."""
    return Record(what, target, ours.best, "s", ratio_at_most=bound, baseline=plain.best, against=against)


def _memory(what: str, target: str, peak: int, file: int, bound: float) -> Record:
    if not AVAILABLE:
        return Record(what, target, None, "MB", note=WHY_NOT)
    return Record(what, target, peak / MB, "MB", ratio_at_most=bound, baseline=file / MB, against="file")


if __name__ == "__main__":
    show(measure(FULL))
