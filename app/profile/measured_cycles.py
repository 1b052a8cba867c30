"""Cycles per tile as the hardware counted them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.profile.arrays import Integers


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MeasuredCycles:
    """Poplar profiling data format, 7.2.1; each exists in one profiler mode only, None in the others.

    ``compute_sets`` [sets, tiles], ``external_exchanges`` and ``host_exchanges`` [exchanges, tiles]: narrow whole
    numbers, cycles. ``compute_sets_single`` [sets]: cycles on all tiles together, measured with a sync before
    and after. Whether a value is the last execution or the sum of all is not documented.
    """

    SECTION: ClassVar[str] = "measured_cycles"
    compute_sets: Integers | None = None
    compute_sets_single: Integers | None = None
    external_exchanges: Integers | None = None
    host_exchanges: Integers | None = None
