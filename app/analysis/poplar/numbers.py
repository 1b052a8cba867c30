"""Formulas for figures per tile, and whether measured cycles are those of the last execution or the sum of all:
undocumented, so inferred from the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import I64, Array, Integers, combine_at
from app.profile.profile import Profile, Target

BLOCK_CELLS = 1 << 20


def blocks(rows: int, columns: int) -> Iterator[slice]:
    """Slices over the rows of a matrix, each of about a million cells, so that intermediate arrays stay small."""
    step = max(1, BLOCK_CELLS // max(columns, 1))
    return (slice(at, min(at + step, rows)) for at in range(0, rows, step))


def row_sums(matrix: Integers) -> I64:
    """int64[rows]."""
    sums: I64 = matrix.sum(axis=1, dtype=np.int64)
    return sums


def row_maxima(matrix: Integers) -> I64:
    """int64[rows], 0 for empty rows."""
    maxima: I64 = matrix.max(axis=1, initial=0).astype(np.int64)
    return maxima


def active_columns(matrix: Integers) -> I64:
    """int64[rows]: the number of cells above zero in each row."""
    out = np.empty(len(matrix), np.int64)
    for part in blocks(*matrix.shape):
        out[part] = np.count_nonzero(matrix[part] > 0, axis=1)
    return out


def ipu_of_tiles(target: Target | None, tiles: int) -> I64 | None:
    """int64[tiles]: the IPU of each tile (tile // tiles per IPU), None if unknown."""
    if target is None or not target.tiles_per_ipu or target.tiles_per_ipu < 0:
        return None
    return np.arange(tiles, dtype=np.int64) // target.tiles_per_ipu


def sync_delays(target: Target) -> I64 | None:
    """int64[tiles of one IPU]: cycles from a tile's sync request to its release (smallest delay + the tile's own,
    the same on every IPU: Poplar profiling data format, 7.1.1)."""
    if target.relative_sync_delay is None or target.min_sync_delay is None:
        return None
    return target.relative_sync_delay.astype(np.int64) + target.min_sync_delay


def padded(values: Array, count: int, missing: Array | None = None) -> tuple[Array, Array]:
    """(values, mask of the missing ones), both ``count`` long: lists of one file may differ in length."""
    out = np.zeros(count, values.dtype)
    absent = np.ones(count, np.bool_)
    size = min(count, len(values))
    out[:size] = values[:size]
    absent[:size] = False if missing is None else missing[:size]
    return out, absent


Measured: TypeAlias = Literal["compute_sets", "compute_sets_single", "external_exchanges", "host_exchanges"]
Counting: TypeAlias = Literal["last", "total", "once", "mixed", "neither", "unknown"]

WHAT: Final[dict[Measured, str]] = {
    "compute_sets": tr("compute sets"),
    "compute_sets_single": tr("compute sets"),
    "external_exchanges": tr("external exchanges"),
    "host_exchanges": tr("host exchanges"),
}
_REPEATED: Final[dict[Measured, str]] = {
    "compute_sets": tr("compute sets that ran more than once"),
    "compute_sets_single": tr("compute sets that ran more than once"),
    "external_exchanges": tr("external exchanges that ran more than once"),
    "host_exchanges": tr("host exchanges that ran more than once"),
}
LABELS: Final[dict[Counting, str]] = {
    "last": tr("last execution"),
    "total": tr("sum of all executions"),
    "once": tr("each ran once"),
    "mixed": tr("last execution or sum, varying"),
    "neither": tr("neither the last execution nor the sum"),
    "unknown": tr("last execution or sum, unknown"),
}
_TYPES: Final[dict[Measured, str]] = {"external_exchanges": "GlobalExchange", "host_exchanges": "StreamCopy"}


class Counted(Struct, frozen=True):
    """What a measured matrix contains. ``several``: rows that ran more than once, the only ones that can tell; of these
    ``last`` are as long as one step, ``total`` as the sum of all their steps."""

    measured: Measured
    counting: Counting
    several: int
    last: int
    total: int

    @property
    def label(self) -> str:
        """A short description, for titles."""
        return LABELS[self.counting]

    @property
    def words(self) -> str:
        """A sentence that explains the result."""
        what = _REPEATED[self.measured]
        if self.counting == "unknown":
            return tr(
                "There are no steps, so it is unknown whether the values are those of the last execution or of all "
                "executions."
            )
        if self.counting == "once":
            return tr("There are no {what}, so the last execution equals the sum of all.", what=what)
        if self.counting == "last":
            return tr(
                "The values are those of the last execution. For all {several:,} {what}, the longest tile takes as "
                "long as one step.",
                several=self.several,
                what=what,
            )
        if self.counting == "total":
            return tr(
                "The values are sums over all executions. For all {several:,} {what}, the longest tile takes as long "
                "as all steps together.",
                several=self.several,
                what=what,
            )
        neither = self.several - self.last - self.total
        return tr(
            "For {several:,} {what}, the longest tile takes as long as one step in {last:,} cases, as long as all "
            "steps together in {total:,}, and neither in {neither:,}: it is unknown what the values count.",
            several=self.several,
            what=what,
            last=self.last,
            total=self.total,
            neither=neither,
        )


def counted(profile: Profile, measured: Measured) -> Counted | None:
    """Compares the longest tile of each row with the cycles of the steps that ran it (which are those of the longest
    tile too). None if nothing of that kind was measured."""
    own = profile.measured_cycles
    matrix = None if own is None else getattr(own, measured)
    if matrix is None:
        return None
    steps = profile.steps
    if steps is None or not len(steps):
        return Counted(measured, "unknown", 0, 0, 0)
    longest = row_maxima(matrix) if matrix.ndim == 2 else matrix.astype(np.int64)
    rows = steps.of_type(_TYPES[measured]) if measured in _TYPES else np.arange(len(steps))
    index = (steps.exchange if measured in _TYPES else steps.compute_set)[rows].astype(np.int64)
    return _compared(measured, longest, index, steps.cycles[rows])


def _compared(measured: Measured, longest: I64, index: I64, cycles: I64) -> Counted:
    inside = (index >= 0) & (index < len(longest))
    unsure = np.zeros(len(longest), np.bool_)
    unsure[index[inside & (cycles < 0)]] = True
    inside &= cycles >= 0
    index, cycles = index[inside], cycles[inside]
    runs = np.bincount(index, minlength=len(longest))
    total = np.zeros(len(longest), np.int64)
    combine_at(np.add, total, index, cycles)
    as_one = np.zeros(len(longest), np.bool_)
    as_one[index[cycles == longest[index]]] = True
    several = (runs > 1) & ~unsure & (longest > 0)
    last, whole = int(np.sum(several & as_one)), int(np.sum(several & ~as_one & (longest == total)))
    count = int(several.sum())
    return Counted(measured, _verdict(count, last, whole), count, last, whole)


def _verdict(several: int, last: int, total: int) -> Counting:
    if not several:
        return "once"
    if last == several:
        return "last"
    if total == several:
        return "total"
    return "mixed" if last + total == several else "neither"
