"""Random schedules by a scheduler of the tests' own: bounds always hold, paths fill the span, replays come near."""

from __future__ import annotations

import random
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.time.floors import at_most, overlap_floor, pool_floor
from app.analysis.time.graph import Graph, graph, part, replay
from app.analysis.time.model import time_model, work_of
from app.analysis.time.path import critical_path
from app.formats.collect import read
from app.formats.registry import by_id
from app.profile.timeline import Timeline
from generators import ascend_trace
from generators.schedules import Task, as_timeline, random_tasks, run, run_pool, span_of, without_buffers

CASES = 700


def pipes(line: Timeline, made: Graph) -> list[str]:
    threads = [line.strings.get(text) for text in line.lanes.thread.tolist()]
    return [threads[lane] for lane in made.lane.tolist()]


def test_no_bound_of_overlap_is_below_what_is_really_saved() -> None:
    ratios = []
    for seed in range(CASES):
        tasks = random_tasks(seed)
        line = as_timeline(tasks)
        made = graph(line)
        span = span_of(run(tasks))
        bound = at_most(span, overlap_floor(made, pipes(line, made)).value)
        saved = span - span_of(run(without_buffers(tasks)))
        assert bound >= saved - 1e-9, seed
        if bound > 0.02 * span:
            ratios.append(saved / bound)
    assert median(ratios) >= 0.7


def test_no_bound_of_scaling_is_below_what_is_really_saved_and_replays_come_near() -> None:
    errors = []
    for seed in range(CASES):
        tasks, rng = random_tasks(seed), random.Random(seed)
        line = as_timeline(tasks)
        made = graph(line)
        name, factor = rng.choice(tasks).name, rng.choice((0.0, 0.5, 0.8, 1.5))
        faster = [replace(task, work=task.work * factor) if task.name == name else task for task in tasks]
        names = line.slices.name[made.slice]
        factors = np.where(names == line.strings.find(name)[0], factor, 1.0)
        span, true = span_of(run(tasks)), span_of(run(faster))
        assert span - replay(made, factors, lags=False).span >= span - true - 1e-9, seed
        errors.append(abs(replay(made, factors).span - true) / span)
    assert median(errors) <= 0.02
    assert sum(errors) / len(errors) <= 0.05


def test_pieces_of_the_path_fill_the_span_and_the_unchanged_replay_repeats_it() -> None:
    for seed in range(CASES):
        tasks = random_tasks(seed)
        made = graph(as_timeline(tasks))
        path = critical_path(made)
        span = span_of(run(tasks))
        assert path.times.sum() == pytest.approx(span, rel=1e-9), seed
        assert (path.start[1:] == path.end[:-1]).all()
        assert replay(made).span == pytest.approx(span, rel=1e-9)


def test_lanes_by_themselves_keep_their_nodes_and_the_edges_between_them() -> None:
    for seed in range(CASES // 10):
        whole = graph(as_timeline(random_tasks(seed)))
        known = sorted(set(whole.lane.tolist()))
        lanes = random.Random(seed).sample(known, k=min(1 + seed % 3, len(known)))
        nodes = [node for node, lane in enumerate(whole.lane.tolist()) if lane in lanes]
        ends = zip(whole.source.tolist(), whole.target.tolist(), whole.release.tolist(), strict=True)
        own = part(whole, lanes)
        assert own.slice.tolist() == whole.slice[nodes].tolist()
        before = [nodes[node] if node >= 0 else -1 for node in own.before.tolist()]
        assert before == whole.before[nodes].tolist()
        found = zip(own.source.tolist(), own.target.tolist(), own.release.tolist(), strict=True)
        assert [(nodes[source], nodes[target], time) for source, target, time in found] == [
            (source, target, time) for source, target, time in ends if source in nodes and target in nodes
        ]


def test_the_work_of_a_pipe_of_all_cores_is_that_of_each(tmp_path: Path) -> None:
    ascend_trace.write(tmp_path / "trace.json", events=3_000, cores=3, seed=2)
    (profile,) = read(by_id("ascend-trace"), [tmp_path / "trace.json"])
    model = time_model(profile)
    assert len(model.cores) > 1
    for pipe in ("CUBE", "MTE2", "nowhere"):
        each = [core.work.get(pipe, 0.0) for core in model.cores]
        assert work_of(model, pipe).tolist() == pytest.approx(each)
    assert max(work_of(model, "CUBE")) > 0


def test_no_bound_of_a_pool_is_below_what_any_order_saves() -> None:
    for seed in range(CASES):
        rng = random.Random(seed)
        cores = {"AIC": rng.randint(1, 4), "AIV": rng.randint(1, 4)}
        tasks = [
            Task(kind, "task", rng.uniform(0.1, 2.0), tuple({rng.randrange(number) for _ in range(rng.randint(0, 2))}))
            if number
            else Task(kind, "task", 1.0)
            for number, kind in enumerate(rng.choices(list(cores), k=rng.randint(1, 40)))
        ]
        made = graph(as_timeline(tasks))
        floor = pool_floor(made, pipes(as_timeline(tasks), made), cores)
        assert run_pool(tasks, cores) >= floor.value - 1e-9, seed
