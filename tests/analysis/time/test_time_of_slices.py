"""What a slice waited for, what waits for it, and what a change of its time saves."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.time.graph import graph
from app.analysis.time.model import time_model
from app.analysis.time.of_slice import beside, released_by, slice_part, waiting_for
from app.analysis.time.what_if import Change, Saving, saving, step_saving, with_held
from app.language import untranslated
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from fakes.shell import bare
from generators.schedules import as_timeline, flagged, pipeline, random_tasks, run, span_of
from generators.timelines import timeline


def named(line: Timeline, name: str) -> I64:
    return np.flatnonzero(line.slices.name == line.strings.find(name)[0])


def profile_of(line: Timeline) -> Profile:
    return replace(bare(), timeline=line)


def saved(line: Timeline, slices: I64, factor: float) -> Saving:
    return saving(time_model(profile_of(line)), [Change(slices, factor)], lambda: None)


def test_the_walk_goes_along_flags_and_back() -> None:
    line = flagged()
    made = graph(line)
    load, set_, wait, add = (
        int(named(line, name)[2]) for name in ("LOAD", "SET_FLAG.MTE2.VECTOR.0", "WAIT_FLAG.MTE2.VECTOR.0", "VADD")
    )
    assert [beside(made, index, -1) for index in (add, wait, set_)] == [wait, set_, load]
    assert [beside(made, index, 1) for index in (load, set_, wait)] == [set_, wait, add]


def test_the_walk_goes_along_arrows() -> None:
    line = as_timeline(pipeline(3))
    made = graph(line)
    load, add, store = (int(named(line, name)[1]) for name in ("LOAD", "VADD", "STORE"))
    assert [beside(made, index, -1) for index in (store, add)] == [add, load]
    assert waiting_for(made, load).tolist() == [add]
    release = released_by(made, load)
    assert release is not None
    assert release.by_lane  # the buffer that it waited for is not in the file
    assert not len(waiting_for(made, store))  # the next one of its lane waits for an arrow


def test_a_wait_without_a_known_cause_waited_for_nothing_that_is_known() -> None:
    line = timeline(
        [("core0.veccore0", "VECTOR", [[(0, 1, "VADD", "V"), (1, 2, "WAIT_FLAG", "V"), (3, 1, "VMUL", "V")]])]
    )
    assert released_by(graph(line), 1) is None
    part = slice_part(profile_of(line), time_model(profile_of(line)), 1)
    assert part is not None
    assert "no known cause" in str(part.facts[0].words[0])
    assert slice_part(profile_of(line), time_model(profile_of(line)), 0) is None  # a file without dependencies


def test_the_section_says_for_whom_and_whether_it_is_on_the_path() -> None:
    line = flagged()
    profile = profile_of(line)
    model = time_model(profile)
    wait, load = int(named(line, "WAIT_FLAG.MTE2.VECTOR.0")[3]), int(named(line, "LOAD")[3])
    part = slice_part(profile, model, wait)
    assert part is not None
    assert [untranslated(fact.label) for fact in part.facts] == ["Waited", "Critical path"]
    assert part.facts[0].words[-1] == " for MTE2"
    assert part.facts[1].words == ("not on it",)
    assert [pointer.selection.first for pointer in part.pointers] == [
        beside(model.graph, wait, step) for step in (-1, 1)
    ]
    on_path = slice_part(profile, model, load)
    assert on_path is not None
    assert " of work" in on_path.facts[1].words


def test_worked_savings() -> None:
    line = as_timeline(pipeline(buffers=3), 0.1)
    span = time_model(profile_of(line)).span
    for name, estimate in (("VADD", 0.30), ("LOAD", 3.16)):
        found = saved(line, named(line, name), 0.5)
        assert found.estimate == pytest.approx(estimate)
        assert estimate <= found.at_most <= span
        assert found.error == pytest.approx(0)
        assert found.slices == 8
    assert saved(line, named(line, "LOAD"), 2.0).estimate < 0
    assert saved(line, named(line, "LOAD"), 2.0).at_most == 0
    assert saved(line, named(line, "VADD")[:1], 0.5).at_most <= 0.3 + 1e-12  # no more than what it takes less


def test_waits_alone_save_nothing() -> None:
    line = flagged()
    found = saved(line, named(line, "WAIT_FLAG.MTE2.VECTOR.0"), 0.5)
    assert (found.slices, found.estimate) == (0, 0)


def test_no_bound_is_below_what_is_really_saved() -> None:
    for seed in range(60):
        tasks, rng = random_tasks(seed), random.Random(seed)
        line = as_timeline(tasks)
        name, factor = rng.choice(tasks).name, rng.choice((0.0, 0.5, 0.8))
        faster = [replace(task, work=task.work * factor) if task.name == name else task for task in tasks]
        true = span_of(run(tasks)) - span_of(run(faster))
        assert saved(line, named(line, name), factor).at_most >= true - 1e-9, seed


def test_what_a_slice_holds_changes_with_it() -> None:
    line = timeline(
        [("p", "t", [[(0, 10, "outer", "c")], [(1, 5, "inner", "c"), (7, 1, "inner", "c")], [(2, 1, "deep", "c")]])]
    )
    assert with_held(line, named(line, "outer")).tolist() == [0, 1, 2, 3]
    assert with_held(line, np.array([1])).tolist() == [1, 3]


def test_steps_that_run_at_once_are_not_counted_twice() -> None:
    line = timeline([("p", "one", [[(0, 10, "a", "c"), (20, 10, "a", "c")]]), ("p", "two", [[(2, 10, "a", "c")]])])
    found = step_saving(line, [Change(np.arange(3), 0.5)], 30.0)
    assert (found.estimate, found.at_most) == (10.0, 10.0)
    assert step_saving(line, [Change(np.arange(3), 2.0)], 30.0).estimate == -20.0
