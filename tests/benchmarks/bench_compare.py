"""Matching the slices of two traces: ``PYTHONPATH=.:tests python tests/benchmarks/bench_compare.py``.

Processor time of matching a million slices with a million others, of which one in a thousand is renamed, one left out
and one added: names at random on 64 lanes, the same on one lane, and a loop on one lane. Target: 2 s.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.profile.arrays import I64, sealed
from app.profile.profile import Origin, Profile
from app.profile.timeline import Timeline
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size
from generators.timelines import random_timeline

SECONDS = 2.0
ONE_IN = 1000


def looped(line: Timeline, period: int = 100) -> Timeline:
    """The same with names that repeat."""
    names = np.arange(len(line.slices.name)) % period + int(line.slices.name.min())
    return replace(line, slices=replace(line.slices, name=sealed(names.astype(np.int32))))


def edited(line: Timeline, seed: int = 2) -> Timeline:
    """One slice in ONE_IN renamed, one left out, one added."""
    random = np.random.default_rng(seed)
    own, count = line.slices, len(line.slices.name)
    edits = count // ONE_IN
    name = own.name.copy()
    name[random.integers(0, count, edits)] = random.choice(own.name, edits)
    rows = np.delete(np.arange(count), random.integers(0, count, edits))
    rows = np.sort(np.concatenate((rows, random.integers(0, count, edits))))
    columns = {key: sealed(getattr(own, key)[rows]) for key in ("start", "duration", "category", "record", "address")}
    first: I64 = np.searchsorted(rows, own.first)
    return replace(line, slices=replace(own, name=sealed(name[rows]), first=sealed(first), **columns))


def measure(size: Size) -> list[Record]:
    records = []
    for what, line in (
        ("64 lanes", random_timeline(size.rows, 64)),
        ("one lane", random_timeline(size.rows, 1)),
        ("one lane, a loop", looped(random_timeline(size.rows, 1))),
    ):
        origin = Origin("chrome-trace", (Path("trace.json"),))
        sides = [Profile(name="trace", origin=origin, timeline=one) for one in (line, edited(line))]
        took, note = [], ""
        for _ in range(min(3, size.repeats)):
            begin = time.process_time()
            table = Comparison(sides[0], sides[1]).table("slices")
            took.append(time.process_time() - begin)
            assert table is not None
            counts = ", ".join(f"{count:,} {rule}" for rule, count in table.matches.counts().items())
            note = f"processor time with both tables; {counts}; exact: {table.matches.exact}"
        at_most = SECONDS if size.full else None
        middle = statistics.median(took)
        records.append(Record(f"{size.rows:,} slices matched, {what}", "", middle, "s", at_most=at_most, note=note))
    return records


if __name__ == "__main__":
    show_records(measure(FULL))
