"""Kernels of a capture by type and core, and what bounds them by their counters (Ascend captures, section 5)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.capture.ranks import groups_of, once, same_texts
from app.profile.arrays import F64, I64, Bool
from app.profile.ascend_capture import Kernels
from app.profile.profile import Profile

VECTOR_CORES: Final = ("AI_VECTOR_CORE", "MIX_AIV")
CUBE_CORES: Final = ("AI_CORE", "MIX_AIC")
AI_CPU: Final = "AI_CPU"
MEMORY_LIMIT: Final = 0.7
"""The share of its time from which the transfers of a kernel bound it."""
NO_BOUND: Final = 0.8
"""If no unit of the core works for this share of the time, none of them bounds the kernel."""
_VECTOR_MEMORY: Final = ("aiv_mte2_ratio", "aiv_mte3_ratio")
_CUBE_MEMORY: Final = ("aic_mte2_ratio",)
_VECTOR: Final = ("aiv_vec_ratio", *_VECTOR_MEMORY)
_CUBE: Final = ("aic_mac_ratio", *_CUBE_MEMORY, "aic_fixpipe_ratio")


class KernelTypes(Struct, frozen=True, eq=False):
    """One row per rank, type and core. ``row``: int64, one of its kernels; ``of_row``: int64[kernels], the row of each
    kernel."""

    row: I64
    of_row: I64


class Bounds(Struct, frozen=True, eq=False):
    """bool[kernels]: ``measured``: its counters are there; ``memory``: it is bound by memory; ``none``: none of its
    units is busy enough to bound it."""

    measured: Bool
    memory: Bool
    none: Bool


def kernel_types(profile: Profile) -> KernelTypes:
    """Empty without kernels. In the order of rank, then of the texts of the files."""
    return once(profile, _types)


def kernel_type_order(profile: Profile) -> I64:
    """int64: the rows of ``kernel_types`` by rank, the largest total first within one."""
    own, made = profile.kernels, kernel_types(profile)
    if own is None:
        return made.row
    total = np.bincount(made.of_row, timed(own).astype(np.float64), len(made.row))
    return np.lexsort((-total, own.rank[made.row])).astype(np.int64)


def bounds(profile: Profile) -> Bounds:
    """What bounds each kernel."""
    return once(profile, _bounds)


def on_core(own: Kernels, *cores: str) -> Bool:
    """bool[kernels]: which of them ran on one of these ``cores``."""
    chosen = np.zeros(len(own.strings) + 1, np.bool_)
    for core in cores:
        chosen[own.strings.find(core)] = True
    chosen[-1] = False  # -1, no core
    return chosen[own.core]


def timed(own: Kernels) -> I64:
    """int64[kernels]: their durations in nanoseconds, 0 where it is unknown."""
    return np.maximum(own.duration, 0)


def _types(profile: Profile) -> KernelTypes:
    own = profile.kernels
    if own is None:
        none = np.empty(0, np.int64)
        return KernelTypes(none, none)
    same = same_texts(own.strings)
    of_row, first = groups_of(own.rank, same[own.type], same[own.core])
    return KernelTypes(first, of_row)


def _bounds(profile: Profile) -> Bounds:
    own = profile.kernels
    nothing = np.zeros(0 if own is None else len(own), np.bool_)
    if own is None:
        return Bounds(nothing, nothing, nothing)
    measured, memory, none = nothing.copy(), nothing.copy(), nothing.copy()
    for cores, transfers, units in ((VECTOR_CORES, _VECTOR_MEMORY, _VECTOR), (CUBE_CORES, _CUBE_MEMORY, _CUBE)):
        here = on_core(own, *cores)
        moved, worked = _highest(own, transfers), _highest(own, units)
        measured |= here & ~np.isnan(moved)
        memory |= here & (moved >= MEMORY_LIMIT)
        none |= here & (worked < NO_BOUND) & (moved < MEMORY_LIMIT)
    return Bounds(measured, memory, none)


def _highest(own: Kernels, names: tuple[str, ...]) -> F64:
    """float64[kernels]: the largest of these counters; NaN without any."""
    values = np.full(len(own), np.nan)
    for column in own.pmu:
        if column.name.strip().lower() in names and column.numeric:
            values = np.fmax(values, column.of_core(0).astype(np.float64))
    return values
