"""How often things ran, and how long they took."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import F64, I32, I64, combine_at, distinct
from app.profile.poplar import STEP_TYPES, TILE_CYCLE_KINDS, Execution, Steps
from app.profile.profile import Profile, Target


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
