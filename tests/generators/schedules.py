"""Schedules of tasks, made by a scheduler of their own, with the dependencies that made them: the oracle of the model
of time."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.profile.arrays import sealed
from app.profile.timeline import Flows, Timeline
from generators.timelines import timeline

CORE = "core0.veccore0"
STAGES = ("MTE2", "VECTOR", "MTE3")
NAMES = {"MTE2": "LOAD", "VECTOR": "VADD", "MTE3": "STORE"}


class Task(Struct, frozen=True):
    """``lane`` runs its tasks in their order; ``after``: the tasks that must have ended; ``late``: what passes between
    their end and its start; ``hidden``: those of ``after`` that the file does not show."""

    lane: str
    name: str
    work: float
    after: tuple[int, ...] = ()
    late: float = 0.0
    hidden: frozenset[int] = frozenset()


def run(tasks: Sequence[Task], origin: float = 0.0) -> list[tuple[float, float]]:
    """(start, end) of each task: as soon as its lane is free and all before it have ended."""
    free: dict[str, float] = {}
    times: list[tuple[float, float]] = []
    for task in tasks:
        ready = max([origin, *(times[other][1] + task.late for other in task.after)])
        start = max(ready, free.get(task.lane, origin))
        times.append((start, start + task.work))
        free[task.lane] = start + task.work
    return times


def run_pool(tasks: Sequence[Task], cores: dict[str, int]) -> float:
    """The span if a task runs on any core of its kind (``lane``), the first that is free, in the order of the list as
    soon as all before it have ended."""
    free = {kind: [0.0] * count for kind, count in cores.items()}
    ends: list[float] = []
    for task in tasks:
        ready = max([0.0, *(ends[other] for other in task.after)])
        core = min(range(cores[task.lane]), key=lambda core: max(free[task.lane][core], ready))
        start = max(free[task.lane][core], ready)
        ends.append(start + task.work)
        free[task.lane][core] = ends[-1]
    return max(ends, default=0.0)


def pipeline(
    count: int = 8, works: Sequence[float] = (1.0, 0.6, 0.5), *, buffers: int = 1, late: float = 0.02
) -> list[Task]:
    """Loads, computations and stores that pass data on; a load needs a buffer, which the store ``buffers`` before it
    has released (a dependency that the file does not show)."""
    tasks: list[Task] = []
    for turn in range(count):
        freed = 3 * (turn - buffers) + 2
        known = (freed,) if turn >= buffers else ()
        tasks.append(Task(STAGES[0], NAMES[STAGES[0]], works[0], known, 0.0, frozenset(known)))
        for lane, work in zip(STAGES[1:], works[1:], strict=True):
            tasks.append(Task(lane, NAMES[lane], work, (len(tasks) - 1,), late))
    return tasks


def as_timeline(tasks: Sequence[Task], origin: float = 0.0, process: str = CORE) -> Timeline:
    """The schedule of ``tasks`` as a file would have it: a lane each, and an arrow for each dependency that is not
    hidden."""
    times = run(tasks, origin)
    lanes = list(dict.fromkeys(task.lane for task in tasks))
    members = {lane: [number for number, task in enumerate(tasks) if task.lane == lane] for lane in lanes}
    line = timeline(
        [
            (
                process,
                lane,
                [[(times[own][0], times[own][1] - times[own][0], tasks[own].name, lane) for own in members[lane]]],
            )
            for lane in lanes
        ]
    )
    order = [own for lane in lanes for own in members[lane]]
    place = {task: index for index, task in enumerate(order)}
    of_lane = {lane: number for number, lane in enumerate(lanes)}
    arrows = [(other, number) for number, task in enumerate(tasks) for other in task.after if other not in task.hidden]
    if not arrows:
        return line
    return replace(
        line,
        flows=Flows(
            sealed(np.zeros(len(arrows), np.int32)),
            sealed(np.array([times[one][1] for one, _ in arrows])),
            sealed(np.array([of_lane[tasks[one].lane] for one, _ in arrows], np.int32)),
            sealed(np.array([place[one] for one, _ in arrows], np.int64)),
            sealed(np.array([times[two][0] for _, two in arrows])),
            sealed(np.array([of_lane[tasks[two].lane] for _, two in arrows], np.int32)),
            sealed(np.array([place[two] for _, two in arrows], np.int64)),
        ),
    )


def flagged(
    count: int = 8, works: Sequence[float] = (1.0, 0.6, 0.5), *, set_: float = 0.01, late: float = 0.01
) -> Timeline:
    """The pipeline with one buffer, its flags as slices of the pipes: each stage sets one, the next waits for it."""
    rows: dict[str, list[tuple[float, float, str, str]]] = {lane: [] for lane in STAGES}
    begin = 0.1
    waiting = dict.fromkeys(STAGES, 0.0)
    for _ in range(count):
        at = begin
        for number, (lane, work) in enumerate(zip(STAGES, works, strict=True)):
            if number:
                flag = f"{STAGES[number - 1]}.{lane}.0"
                rows[lane].append((waiting[lane], at - waiting[lane], f"WAIT_FLAG.{flag}", lane))
            rows[lane].append((at, work, NAMES[lane], lane))
            at += work
            if number + 1 < len(STAGES):
                rows[lane].append((at, set_, f"SET_FLAG.{lane}.{STAGES[number + 1]}.0", lane))
                waiting[lane] = at + set_
                at += set_ + late
            else:
                waiting[lane] = at
        begin = at
    return timeline([(CORE, lane, [rows[lane]]) for lane in STAGES])


def random_tasks(seed: int) -> list[Task]:
    """A core with two to four pipes, stages of random lengths, one to three buffers; some pass through all pipes."""
    rng = random.Random(seed)
    pipes = rng.choice((STAGES, ("MTE2", "MTE1", "CUBE", "FIXP"), ("SCALAR", *STAGES), STAGES[:2]))
    means = [rng.uniform(0.1, 2.0) for _ in pipes]
    buffers, late = rng.randint(1, 3), rng.choice((0.0, 0.01, 0.05))
    tasks: list[Task] = []
    last: list[int] = []
    for turn in range(rng.randint(2, 24)):
        first = len(tasks)
        for step, (pipe, mean) in enumerate(zip(pipes, means, strict=True)):
            after = [len(tasks) - 1] if step else []
            if not step and turn >= buffers:
                after.append(last[turn - buffers])
            work = mean * rng.uniform(0.5, 1.5) if rng.random() < 0.9 else 0.0
            tasks.append(Task(pipe, f"{pipe.lower()}_{rng.randint(0, 2)}", work, tuple(after), late if step else 0.0))
        last.append(len(tasks) - 1)
        assert first < len(tasks)
    return tasks


def without_buffers(tasks: Sequence[Task]) -> list[Task]:
    """The same without dependencies from a pipe to one that comes before it: every load has a buffer of its own."""
    order = {lane: number for number, lane in enumerate(dict.fromkeys(task.lane for task in tasks))}
    return [
        replace(task, after=tuple(other for other in task.after if order[tasks[other].lane] < order[task.lane]))
        for task in tasks
    ]


def span_of(times: Sequence[tuple[float, float]]) -> float:
    """From the first start to the last end."""
    return max(end for _, end in times) - min(start for start, _ in times)


class Step(Struct, frozen=True):
    """A step of a machine of tiles. ``lane``: the tiles of an IPU, or the host link; ``threads``: the lengths of the
    vertices of each tile, which its threads take one after another; ``exchange``: whether it only moves data."""

    lane: str
    threads: tuple[tuple[float, ...], ...]
    after: tuple[int, ...] = ()
    exchange: bool = False

    @property
    def tiles(self) -> list[float]:
        """How long each tile takes."""
        return [_on_threads(vertices) for vertices in self.threads]


THREADS = 6


def _on_threads(vertices: Sequence[float]) -> float:
    """The time of a tile whose threads take the next vertex as soon as they are free."""
    free = [0.0] * THREADS
    for vertex in vertices:
        thread = free.index(min(free))
        free[thread] += vertex
    return max(free)


def as_tasks(steps: Sequence[Step], works: Sequence[float]) -> list[Task]:
    """The steps with these lengths."""
    return [Task(step.lane, "step", work, step.after) for step, work in zip(steps, works, strict=True)]


def random_steps(seed: int, ipus: int = 0) -> list[Step]:
    """Computing, exchanges and host transfers of one to three IPUs; a step needs the one before it, or others too."""
    rng = random.Random(seed)
    lanes = [f"tiles{number}" for number in range(ipus or rng.randint(1, 3))]
    tiles, uneven = rng.randint(1, 8), rng.uniform(0.0, 0.9)
    vertices = rng.choice((1, 4, 12))
    steps: list[Step] = []
    for number in range(rng.randint(3, 40)):
        after = set(rng.sample(range(number), min(number, rng.choice((0, 1, 1, 2)))))
        if number and rng.random() < 0.7:
            after.add(number - 1)
        kind, mean = rng.choice(("compute", "compute", "exchange", "host")), rng.uniform(10.0, 100.0)
        if kind != "compute":
            lane = "host" if kind == "host" else rng.choice(lanes)
            steps.append(Step(lane, ((mean,),), tuple(after), kind == "exchange"))
            continue
        threads = tuple(
            tuple(mean * rng.uniform(1 - uneven, 1 + uneven) for _ in range(rng.randint(1, vertices)))
            for _ in range(tiles)
        )
        steps.append(Step(rng.choice(lanes), threads, tuple(after)))
    return steps


def by_registers(tasks: Sequence[Task], origin: float = 0.0) -> tuple[Timeline, list[list[tuple[str, int, int]]]]:
    """The schedule without arrows, whose slices have the address of an instruction each, and the register states of
    these: each task writes a register of its own, which those after it read."""
    line = as_timeline([replace(task, hidden=frozenset(task.after)) for task in tasks], origin)
    states = [
        [(f"R{number}", 2, 9), *((f"R{other}", 1, 9) for other in dict.fromkeys(task.after))]
        for number, task in enumerate(tasks)
    ]
    return with_addresses(line, [BASE + 4 * number for number in _order(tasks)]), states


BASE = 0x1000
"""The address of the first instruction."""


def loop(
    turns: int, works: Sequence[Sequence[float]], registers: int, late: float = 0.0
) -> tuple[list[Task], Timeline, list[list[tuple[str, int, int]]]]:
    """A loop of loads, computations and stores that pass data on in registers, of which there are so many: its body is
    unrolled as often. A load waits until its register has been read (which no state says)."""
    tasks: list[Task] = []
    for turn in range(turns):
        freed = 3 * (turn - registers) + 1  # the computation that read the register
        after = (freed,) if turn >= registers else ()
        tasks.append(Task(STAGES[0], NAMES[STAGES[0]], works[turn][0], after, 0.0, frozenset(after)))
        stored = (3 * (turn - registers) + 2,) if turn >= registers else ()
        tasks.append(
            Task(STAGES[1], NAMES[STAGES[1]], works[turn][1], (len(tasks) - 1, *stored), late, frozenset(stored))
        )
        tasks.append(Task(STAGES[2], NAMES[STAGES[2]], works[turn][2], (len(tasks) - 1,), late))
    line = as_timeline([replace(task, hidden=frozenset(task.after)) for task in tasks])
    places = [3 * (number // 3 % registers) + number % 3 for number in _order(tasks)]
    states: list[list[tuple[str, int, int]]] = []
    for copy in range(registers):
        loaded, made = f"R{copy}", f"R{registers + copy}"
        states += [[(loaded, 2, 9)], [(loaded, 1, 9), (made, 2, 9)], [(made, 1, 9)]]
    return tasks, with_addresses(line, [BASE + 4 * place for place in places]), states


def _order(tasks: Sequence[Task]) -> list[int]:
    """The tasks in the order of the slices of their timeline."""
    lanes = list(dict.fromkeys(task.lane for task in tasks))
    return sorted(range(len(tasks)), key=lambda number: lanes.index(tasks[number].lane))


def with_addresses(line: Timeline, addresses: Sequence[int]) -> Timeline:
    """The timeline whose slices have run the instructions at these addresses."""
    return replace(line, slices=replace(line.slices, address=sealed(np.array(addresses, np.int64))))
