"""Whether measured cycles are those of the last execution or the sum of all: undocumented, so inferred from the
file."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.poplar.numbers import row_maxima
from app.language import tr
from app.profile.arrays import I64, combine_at
from app.profile.profile import Profile

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
