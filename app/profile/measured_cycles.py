"""Cycles per tile as measured by the hardware."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import Integers


class MeasuredCycles(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.2.1; each field exists in one profiler mode only and is None in the others.

    ``compute_sets`` [sets, tiles], ``external_exchanges`` and ``host_exchanges`` [exchanges, tiles]: cycles as narrow
    integers. ``compute_sets_single`` [sets]: cycles of all tiles together, measured with a sync before and after. It is
    not documented whether a value is that of the last execution or the sum of all.
    """

    SECTION: ClassVar[str] = "measured_cycles"
    compute_sets: Integers | None = None
    compute_sets_single: Integers | None = None
    external_exchanges: Integers | None = None
    host_exchanges: Integers | None = None
