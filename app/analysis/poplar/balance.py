"""What a run saves at most if steps take less, as if their tiles or threads were level: closed forms, because steps run
one after the other."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.overlaps import COMPUTE
from app.analysis.time.floors import StepFloor, shortened_floor
from app.profile.arrays import F64, I64
from app.profile.poplar import Steps


def cycles_lost(steps: Steps, balance: F64) -> tuple[I64, F64]:
    """The computing steps whose balance is plausible, and float64[steps]: cycles · (1 - balance)."""
    rows = steps.of_type(COMPUTE)
    rows = rows[(steps.cycles[rows] > 0) & (balance[rows] >= 0) & (balance[rows] <= 1)]
    return rows, steps.cycles[rows] * (1 - balance[rows])


def shortened(steps: Steps, rows: I64, saved: F64, cycles: float, other: float = 0.0) -> StepFloor:
    """What remains of a run of ``cycles`` if each of these steps takes ``saved`` less; ``other``: the largest work of
    one resource that stays."""
    start, end, length = (of[rows].astype(np.float64) for of in (steps.cycles_from, steps.cycles_to, steps.cycles))
    return shortened_floor(cycles, start, end, length, saved, other)
