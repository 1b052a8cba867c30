"""When each tile was busy: steps placed in time, with their measured or estimated cycles per tile."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.poplar.counting import Measured, counted
from app.analysis.poplar.numbers import row_maxima
from app.analysis.poplar.runs import counts
from app.language import tr
from app.profile.arrays import F64, I64, Integers
from app.profile.poplar import ExchangeKind, Steps
from app.profile.profile import Profile

Given: TypeAlias = Literal["measured", "estimate", "exact"]
ORDER: Final = ("OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy")
_KINDS: Final[dict[str, ExchangeKind]] = {"DoExchange": "internal", "GlobalExchange": "external", "StreamCopy": "host"}
_MEASURED: Final[dict[str, Measured]] = {"GlobalExchange": "external_exchanges", "StreamCopy": "host_exchanges"}


class Part(Struct, frozen=True, eq=False):
    """The steps of one type. ``matrix`` [rows, tiles]: cycles, each row to be divided by ``runs`` (int64[rows], 1
    except for sums over executions); ``start``: float64[steps], ascending, cycles; ``row``, ``step``: int64[steps];
    ``stop``: float64, when the last tile ends, ``reach``: the running maximum of ``stop``; ``words``: the source of the
    cycles."""

    type: str
    given: Given
    words: str
    matrix: Integers
    runs: I64
    start: F64
    row: I64
    step: I64
    stop: F64
    reach: F64

    def cycles(self, place: int, tile: int) -> float:
        """How many cycles the tile is busy in the step at index ``place``."""
        row = int(self.row[place])
        return float(self.matrix[row, tile]) / float(self.runs[row])

    def at(self, tile: int, moment: float) -> int:
        """The index of the last step in which the tile is busy at that moment, -1 for none."""
        low, high = self.between(moment, moment)
        for place in range(high - 1, max(low, high - _LOOKED_AT) - 1, -1):
            if self.start[place] <= moment < self.start[place] + self.cycles(place, tile):
                return place
        return -1

    def between(self, begin: float, end: float) -> tuple[int, int]:
        """A range of indices that contains all steps that overlap the time range (and possibly others)."""
        low = int(np.searchsorted(self.reach, begin, "left"))
        return low, max(low, int(np.searchsorted(self.start, end, "right")))


_LOOKED_AT: Final = 200


class TileTime(Struct, frozen=True, eq=False):
    """``end``: when the last step ends; ``parts`` in ORDER, at least one; ``without``: types of steps that ran but have
    no cycles per tile in the file."""

    tiles: int
    start: float
    end: float
    parts: tuple[Part, ...]
    without: tuple[str, ...] = ()


def tile_time(profile: Profile) -> TileTime | None:
    """The busy times; None if no step with a place in time has known cycles per tile."""
    steps = profile.steps
    if steps is None or not len(steps):
        return None
    parts: list[Part] = []
    for kind in ORDER:
        part = _part(profile, steps, kind)
        if part is not None and (not parts or part.matrix.shape[1] == parts[0].matrix.shape[1]):
            parts.append(part)
    if not parts:
        return None
    start = min(float(part.start[0]) for part in parts)
    end = max(float(part.reach[-1]) for part in parts)
    drawn = {part.type for part in parts}
    without = tuple(kind for kind in ORDER if kind not in drawn and len(steps.of_type(kind)))
    return TileTime(parts[0].matrix.shape[1], start, end, tuple(parts), without)


def offered(profile: Profile) -> bool:
    """Whether ``tile_time`` has data, without computing it."""
    steps = profile.steps
    if steps is None or not len(steps):
        return False
    return any(_source(profile, kind) is not None and len(steps.of_type(kind)) > 0 for kind in ORDER)


def _source(profile: Profile, kind: str) -> tuple[Integers, Given, Measured | None] | None:
    """(cycles per tile, how they are known, the key under which they were measured)."""
    measured, estimate = _of_sets(profile) if kind == "OnTileExecute" else _of_exchanges(profile, kind)
    if measured is not None and measured.ndim == 2 and measured.size:
        return measured, "measured", _MEASURED.get(kind, "compute_sets")
    if estimate is not None and estimate.size:
        return estimate, "exact" if kind == "DoExchange" else "estimate", None
    return None


def _of_sets(profile: Profile) -> tuple[Integers | None, Integers | None]:
    own, sets = profile.measured_cycles, profile.compute_sets
    return None if own is None else own.compute_sets, None if sets is None else sets.cycles


def _of_exchanges(profile: Profile, kind: str) -> tuple[Integers | None, Integers | None]:
    own, listed = profile.measured_cycles, profile.exchanges.of(_KINDS[kind]) if profile.exchanges is not None else None
    measured = None
    if own is not None and kind in _MEASURED:
        measured = own.external_exchanges if kind == "GlobalExchange" else own.host_exchanges
    return measured, None if listed is None else listed.cycles


def _part(profile: Profile, steps: Steps, kind: str) -> Part | None:
    source = _source(profile, kind)
    if source is None:
        return None
    matrix, known_by, key = source
    index = steps.compute_set if kind == "OnTileExecute" else steps.exchange
    chosen = steps.of_type(kind)
    chosen = chosen[(index[chosen] >= 0) & (index[chosen] < len(matrix)) & (steps.cycles_from[chosen] >= 0)]
    if not len(chosen):
        return None
    chosen = chosen[np.argsort(steps.cycles_from[chosen], kind="stable")]
    row, start = index[chosen].astype(np.int64), steps.cycles_from[chosen].astype(np.float64)
    runs, words = (
        np.ones(len(matrix), np.int64),
        {"exact": tr("from the graph"), "estimate": tr("estimate")}.get(known_by, ""),
    )
    counting = None if key is None else counted(profile, key)
    if counting is not None:
        words = tr("measured, {counting}", counting=counting.label)
        if counting.counting == "total":
            runs = np.maximum(counts(index[steps.of_type(kind)], len(matrix)), 1)
            words = tr("{words}; every execution is drawn as the mean", words=words)
        elif counting.counting == "last":
            words = tr("{words}; every execution is drawn like the last one", words=words)
        elif counting.counting != "once":
            words = tr("{words}; every execution is drawn with the stored values", words=words)
    stop = start + row_maxima(matrix)[row] / runs[row]
    return Part(kind, known_by, words, matrix, runs, start, row, chosen, stop, np.maximum.accumulate(stop))
