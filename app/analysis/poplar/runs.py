"""How often things ran and how long they took, in a range of the run, and what all tiles spent its cycles on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, combine_at, distinct
from app.profile.poplar import STEP_TYPES, TILE_CYCLE_KINDS, Execution, Steps
from app.profile.profile import Profile, Target
from app.profile.selection import TimeRange


def counts(indices: I32, size: int) -> I64:
    """int64[size]: how often each index occurs; indices out of range are ignored."""
    inside = indices[(indices >= 0) & (indices < size)]
    return np.bincount(inside, minlength=size).astype(np.int64)


def knows_compute_sets(steps: Steps) -> bool:
    """Whether the steps that compute say which compute set they run; True if there are none."""
    computing = steps.of_type("OnTileExecute")
    return not len(computing) or bool(np.any(steps.compute_set[computing] >= 0))


def executions_of_programs(profile: Profile) -> I64 | None:
    """int64[programs]: how often each program occurs in the trace; None without a trace."""
    if profile.programs is None or profile.execution is None or profile.execution.trace is None:
        return None
    return counts(profile.execution.trace, len(profile.programs))


def sums_of_steps(index: I32, values: I64, size: int) -> I64:
    """int64[size]: sum of ``values`` (negative: unknown) over the steps with each index; -1 if there are steps but none
    has a value."""
    known = (index >= 0) & (index < size)
    out = np.where(np.bincount(index[known], minlength=size) > 0, -1, 0).astype(np.int64)
    inside = known & (values >= 0)
    out[index[inside]] = 0
    combine_at(np.add, out, index[inside], values[inside])
    return out


class TypeTotal(Struct, frozen=True):
    """Totals of the steps of one type: ``cycles`` is the sum of their cycles (steps overlap, so the types may add up to
    more than the run), ``busy`` the length of the union of their spans; None if no step has any."""

    type: str
    steps: int
    cycles: int | None
    busy: int | None
    overlapped: int | None
    data: int | None


def type_totals(steps: Steps) -> list[TypeTotal]:
    """The totals of each type that has steps, known types first, in their order."""
    names = [(steps.strings.get(kind, tr("without type")), kind) for kind in distinct(steps.type).tolist()]
    order = {name: place for place, name in enumerate(STEP_TYPES)}
    names.sort(key=lambda pair: (order.get(pair[0], len(order)), pair[0]))
    return [_type_total(name, steps, np.flatnonzero(steps.type == kind)) for name, kind in names]


def _type_total(name: str, steps: Steps, rows: I64) -> TypeTotal:
    timed = rows[(steps.cycles_from[rows] >= 0) & (steps.cycles_to[rows] >= 0)]
    busy = None
    if len(timed):
        busy = union(steps.cycles_from[timed].astype(np.float64), steps.cycles_to[timed].astype(np.float64))
    return TypeTotal(
        name,
        len(rows),
        _sum(steps.cycles[rows]),
        None if busy is None else int(busy),
        _sum(steps.overlapped[rows]),
        _sum(steps.data[rows]),
    )


def _sum(values: I64) -> int | None:
    known = values[values >= 0]
    return int(known.sum()) if len(known) else None


def union(start: F64, end: F64) -> float:
    """Length of the union of the intervals [start, end)."""
    order = np.argsort(start, kind="stable")
    start, end = start[order], np.maximum.accumulate(end[order])
    return float(np.sum(np.maximum(0, end - np.maximum(start, np.concatenate(([-np.inf], end[:-1]))))))


class TileCycles(Struct, frozen=True):
    """Whether the cycles of all tiles by kind add up to the length of the run times the tiles.

    ``expected`` is None if cycles or tiles are unknown; ``missing``: kinds that were not measured.
    """

    total: int
    expected: int | None
    missing: tuple[str, ...]

    @property
    def holds(self) -> bool | None:
        """None if it cannot be checked."""
        return None if self.expected is None or self.missing else self.total == self.expected


def tile_cycles(execution: Execution, tiles: int | None) -> TileCycles:
    """compute + doExchange + globalExchange + streamCopy + copySharedStructure + sync = cycles x tiles; waiting
    counts as sync, and activeCompute is a part of compute (holds in real reports up to Poplar 2.x)."""
    stated = execution.tile_cycles
    expected = None if execution.cycles is None or not tiles else execution.cycles * tiles
    return TileCycles(
        sum(stated.get(kind, 0) for kind in TILE_CYCLE_KINDS),
        expected,
        tuple(kind for kind in TILE_CYCLE_KINDS if kind not in stated),
    )


def tiles_of_run(profile: Profile) -> int | None:
    """The number of tiles over which the cycles of all tiles were added up: the length of arrays per tile (those of one
    replica if the graph is replicated), else the tiles of the target."""
    measured = profile.measured_cycles
    for matrix in (measured.compute_sets, measured.external_exchanges, measured.host_exchanges) if measured else ():
        if matrix is not None and len(matrix):
            return int(matrix.shape[1])
    if profile.tile_memory is not None:
        return profile.tile_memory.tiles
    return None if profile.target is None else profile.target.tiles


def bandwidth(steps: Steps, target: Target | None) -> F64:
    """float64[steps]: bytes per second of each exchange (data / (cycles / clock)), NaN if unknown."""
    out = np.full(len(steps), np.nan)
    if target is not None and target.clock_hz:
        known = (steps.data >= 0) & (steps.cycles > 0)
        out[known] = steps.data[known] / (steps.cycles[known] / target.clock_hz)
    return out


class Inside(Struct, frozen=True, eq=False):
    """The steps that overlap a range: ``steps``: int64, ascending; ``share``: float64, 0..1, the part of each that is
    inside (1 for a zero-length step); ``whole``: bool, whether all of it is inside, and it ends within the run."""

    steps: I64
    share: F64
    whole: Bool


def inside(profile: Profile, stretch: TimeRange | None) -> Inside:
    """Uses the slices of the steps on the timeline; all steps if no range is set (or there is no timeline)."""
    steps, line = profile.steps, profile.timeline
    count = 0 if steps is None else len(steps)
    if stretch is None or line is None or line.unit != "cycles":
        return Inside(np.arange(count, dtype=np.int64), np.ones(count), ~_past_the_run(profile))
    slices = line.slices
    start, end = slices.start, slices.start + slices.duration
    cut = np.minimum(end, stretch.end) - np.maximum(start, stretch.start)
    part = np.divide(np.maximum(cut, 0.0), slices.duration, out=np.ones(len(start)), where=slices.duration > 0)
    touching = (cut > 0) | ((slices.duration == 0) & (cut >= 0))
    touching &= (slices.record >= 0) & (slices.record < count)
    order = np.argsort(slices.record[touching], kind="stable")
    rows, share = slices.record[touching][order], part[touching][order]
    return Inside(rows, share, (share >= 1.0) & ~_past_the_run(profile)[rows])


def _past_the_run(profile: Profile) -> Bool:
    """bool[steps]: those whose last cycle is after the end of the run that the file states."""
    steps, run = profile.steps, profile.execution
    if steps is None or run is None or not run.cycles:
        return np.zeros(0 if steps is None else len(steps), np.bool_)
    return np.asarray(steps.cycles_to > run.cycles)


def runs_inside(profile: Profile, index: I32, size: int, stretch: TimeRange | None) -> I64:
    """int64[size]: how many steps with each index overlap the range (None: all of them)."""
    return counts(index if stretch is None else index[inside(profile, stretch).steps], size)


OF_STEP: Final[dict[str, str]] = {
    "OnTileExecute": "compute",
    "DoExchange": "doExchange",
    "GlobalExchange": "globalExchange",
    "StreamCopy": "streamCopy",
    "CopySharedStructure": "copySharedStructure",
}
"""The kind of cycles of each step type; cycles outside of steps are waiting, which counts as sync."""
TYPES: Final = {kind: step for step, kind in OF_STEP.items()}
SWITCHES: Final[dict[str, str]] = {
    "compute": "debug.instrumentCompute",
    "activeCompute": "debug.instrumentCompute",
    "globalExchange": "debug.instrumentExternalExchange",
    "streamCopy": "debug.instrumentHostExchange",
}
"""The engine option required to measure each kind."""
FORMULA: Final = tr("Sum of tile balance x cycles x tiles over the steps. The rest is sync and waiting.")


class Spent(Struct, frozen=True):
    """Cycles of all tiles by kind, only known kinds. ``stated``: by the file, for the whole run; ``of_steps``: from the
    balances of the steps in the range, with sync as the remainder of ``whole``. ``whole``: cycles of the range (or the
    run) x ``tiles``, None if either is unknown. ``unknown``: steps with cycles, but without a balance."""

    stated: dict[str, int]
    of_steps: dict[str, float]
    tiles: int | None
    whole: float | None
    unknown: int

    @property
    def left(self) -> float | None:
        """``whole`` minus the sum of the file's kinds (negative if they exceed it); None if unknown."""
        if self.whole is None or any(kind not in self.stated for kind in TILE_CYCLE_KINDS):
            return None
        return self.whole - sum(self.stated[kind] for kind in TILE_CYCLE_KINDS)


