"""From files to mapped columns: ``PYTHONPATH=.:tests python tests/benchmarks/bench_loading.py``.

Every family of files in every style of ``styled``; the verdict of a target is that of its worst input. T1, T14: a trace
by a worker, including the start of its process, compared with `orjson.loads` alone; also compressed. T19: `info` as a
whole process, by processor time. T3: memory of all workers together. T4: graphs, pairs and CBOR compared with arrays
made of the decoded file. T15: a long execution. In all baselines the cyclic collector is off.
"""

from __future__ import annotations

import gzip
import os
import shutil
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.records import record
from app.formats.source import Source
from benchmarks import commands, inputs, loads, targets
from benchmarks.memory import AVAILABLE, WHY_NOT
from benchmarks.record import Record, number, worst
from benchmarks.report import show
from benchmarks.size import FULL, Size
from benchmarks.styled import Input, chosen

MB = 1e6
ORJSON = ("orjson", "orjson.loads")
ARRAYS = ("orjson + arrays", "orjson + np.array")
CBOR = ("cbor2 + arrays", "cbor2 + np.array")
"""Names of the baselines: as a way of ``loads``, and in the report."""
COMPRESSED = ("different",)


def measure(size: Size) -> list[Record]:
    return [
        *traces(size),
        *ready(size),
        *infos(size),
        *compressed(size),
        *one_event(size),
        *graphs(size),
        *executions(size),
        *pairs(size),
        *larger_than_memory(size),
    ]


def traces(size: Size) -> list[Record]:
    """T1, T14 and the workers' side of T3."""
    one, two, memory = [], [], []
    for each in chosen("trace", size):
        paths = each.make(size)
        runs = loads.measure(("orjson", "one core", "worker"), paths, size.loads)
        one.append(_faster(each, "T14", paths, runs["one core"], runs["orjson"], targets.TRACE, ORJSON[1]))
        ours = _faster(each, "T14", paths, runs["worker"], runs["orjson"], targets.TRACE_TWO_CORES, ORJSON[1])
        two.append(ours)
        memory.append(_memory(each, "T3", paths, runs["worker"]))
    cores = f"trace on {os.cpu_count()} cores"
    return [
        *worst("trace with one worker", one),
        *worst(cores, two),
        *worst("memory of all workers of a trace", memory),
        *(_renamed(record, "one worker") for record in one),
        *(_renamed(record, f"{os.cpu_count()} cores") for record in two),
    ]


def ready(size: Size) -> list[Record]:
    """T1 by a worker that waits, as in a window that is open."""
    if size.only and not chosen("trace", size, ["repeated"]):
        return []
    path = inputs.trace(size.events)
    runs = loads.measure(("orjson", loads.READY), [path], size.loads)
    what = f"trace of {size.events:,} events by a worker that waits"
    ours, plain = runs[loads.READY].median, runs["orjson"].median
    return [Record(what, "T1", ours, "s", None, targets.TRACE, plain, ORJSON[1])]


def infos(size: Size) -> list[Record]:
    """T19: what `info` works on one core beyond that of a small file, beside `orjson.loads` without its import."""
    every = chosen("trace", size)
    if not every:
        return []
    start, bare = loads.Runs(), loads.Runs()
    small = inputs.trace(1_000)
    commands.run(["info", str(small)], loads.Runs())  # compiles what was edited since the last time
    for _ in range(max(size.more_loads, 3)):
        commands.run(["info", str(small)], start, alone=True)
        commands.run([], bare, commands.IMPORT, alone=True)
    records = []
    for each in every:
        (path,) = each.make(size)
        plain, info = loads.Runs(), loads.Runs()
        for _ in range(size.more_loads):
            commands.run([str(path)], plain, commands.DECODE, alone=True)
            commands.run(["info", str(path)], info, alone=True)
        bound = targets.REAL_INFO if each.name.startswith("trace/published") else targets.INFO
        records.append(
            Record(
                f"  {each.name} (CPU of info)", "T19", max(info.worked - start.worked, 0.0), "s", None, bound,
                plain.worked - bare.worked, ORJSON[1], f"start {number(start.worked)} s", each.name,
            )
        )  # fmt: skip
    return [*worst("CPU of info of a trace without its start", records), *records]


