"""Tasks of a PyPTO program on the cube and vector cores of an Ascend chip (PyPTO, sections 2 to 6).

Times are int64 cycles of one counter of the chip, relative to the origin of the timeline; -1 where the files give none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, ClassVar, Final

import numpy as np
from msgspec import Struct, field

from app.language import Text, tr
from app.profile.arrays import I32, I64, U8, Bool, distinct, expand, sealed
from app.profile.ascend import TypedColumn
from app.profile.bounds import Index, Offsets, Rows
from app.profile.empty import no_rows
from app.profile.strings import OptionalTextIds, Strings

KIND_NAMES: Final[tuple[Text, ...]] = (tr("cube"), tr("vector"), tr("other"))
"""Index is the number in ``TaskCores.kind``."""
CUBE, VECTOR, OTHER = range(3)
READY: Final = "ready tasks"
"""Of a counter: tasks whose dependencies, as far as they ran, have ended, and which have not begun."""


class TaskCores(Struct, frozen=True, eq=False):
    """The cores of the chip, used or not. ``number``: as in the file; ``kind``: uint8 index of KIND_NAMES; ``thread``:
    the scheduler that serves it, -1 none; ``lane``: int32 lane of the timeline, -1 for a core without one."""

    number: I64
    kind: Annotated[U8, Index(len(KIND_NAMES))]
    thread: I64
    lane: Annotated[I32, Index("timeline.lanes.process", -1)]

    def __len__(self) -> int:
        return len(self.number)


class Tasks(Struct, frozen=True, eq=False):
    """Sorted by token, then run. ``token``: int64, ring << 32 | number within the ring; ``run``: which run of the
    program it is of, -1 none; ``function``: what its cores run; ``blocks``: int64, how many blocks it was launched
    with, -1 none; ``first``: its blocks are first[t] .. first[t + 1] - 1 (none for tasks that only the graph has)."""

    token: I64
    run: I64
    function: OptionalTextIds
    blocks: I64
    first: Annotated[I64, Offsets("blocks.start"), Rows("token")]

    def __len__(self) -> int:
        return len(self.token)


class Blocks(Struct, frozen=True, eq=False):
    """What ran on a core: a task of several blocks, or on several kinds of cores, has several. ``dispatch``: when the
    scheduler sent it, ``receive``: when the core took it, ``start``, ``end``: of its work, ``finish``: when the
    scheduler saw its end. ``pmu``: counters of the core by the titles of the file, float64 [blocks, 1], NaN for no
    data."""

    core: Annotated[I32, Index("cores.number")]
    dispatch: I64
    receive: I64
    start: I64
    end: I64
    finish: I64
    pmu: Annotated[tuple[TypedColumn, ...], Rows("core")] = ()

    def __len__(self) -> int:
        return len(self.core)


class Dependencies(Struct, frozen=True, eq=False):
    """``before``, ``after``: int32 tasks: the second waits for the first, once for each tensor; ``argument``: of the
    second, -1 none; ``source``: how the runtime found it."""

    before: Annotated[I32, Index("tasks.token")]
    after: Annotated[I32, Index("tasks.token")]
    argument: I64
    source: OptionalTextIds

    def __len__(self) -> int:
        return len(self.before)


class CoreTasks(Struct, frozen=True, eq=False, dict=True):
    """``level``: how much was recorded (1 times of tasks, 2 also dispatch and finish, 3 the scheduler, 4 the
    orchestrator), 0 unknown; ``clock_hz``: of the counter, None unknown. Slices of blocks in the timeline have the
    number of the block as record."""

    SECTION: ClassVar[str] = "core_tasks"
    strings: Strings
    level: int = 0
    clock_hz: float | None = None
    cores: TaskCores = field(default_factory=partial(no_rows, TaskCores))
    tasks: Tasks = field(default_factory=partial(no_rows, Tasks, first=sealed(np.zeros(1, np.int64))))
    blocks: Blocks = field(default_factory=partial(no_rows, Blocks))
    dependencies: Dependencies = field(default_factory=partial(no_rows, Dependencies))


VIOLATED: Final = "violated dependency"
"""Category of the arrows of dependencies that times contradict."""
TOLERANCE: Final = 2
"""Cycles by which a task may seem to start before its producer ended (PyPTO, section 8)."""


class Spans(Struct, frozen=True, eq=False):
    """int64[tasks], -1 for tasks that did not run: ``start`` of the first and ``end`` of the last block of each task,
    and which blocks these are (``first``, ``last``)."""

    start: I64
    end: I64
    first: I64
    last: I64


def spans(own: CoreTasks) -> Spans:
    """When each task ran. Blocks of a task are sorted by start."""
    tasks, blocks = own.tasks, own.blocks
    made = Spans(*(np.full(len(tasks), -1, np.int64) for _ in range(4)))
    counts = np.diff(tasks.first)
    ran, several = np.flatnonzero(counts), np.flatnonzero(counts > 1)
    made.first[ran] = tasks.first[ran]
    made.last[ran] = tasks.first[ran + 1] - 1
    owner, rows = np.repeat(several, counts[several]), expand(tasks.first[several], tasks.first[several + 1])
    rows = rows[np.lexsort((blocks.end[rows], owner))]
    made.last[several] = rows[np.cumsum(counts[several]) - 1]
    made.start[ran], made.end[ran] = blocks.start[made.first[ran]], blocks.end[made.last[ran]]
    return made


class Pairs(Struct, frozen=True, eq=False):
    """Distinct pairs of different tasks, by the second, then the first. ``before``, ``after``: int64; ``timed``: bool,
    whether both ran; ``kept``: whether the times agree with the dependency (what is kept has no circle); ``violated``:
    whether the second started before the first had ended."""

    before: I64
    after: I64
    timed: Bool
    kept: Bool
    violated: Bool


def pairs(own: CoreTasks, when: Spans, look: Callable[[], None] = lambda: None) -> Pairs:
    """The dependencies, each once (PyPTO, section 8). ``look`` may raise Cancelled."""
    count = max(len(own.tasks), 1)
    keys = distinct(own.dependencies.after.astype(np.int64) * count + own.dependencies.before)
    look()
    after, before = np.divmod(keys, count)
    different = after != before
    after, before = after[different], before[different]
    look()
    timed = (when.start[before] >= 0) & (when.start[after] >= 0)
    in_time = when.end[before] <= when.start[after] + TOLERANCE
    kept = timed & in_time & (when.start[before] < when.start[after])
    return Pairs(before, after, timed, kept, timed & ~in_time)