def has_spent(profile: Profile) -> bool:
    """Whether ``spent`` has a result; cheap."""
    run, steps = profile.execution, profile.steps
    if run is not None and run.tile_cycles:
        return True
    return (
        steps is not None
        and bool(tiles_of_run(profile))
        and bool(np.any((steps.cycles >= 0) & (steps.tile_balance >= 0)))
    )


def not_measured(stated: Mapping[str, object]) -> dict[str, str]:
    """The engine option for each kind that ``stated`` lacks and that an option would have measured."""
    return {kind: option for kind, option in SWITCHES.items() if kind not in stated and kind != "activeCompute"}


def spent(profile: Profile, stretch: TimeRange | None = None) -> Spent | None:
    """The cycles by kind; None if the profile has no data for it."""
    run, steps, tiles = profile.execution, profile.steps, tiles_of_run(profile)
    stated = dict(run.tile_cycles) if run is not None and stretch is None else {}
    cycles = stretch.end - stretch.start if stretch is not None else None if run is None else run.cycles
    whole = None if cycles is None or not tiles else float(cycles * tiles)
    of_steps, unknown = _of_steps(profile, tiles, stretch) if steps is not None and tiles else ({}, 0)
    if whole is not None and of_steps and not unknown:
        of_steps["sync"] = whole - sum(of_steps.values())
    return Spent(stated, of_steps, tiles, whole, unknown) if stated or of_steps else None


def _of_steps(profile: Profile, tiles: int, stretch: TimeRange | None) -> tuple[dict[str, float], int]:
    """(cycles of all tiles by kind, number of steps with cycles but no balance). The balance of a step is the sum over
    its tiles / (the longest x all tiles) (Semantics, section 1)."""
    steps = profile.steps
    if steps is None:
        return {}, 0
    part = inside(profile, stretch)
    own, balance = steps.cycles[part.steps], steps.tile_balance[part.steps]
    idle = own == 0
    known = (own >= 0) & (~np.isnan(balance) | idle)
    amounts = np.where(known & ~idle, own * np.nan_to_num(balance) * tiles * part.share, 0.0)
    sums: dict[str, float] = {}
    for type_id in distinct(steps.type[part.steps]).tolist():
        kind = OF_STEP.get(steps.strings.get(type_id))
        mine = steps.type[part.steps] == type_id
        if kind is not None and bool(np.any(known & mine)):
            sums[kind] = float(amounts[mine].sum())
    return sums, int(np.sum((own > 0) & ~known))