def compressed(size: Size) -> list[Record]:
    """A trace in .json.gz beside the same trace, and gzip's own time."""
    records = []
    for each in chosen("trace", size, COMPRESSED):
        (path,) = each.make(size)
        packed = _packed(path, each, size)
        plain, ours, gunzip = loads.Runs(), loads.Runs(), loads.Runs()
        for _ in range(size.more_loads):
            loads.once("worker", [path], plain)
            loads.once("worker", [packed], ours)
            loads.once("gunzip", [packed], gunzip)
        bound = targets.GZIP * plain.median + gunzip.median
        note = f"plain {number(plain.median)} s, gzip {number(gunzip.median)} s; CPU {number(ours.worked)} s"
        what = f"{each.name}.json.gz, {packed.stat().st_size / MB:,.0f} MB"
        records.append(Record(what, "T14", ours.median, "s", bound, note=note))
    return records


def one_event(size: Size) -> list[Record]:
    """The time to decode one event again, whose arguments stay in the file."""
    records = []
    for each in chosen("trace", size, ("repeated", "nested")):
        (path,) = each.make(size)
        times = _again(path)
        what = f"arguments of one event, decoded again: {each.name}"
        records.append(Record(what, "T1", statistics.median(times), "ms", at_most=16))
    return records


def graphs(size: Size) -> list[Record]:
    """T4, in JSON and in CBOR."""
    json: list[Record] = []
    cbor: list[Record] = []
    memory = []
    for each in chosen("graph", size):
        paths = each.make(size)
        way, against = CBOR if each.cbor else ARRAYS
        bound = targets.CBOR if each.cbor else targets.GRAPH
        runs = loads.measure((way, "worker"), paths, size.more_loads)
        (cbor if each.cbor else json).append(_faster(each, "T4", paths, runs["worker"], runs[way], bound, against))
        memory.append(_beside_columns(each, runs["worker"]))
    return [
        *worst("graph", json),
        *worst("graph in CBOR", cbor),
        *worst("memory of a graph", memory),
        *(_renamed(record, "") for record in (*json, *cbor)),
    ]


def executions(size: Size) -> list[Record]:
    """T15: steps, in JSON and in CBOR."""
    json: list[Record] = []
    cbor: list[Record] = []
    memory = []
    for each in chosen("execution", size):
        paths = each.make(size)
        way, against = CBOR if each.cbor else ORJSON
        bound = targets.CBOR if each.cbor else targets.STEPS
        runs = loads.measure((way, "worker"), paths, size.more_loads)
        (cbor if each.cbor else json).append(_faster(each, "T15", paths, runs["worker"], runs[way], bound, against))
        memory.append(_memory(each, "T3", paths, runs["worker"]))
    return [
        *worst(f"execution of {size.steps:,} steps", json),
        *worst(f"execution of {size.steps:,} steps in CBOR", cbor),
        *worst("memory of all workers of an execution", memory),
        *(_renamed(record, "") for record in (*json, *cbor)),
    ]


def pairs(size: Size) -> list[Record]:
    """Files that a user opens together: cold, and by a worker that waits."""
    json: list[Record] = []
    cbor: list[Record] = []
    waiting = []
    for each in chosen("pair", size):
        paths = each.make(size)
        way, against = CBOR if each.cbor else ARRAYS
        bound = targets.CBOR if each.cbor else targets.PAIR
        runs = loads.measure((way, "worker", loads.READY), paths, size.loads)
        (cbor if each.cbor else json).append(_faster(each, "T4", paths, runs["worker"], runs[way], bound, against))
        waiting.append(_faster(each, "T4", paths, runs[loads.READY], runs[way], targets.PAIR, against))
    return [
        *worst("graph and execution of one IPU", json),
        *worst("graph and execution of one IPU in CBOR", cbor),
        *worst("graph and execution of one IPU, by a worker that waits", waiting),
        *(_renamed(record, "") for record in (*json, *cbor)),
    ]


