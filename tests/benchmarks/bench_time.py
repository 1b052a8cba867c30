"""The model of time of a large trace: ``PYTHONPATH=.:tests python tests/benchmarks/bench_time.py``.

Processor time for a million slices with an arrow to two of three: graph, critical path and replay (target: 4 s), the
model with every core, busy lanes, and the list of tables, which must not make the model.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from app.analysis.tables import listed
from app.analysis.tables.critical_path import MANY
from app.analysis.time.classes import lane_times
from app.analysis.time.graph import graph, replay
from app.analysis.time.model import is_made, time_model
from app.analysis.time.path import critical_path
from app.profile.arrays import sealed
from app.profile.profile import Origin, Profile
from app.profile.timeline import Flows, Timeline
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size
from generators.timelines import random_timeline

SECONDS = 4.0
LANES = 72


def linked(line: Timeline) -> Timeline:
    """The same with arrows from each slice to the next that begins after its end, on the lane below."""
    own, lanes = line.slices, len(line.lanes.thread)
    sources, targets = [], []
    for lane in range(lanes):
        if lane % 3 == 2 or lane + 1 == lanes:
            continue
        a, b, c = own.first[lane : lane + 3].tolist()
        ends = own.start[a:b] + own.duration[a:b]
        place = b + np.searchsorted(own.start[b:c], ends)
        inside = np.flatnonzero(place < c)
        sources.append(a + inside)
        targets.append(place[inside])
    source, target = np.concatenate(sources), np.concatenate(targets)
    lane_of = np.repeat(np.arange(lanes, dtype=np.int32), np.diff(own.first))
    flows = Flows(
        sealed(np.zeros(len(source), np.int32)),
        sealed(own.start[source] + own.duration[source]),
        sealed(lane_of[source]),
        sealed(source),
        sealed(own.start[target]),
        sealed(lane_of[target]),
        sealed(target),
    )
    return replace(line, flows=flows)


def measure(size: Size) -> list[Record]:
    rows = []
    line = linked(random_timeline(size.rows, LANES, processes=24))
    what = f"{len(line.slices.start):,} slices, {len(line.flows.category):,} arrows"

    def whole() -> None:
        made = graph(replace(line))
        critical_path(made)
        replay(made)

    def fresh() -> Profile:
        return Profile(name="trace", origin=Origin("ascend-trace", (Path("trace.json"),)), timeline=replace(line))

    def lists() -> None:
        profile = fresh()
        for table in listed(profile):
            assert table.id
        assert not is_made(profile) or len(line.slices.start) <= MANY

    parts: tuple[tuple[str, Callable[[], object], float | None], ...] = (
        ("graph, critical path, replay", whole, SECONDS),
        ("model with all cores", lambda: time_model(fresh()), None),
        ("work of all lanes", lambda: lane_times(replace(line)), None),
        ("list of tables", lists, None),
    )
    for name, work, bound in parts:
        took = []
        for _ in range(min(3, size.repeats)):
            begin = time.process_time()
            work()
            took.append(time.process_time() - begin)
        at_most = bound if size.full else None
        rows.append(Record(f"{name}: {what}", "", statistics.median(took), "s", at_most=at_most))
    return rows


if __name__ == "__main__":
    show_records(measure(FULL))
