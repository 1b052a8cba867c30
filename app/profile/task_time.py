"""How long a timeline is, compared with the task that it shows (Ascend operator reports, section 5, rule 3)."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64, combine_at, distinct
from app.profile.ascend import Operator
from app.profile.ascend_report import ReportTables
from app.profile.profile import Target
from app.profile.timeline import Timeline

LONGER: Final = 1.1
"""A timeline that is this many times as long as its task is of another run, or its times have another unit."""
CONFIRMED_SECONDS: Final = 128e-6
"""Times up to this, stored as 32-bit floats, still tell cycles apart."""
WHOLE: Final = 0.05
"""So far from whole cycles a time may be that lies on the grid of a clock."""
FEWEST: Final = 8
_REPLAY: Final = re.compile(r"replay\d+")
_METRICS: Final = "ArchDiagramMetrics"
_SECONDS: Final = "exec_time_secs"


class TaskTime(Struct, frozen=True):
    """``span``: last end minus first start of one replay, in the timeline's unit; ``seconds``: the same; ``task``: what
    the task took, in seconds; ``clock_hz``: the clock of the profile that converts cycles of a timeline without a clock
    of its own, else None."""

    span: float
    seconds: float
    task: float
    clock_hz: float | None = None

    @property
    def times(self) -> float:
        """How many times as long as the task the timeline is."""
        return self.seconds / self.task

    @property
    def longer(self) -> bool:
        """Whether the timeline cannot be that of the task."""
        return self.times > LONGER


def task_time(
    timeline: Timeline | None, operator: Operator | None, target: Target | None, tables: ReportTables | None = None
) -> TaskTime | None:
    """Both lengths; None where one of them is not known."""
    task = _task_seconds(operator, tables)
    if timeline is None or not task or not len(timeline.slices.start):
        return None
    seconds, clock = timeline.seconds_per_unit, None
    if seconds is None and target is not None and target.clock_hz:
        clock = target.clock_hz
        seconds = 1 / clock
    if not seconds:
        return None
    span = _longest_replay(timeline)
    return TaskTime(span, span * seconds, task, clock)


def on_grid(timeline: Timeline, clock_hz: float | None) -> bool:
    """Whether the starts of slices are whole cycles of the clock, which confirms their unit. Never for times that are
    whole in their own unit, which lie on many grids, and for fewer than FEWEST different ones."""
    if not clock_hz or not timeline.seconds_per_unit or timeline.unit == "cycles" or timeline.origin:
        return False
    start = timeline.slices.start
    first = distinct(start[(start > 0) & (start * timeline.seconds_per_unit < CONFIRMED_SECONDS)])
    first = first[first % 1 != 0]
    cycles = first * (timeline.seconds_per_unit * clock_hz)
    return len(first) >= FEWEST and bool(np.all(np.abs(cycles - np.rint(cycles)) <= WHOLE))


def _task_seconds(operator: Operator | None, tables: ReportTables | None) -> float | None:
    """The duration of the operator, else the simulator's."""
    if operator is not None and operator.duration_us:
        return operator.duration_us * 1e-6
    table = None if tables is None else tables.named_like(_METRICS)
    columns = () if table is None else table.columns
    for column in columns:
        values = column.values.reshape(-1)
        if column.name == _SECONDS and values.dtype.kind == "f" and len(values) and values[0] > 0:
            return float(values[0])
    return None


def _longest_replay(timeline: Timeline) -> float:
    """The span of the longest replay: each counts from a zero of its own."""
    lanes, slices = timeline.lanes, timeline.slices
    first: I64 = slices.first[lanes.first_row]
    full = np.flatnonzero(np.diff(first) > 0)
    start = np.minimum.reduceat(slices.start, first[full])
    end = np.maximum.reduceat(slices.start + slices.duration, first[full])
    replay = _replays(timeline, full)
    count = int(replay.max()) + 1
    begins: F64 = np.full(count, np.inf)
    ends: F64 = np.full(count, -np.inf)
    combine_at(np.minimum, begins, replay, start)
    combine_at(np.maximum, ends, replay, end)
    return float((ends - begins).max())


def _replays(timeline: Timeline, lanes: I64) -> I64:
    """int64[lanes]: the number of the replay that each of ``lanes`` belongs to; 0 for those that name none."""
    process, place = np.unique(timeline.lanes.process[lanes], return_inverse=True)
    numbers: dict[str, int] = {"": 0}
    of_process = []
    for name in process.tolist():
        text = timeline.strings.get(int(name)) if name >= 0 else ""
        match = _REPLAY.search(text)
        of_process.append(numbers.setdefault(text[: match.end()] if match else "", len(numbers)))
    return np.array(of_process, np.int64)[place.reshape(-1)]
