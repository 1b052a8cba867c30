"""Utilisation of the computing units: the share of cycles in which they worked."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64
from app.profile.memory_paths import MemoryPaths
from app.profile.profile import Profile
from app.profile.workload import PERCENT_UNIT, Workload

UNITS = {0: "µs", 1: "instructions", 2: "B", PERCENT_UNIT: "%", 4: "operations"}
"""Ascend operator files, section 2.8."""


def shares(profile: Profile) -> F64:
    """float64[rows] percent, NaN where a row is no share: 100 · cycles / total cycles where the memory graph
    knows the sub-block's total, else what the file says."""
    workload = profile.workload
    if workload is None:
        return np.empty(0)
    totals = total_cycles(profile)
    with np.errstate(divide="ignore", invalid="ignore"):
        exact = np.where(totals > 0, 100.0 * workload.cycles / totals, np.nan)
    return np.where(workload.is_share, np.where(np.isnan(exact), workload.value, exact), np.nan)


def total_cycles(profile: Profile) -> F64:
    """float64[rows]: the cycles of each row's sub-block, as the memory graph has them; NaN unknown."""
    workload = profile.workload
    if workload is None:
        return np.empty(0)
    return _totals(workload, profile.memory_paths) if profile.memory_paths else np.full(len(workload.block), np.nan)


def sub_block_unit(sub_block: str) -> int:
    """Which column of the memory graph's unit cycles belongs to a sub-block: 0 cube, 1 vector, 2 vector 1; -1
    none."""
    lowered = sub_block.lower()
    if lowered.startswith(("cube", "aic")) and lowered != "aicore":
        return 0
    if lowered.startswith(("vector", "aiv")):
        return 2 if lowered.endswith("1") else 1
    return -1


def _totals(workload: Workload, paths: MemoryPaths) -> F64:
    """float64[rows]: total cycles of each row's sub-block, NaN unknown."""
    blocks = {paths.strings.get(code): row for row, code in enumerate(paths.blocks.block.tolist())}
    row_of = np.array([*(blocks.get(text, -1) for text in workload.strings), -1])[workload.block]
    unit_of = np.array([*map(sub_block_unit, workload.strings), -1])[workload.sub_block]
    known = (row_of >= 0) & (unit_of >= 0)
    totals = paths.blocks.unit_total_cycles
    if not len(totals):
        return np.full(len(row_of), np.nan)
    return np.where(known, totals[row_of, unit_of], np.nan)