def larger_than_memory(size: Size) -> list[Record]:
    """A PopEF file that is mostly holes."""
    if size.only:
        return []
    popef = inputs.popef(size)
    sparse = loads.measure(("worker",), [popef], size.loads)["worker"]
    name = f"PopEF of {popef.stat().st_size / 1e9:,.1f} GB"
    memory = max(sparse.own, sparse.children) / MB if AVAILABLE else None
    return [
        Record(name, "", sparse.median * 1e3, "ms", at_most=1000),
        Record(f"{name}: memory", "", memory, "MB", at_most=100),
    ]


def _faster(
    each: Input,
    target: str,
    paths: Sequence[Path],
    ours: loads.Runs,
    plain: loads.Runs,
    bound: float,
    against: str,
) -> Record:
    """Compares the medians; the note says what the processors did, which other programs disturb less."""
    shares = [f"CPU {number(ours.worked)} of {number(plain.worked)} s ({ours.worked / max(plain.worked, 0.01):.2f} x)"]
    shares.append(f"best {ours.best / plain.best:.2f} x")
    if AVAILABLE:
        shares.append(f"workers {ours.children / MB:,.0f} MB ({ours.children / _bytes(paths):.2f} x)")
    return Record(
        f"{each.name}, {_bytes(paths) / MB:,.0f} MB", target, ours.median, "s", ratio_at_most=bound,
        baseline=plain.median, against=against, note="; ".join(shares), input=each.name,
    )  # fmt: skip


def _memory(each: Input, target: str, paths: Sequence[Path], ours: loads.Runs) -> Record:
    if not AVAILABLE:
        return Record(each.name, target, None, "MB", note=WHY_NOT, input=each.name)
    peak, file = ours.children / MB, _bytes(paths) / MB
    bound = targets.WORKERS_MEMORY
    return Record(each.name, target, peak, "MB", None, bound, file, "file", input=each.name)


def _beside_columns(each: Input, ours: loads.Runs) -> Record:
    """Peak of the workers, or of this process where the files are small, against 1.5 x the columns + 200 MB."""
    most = (1.5 * ours.columns + 200 * MB) / MB
    note = f"columns {ours.columns / MB:,.0f} MB" if AVAILABLE else WHY_NOT
    value = (ours.children or ours.own) / MB if AVAILABLE else None
    return Record(each.name, "T4", value, "MB", at_most=most, note=note, input=each.name)


def _renamed(record: Record, how: str) -> Record:
    return replace(record, name=f"  {record.name}{f' ({how})' if how else ''}")


def _packed(path: Path, each: Input, size: Size) -> Path:
    """The compressed copy of a trace."""

    def make(place: Path) -> None:
        with path.open("rb") as source, gzip.open(place / "trace.json.gz", "wb", compresslevel=6) as file:
            shutil.copyfileobj(source, file, 1 << 20)

    style = each.name.partition("/")[2]
    return inputs.kept(f"gzip-{style}-{size.name}", inputs.TRACES, path.parent.name, make) / "trace.json.gz"


def _again(path: Path) -> list[float]:
    """Milliseconds of decoding some 40 events again."""
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    records, times = profile.timeline.slices.record, []
    with Source(path) as source:
        for ordinal in records[:: max(1, len(records) // 40)].tolist():
            begin = time.perf_counter()
            record(source, profile, ordinal)
            times.append((time.perf_counter() - begin) * 1e3)
    return times


def _bytes(paths: Sequence[Path]) -> int:
    return sum(path.stat().st_size for path in paths)


if __name__ == "__main__":
    show(measure(FULL))
