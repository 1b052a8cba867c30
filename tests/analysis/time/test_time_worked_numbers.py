"""The worked numbers of the model of time."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.time.floors import at_most, best_chain, overlap_floor
from app.analysis.time.graph import Graph, graph, replay
from app.analysis.time.path import DATA_WAIT, OUTSIDE, RESOURCE_WAIT, WORK, critical_path
from app.profile.arrays import F64
from app.profile.timeline import Timeline
from generators.schedules import as_timeline, flagged, pipeline


def pipes(line: Timeline, made: Graph) -> list[str]:
    threads = [line.strings.get(text) for text in line.lanes.thread.tolist()]
    return [threads[lane] for lane in made.lane.tolist()]


def saved(line: Timeline, made: Graph, name: str, factor: float) -> float:
    names = line.slices.name[made.slice]
    factors = np.where(names == line.strings.find(name)[0], factor, 1.0)
    return replay(made).span - replay(made, factors).span


def test_one_buffer_with_flags() -> None:
    line = flagged()
    made = graph(line)
    path = critical_path(made, (0.0, 17.22))
    parts = [path.total(part) for part in (OUTSIDE, WORK, DATA_WAIT, RESOURCE_WAIT)]
    assert parts == pytest.approx([0.10, 9.19, 0.02, 7.91])
    assert path.times.sum() == pytest.approx(17.22, rel=1e-9)
    assert not path.cause[path.part == RESOURCE_WAIT].max() >= 0
    floor = overlap_floor(made, pipes(line, made))
    assert floor.value == pytest.approx(9.12)
    assert floor.by == "MTE2"
    assert at_most(17.22, floor.value) == pytest.approx(8.10)


def test_two_buffers_leave_nothing_to_save() -> None:
    line = as_timeline(pipeline(buffers=3), 0.1)
    made = graph(line)
    path = critical_path(made, (0.0, 9.24))
    assert path.times.sum() == pytest.approx(9.24, rel=1e-9)
    floor = overlap_floor(made, pipes(line, made))
    assert floor.value == pytest.approx(9.10)
    assert at_most(9.24, floor.value) == pytest.approx(0.14)
    assert saved(line, made, "VADD", 0.5) == pytest.approx(0.30)
    assert saved(line, made, "LOAD", 0.5) == pytest.approx(3.16)


def test_the_unchanged_replay_is_the_measured_span() -> None:
    for line in (flagged(), as_timeline(pipeline(buffers=3), 0.1)):
        made = graph(line)
        assert replay(made).span == pytest.approx(float(made.end.max() - made.arrival.min()), rel=1e-12)


def test_transfers_behind_computing() -> None:
    start: F64 = np.arange(40, dtype=np.float64) * 1000.0
    weight: F64 = np.where(np.arange(40) % 2 == 0, 900.0, 100.0)
    assert best_chain(start, start + weight, weight) == pytest.approx(20_000)
    assert best_chain(np.zeros(3), np.array([5.0, 7.0, 6.0]), np.array([5.0, 7.0, 6.0])) == 7.0
