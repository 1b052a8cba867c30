"""Timelines made of plain arrays, for tests and benchmarks of what draws them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from app.profile.arrays import F64, I64, sealed
from app.profile.strings import Interner
from app.profile.timeline import Counters, Flows, Lanes, Slices, Timeline, TimeUnit

PIPES = ("SCALAR", "FLOWCTRL", "MTE1", "CUBE", "FIXP", "MTE2", "VECTOR", "MTE3", "CACHEMISS")

LaneRows = Sequence[tuple[str, str, Sequence[Sequence[tuple[float, float, str, str]]]]]
"""(process, thread, rows of (start, duration, name, category))."""


def timeline(
    lanes: LaneRows, *, unit: TimeUnit = "µs", seconds_per_unit: float | None = 1e-6, counters: Counters | None = None
) -> Timeline:
    """A small timeline, lane by lane."""
    text = Interner()
    head = Lanes(
        sealed(np.array([text(process) for process, _, _ in lanes], np.int32)),
        sealed(np.array([text(thread) for _, thread, _ in lanes], np.int32)),
        sealed(_bounds([len(stack) for _, _, stack in lanes]).astype(np.int32)),
    )
    rows = [row for _, _, stack in lanes for row in stack]
    flat = [entry for row in rows for entry in row]
    slices = Slices(
        start=sealed(np.array([entry[0] for entry in flat], np.float64)),
        duration=sealed(np.array([entry[1] for entry in flat], np.float64)),
        name=sealed(np.array([text(entry[2]) for entry in flat], np.int32)),
        category=sealed(np.array([text(entry[3]) if entry[3] else -1 for entry in flat], np.int32)),
        record=sealed(np.arange(len(flat))),
        address=sealed(np.full(len(flat), -1, np.int64)),
        first=_bounds([len(row) for row in rows]),
    )
    line = Timeline(unit, seconds_per_unit, text.strings(), head, slices)
    return line if counters is None else replace(line, counters=counters)


def random_timeline(slices: int, lanes: int, *, seed: int = 1, processes: int = 4) -> Timeline:
    """``slices`` on ``lanes`` lanes of one row each, named like instructions of Ascend pipes; busy and idle alike."""
    random = np.random.default_rng(seed)
    each = slices // lanes
    starts = np.empty((lanes, each))
    durations = random.exponential(1.0, (lanes, each))
    gaps = random.exponential(1.0, (lanes, each)) * random.choice([0.02, 0.3, 3.0], (lanes, 1))
    starts = np.cumsum(gaps, 1) + np.cumsum(durations, 1) - durations
    starts *= 1000.0 / float((starts[:, -1] + durations[:, -1]).max())
    text = Interner()
    pipes = [text(pipe) for pipe in PIPES]
    names = [text(f"{word}_{number}") for word in ("MOV", "MMAD", "ADD", "LOAD", "wait") for number in range(40)]
    pipe_of = np.repeat(np.array([pipes[lane % len(pipes)] for lane in range(lanes)], np.int32), each)
    process = np.array([text(f"core{lane * processes // lanes}.veccore0") for lane in range(lanes)], np.int32)
    thread = np.array([pipes[lane % len(pipes)] for lane in range(lanes)], np.int32)
    count = each * lanes
    scale = 1000.0 / float((np.cumsum(gaps, 1) + np.cumsum(durations, 1))[:, -1].max())
    return Timeline(
        "µs",
        1e-6,
        text.strings(),
        Lanes(sealed(process), sealed(thread), sealed(np.arange(lanes + 1, dtype=np.int32))),
        Slices(
            sealed(starts.reshape(-1)),
            sealed((durations * scale).reshape(-1)),
            sealed(random.choice(np.array(names, np.int32), count)),
            sealed(pipe_of),
            sealed(np.arange(count)),
            sealed(np.full(count, -1, np.int64)),
            sealed(np.arange(lanes + 1) * each),
        ),
    )


def with_flows(line: Timeline, pairs: Sequence[tuple[int, int]]) -> Timeline:
    """``line`` with an arrow from the end of one slice to the start of another for each pair."""
    source, target = (np.array(side, np.int64) for side in zip(*pairs, strict=True))
    row = np.searchsorted(line.slices.first, np.stack((source, target)), "right") - 1
    lane = np.searchsorted(line.lanes.first_row, row, "right") - 1
    start, end = line.slices.start, line.slices.start + line.slices.duration
    flows = Flows(
        sealed(np.zeros(len(pairs), np.int32)),
        sealed(end[source]),
        sealed(lane[0].astype(np.int32)),
        sealed(source),
        sealed(start[target]),
        sealed(lane[1].astype(np.int32)),
        sealed(target),
    )
    return replace(line, flows=flows)


def counter(process: int, name: int, time: F64, value: F64) -> Counters:
    """One counter track."""
    ids = [sealed(np.array([number], np.int32)) for number in (process, name, -1)]
    first = sealed(np.array([0, len(time)], np.int64))
    return Counters(ids[0], ids[1], ids[2], first, sealed(time), sealed(value))


def _bounds(sizes: Sequence[int]) -> I64:
    return sealed(np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64))
