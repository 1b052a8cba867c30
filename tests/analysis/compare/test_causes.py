"""Causes of a difference: they sum to it, and a known edit is the first of them with its amount."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.schedules import schedule_causes
from app.analysis.compare.slices import OFTEN
from app.profile.profile import Origin, Profile
from app.profile.timeline import Timeline
from generators.schedules import Task, as_timeline, flagged, pipeline, random_tasks, run

PAIRS = 500


def run_of(line: Timeline) -> Profile:
    return Profile(name="run", origin=Origin("ascend_trace", ()), timeline=line)


def rows_of(before: Timeline, after: Timeline) -> dict[str, float]:
    """What each cause makes up, in the unit of the timelines."""
    rows = schedule_causes(Comparison(run_of(before), run_of(after)), lambda: None)
    unit = after.seconds_per_unit or 1.0
    return {row.cause: row.difference / unit for row in rows if abs(row.difference) > 1e-9 * unit}


def steps(count: int, works: Sequence[float], buffers: int) -> Timeline:
    return as_timeline(pipeline(count, works, buffers=buffers), 0.1)


def test_a_slower_name_counts_what_it_costs() -> None:
    before = steps(20, (1.0, 0.6, 0.5), 3)
    assert rows_of(before, steps(20, (1.5, 0.6, 0.5), 3)) == {"LOAD": pytest.approx(10.0)}
    assert rows_of(before, steps(20, (1.0, 0.78, 0.5), 3)) == {"VADD": pytest.approx(0.18)}  # 3.6 of work were added


def test_fewer_buffers_are_waits() -> None:
    rows = rows_of(steps(20, (1.0, 0.6, 0.5), 3), steps(20, (1.0, 0.6, 0.5), 1))
    assert list(rows) == ["Waits of core0.veccore0 / MTE2"]
    rows = rows_of(flagged(), steps(8, (1.0, 0.6, 0.5), 3))
    assert rows["Waits of core0.veccore0 / MTE2"] == pytest.approx(-7.91)
    assert rows["Waits of core0.veccore0 / VECTOR"] == pytest.approx(0.01)
    sets = sum(amount for name, amount in rows.items() if name.startswith("SET"))
    assert sets == pytest.approx(-0.09)


def edited(tasks: Sequence[Task], name: str, edit: str, rng: random.Random) -> list[Task]:
    """The tasks with one edit of all those of a name."""
    own = {number for number, task in enumerate(tasks) if task.name == name}
    if edit == "slower":
        factor = rng.uniform(1.5, 4.0)
        return [replace(task, work=task.work * factor) if number in own else task for number, task in enumerate(tasks)]
    if edit == "renamed":
        return [replace(task, name="Other") if number in own else task for number, task in enumerate(tasks)]
    last = max(own)
    return [*tasks, Task(tasks[last].lane, "Added", rng.uniform(1.0, 9.0), (last,))]


@pytest.mark.parametrize("edit", ["slower", "removed", "added", "renamed"])
def test_a_known_edit_is_the_first_cause_with_its_amount(edit: str) -> None:
    """Generated pairs, run by a scheduler that knows nothing of replays."""
    told = 0
    for seed in range(PAIRS // 4):
        rng = random.Random(seed)
        tasks = [replace(task, name=f"{task.lane} {'abc'[int(task.name[-1])]}") for task in random_tasks(seed)]
        name = rng.choice([task.name for task in tasks])
        one, other = tasks, edited(tasks, name, "added" if edit == "removed" else edit, rng)
        one, other = (other, one) if edit == "removed" else (one, other)
        rows = rows_of(as_timeline(one), as_timeline(other))
        truth = max(end for _, end in run(other)) - max(end for _, end in run(one))
        assert sum(rows.values()) == pytest.approx(truth, abs=1e-9)
        if abs(truth) > 1e-6:
            first = next(iter(rows))
            assert first == (name if edit == "slower" else "Added")
            assert rows[first] == pytest.approx(truth, rel=0.05, abs=0.06)  # gaps without a cause may go to others
            told += 1
    assert told == 0 if edit == "renamed" else told > PAIRS // 10


def test_a_new_name_changes_nothing_but_the_name_of_the_row() -> None:
    told = 0
    for seed in range(PAIRS // 4):
        rng = random.Random(seed)
        tasks = [replace(task, name=f"{task.lane} {'abc'[int(task.name[-1])]}") for task in random_tasks(seed)]
        name = rng.choice([task.name for task in tasks])
        factor = rng.uniform(0.6, 1.9)
        slower = [replace(task, work=task.work * factor) if task.name == name else task for task in tasks]
        before, after, other = map(as_timeline, (tasks, slower, edited(slower, name, "renamed", rng)))
        rows, renamed = rows_of(before, after), rows_of(before, other)
        if sum(task.name == name for task in tasks) < OFTEN:
            continue  # too few to be sure, if they are the only ones in the lane
        expected = {(f"{name} → Other" if cause == name else cause): amount for cause, amount in rows.items()}
        assert renamed == pytest.approx(expected)
        told += name in rows
    assert told > PAIRS // 10
