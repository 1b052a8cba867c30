"""Host calls that wait for a device, and copies that block, lead the critical path to what the device ran last."""

from __future__ import annotations

import random
from statistics import median

import numpy as np
import pytest

from app.analysis.time.classes import WAIT, classes
from app.analysis.time.classes import WORK as WORKS
from app.analysis.time.floors import at_most
from app.analysis.time.graph import graph, replay
from app.analysis.time.path import WORK, critical_path
from app.profile.timeline import Timeline
from generators.launches import HOST, launching
from generators.timelines import timeline


def worked(line: Timeline) -> list[str]:
    """Names on the path that work, from the first to the last."""
    made = graph(line)
    path = critical_path(made)
    assert path.times.sum() == pytest.approx(float(made.end.max() - made.arrival.min()))
    names = line.slices.name[made.slice]
    return [line.strings.get(int(names[node])) for node in path.node[path.part == WORK].tolist()]


@pytest.mark.parametrize("call", ["cudaDeviceSynchronize", "AscendCL@aclrtSynchronizeStream", "hipStreamSynchronize"])
def test_synchronisation_ends_with_the_device(call: str) -> None:
    host = [(0.0, 5.0, "launch"), (5.0, 96.0, call), (101.0, 20.0, "next")]
    line = launching(host, {"stream 7": [(10.0, 90.0, "gemm")]}, [(0, "stream 7", 0)])
    assert worked(line) == ["launch", "gemm", "next"]


@pytest.mark.parametrize(
    "call", ["cudaMemcpy", "hipMemcpy", "AscendCL@aclrtMemcpy", "cuMemcpyDtoH_v2", "cudaMemcpyAsync"]
)
def test_copies_that_block_are_split_at_their_launch(call: str) -> None:
    """Asynchronous ones too, if they return after the copy (from memory that is not pinned)."""
    host = [(0.0, 5.0, "launch"), (5.0, 106.0, call), (111.0, 20.0, "next")]
    streams = {"stream 7": [(10.0, 90.0, "gemm"), (100.0, 10.0, "Memcpy DtoH (Device -> Pageable)")]}
    line = launching(host, streams, [(0, "stream 7", 0), (1, "stream 7", 1)])
    assert worked(line)[-3:] == ["gemm", "Memcpy DtoH (Device -> Pageable)", "next"]
    assert graph(line).contradicting == 0
    early = [(10.0, 90.0, "gemm"), (100.0, 30.0, "Memcpy DtoH (Device -> Pinned)")]
    line = launching(host[:2], {"stream 7": early}, [(0, "stream 7", 0), (1, "stream 7", 1)])
    assert bool(graph(line).works[(line.slices.name[graph(line).slice] == line.strings.find(call)[0])].all()) is (
        call == "cudaMemcpyAsync"
    )


def test_a_stream_that_waits_for_an_event_waits_for_the_device() -> None:
    host = [(0.0, 1.0, "launch"), (1.0, 1.0, "launch"), (2.0, 1.0, "launch")]
    streams = {
        "stream 2": [(5.0, 91.0, "EVENT_WAIT"), (96.0, 10.0, "gemm")],
        "stream 4": [(5.0, 90.0, "hcom_allReduce")],
    }
    line = launching(host, streams, [(0, "stream 2", 0), (1, "stream 2", 1), (2, "stream 4", 0)])
    assert worked(line)[-2:] == ["hcom_allReduce", "gemm"]


def test_words_of_waits() -> None:
    waits = ["Notify Wait", "Notify_Wait", "EVENT_WAIT", "cudaMemcpy", "cudaMemcpy2D", "cudaMemcpyToSymbol"]
    others = ["cudaMemcpyAsync", "Memcpy", "MEMCPY_ASYNC", "Memcpy HtoD (Pinned -> Device)", "cudaMemset"]
    rows = [(float(number), 0.5, name) for number, name in enumerate([*waits, *others])]
    line = launching(rows, {"stream 7": [(20.0, 1.0, "gemm")]}, [(0, "stream 7", 0)])
    kinds = (classes(line) == WAIT).tolist()
    assert kinds == [True] * len(waits) + [False] * (len(others) + 1)
    assert line.strings.get(int(line.lanes.process[0])) == HOST


def scheduled(works: list[tuple[float, float]], late: float, speed: float = 1.0) -> Timeline:
    """Calls and kernels of these lengths; a kernel starts ``late`` after the later of its call and the one before."""
    calls, kernels, at, free = [], [], 0.0, 0.0
    for call, kernel in works:
        calls.append((at, call * speed, "cudaLaunchKernel"))
        free = max(at, free) + late
        kernels.append((free, kernel, "gemm"))
        at, free = at + call * speed, free + kernel
    return launching(calls, {"stream 7": kernels}, [(number, "stream 7", number) for number in range(len(works))])


def span_of(line: Timeline) -> float:
    return float((line.slices.start + line.slices.duration).max() - line.slices.start.min())


def test_no_bound_of_launches_is_below_what_is_really_saved() -> None:
    ratios = []
    for seed in range(300):
        rng = random.Random(seed)
        call, kernel, late = rng.uniform(1, 30), rng.uniform(1, 30), rng.uniform(0, 5)
        works = [(call * rng.uniform(0.2, 2), kernel * rng.uniform(0.2, 2)) for _ in range(rng.randint(2, 30))]
        line = scheduled(works, late)
        made = graph(line)
        for true, factor in ((scheduled(works, 0.0), 1.0), (scheduled(works, late, 0.0), 0.0)):
            factors = np.where(made.lane == 0, factor, 1.0)
            bound = at_most(span_of(line), replay(made, factors, lags=False).span)
            saved = span_of(line) - span_of(true)
            assert bound >= saved - 1e-9, seed
            if bound > 0.02 * span_of(line):
                ratios.append(saved / bound)
    assert median(ratios) >= 0.7


def test_sync_steps_of_a_run_are_waits_where_they_have_a_length() -> None:
    line = timeline(
        [
            ("Execution", "OnTileExecute", [[(0.0, 4.0, "conv", "OnTileExecute")]]),
            ("Execution", "Sync", [[(4.0, 2.0, "sync", "Sync"), (9.0, 0.0, "sync", "Sync")]]),
            ("host", "Sync", [[(0.0, 1.0, "work", "")]]),
        ]
    )
    assert classes(line).tolist() == [WORKS, WAIT, WAIT, WORKS]
