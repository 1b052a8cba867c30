"""Utilisation of the computing units: the share of cycles in which they worked."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import F64, I64, Integers
from app.profile.ascend import PERCENT_UNIT, MemoryPaths
from app.profile.profile import Profile
from app.profile.strings import Strings, taken

UNITS = {0: "µs", 1: "instructions", 2: "B", PERCENT_UNIT: "%", 4: "operations"}
"""Ascend operator files, section 2.8."""


def shares(profile: Profile, rows: I64 | None = None) -> F64:
    """float64[rows] percent of these rows (default: all), NaN where a row is no share: 100 · cycles / total cycles
    where the memory graph knows the sub-block's total, else what the file says."""
    workload = profile.workload
    if workload is None:
        return np.empty(0)
    totals = total_cycles(profile, rows)
    which = slice(None) if rows is None else rows
    with np.errstate(divide="ignore", invalid="ignore"):
        exact = np.where(totals > 0, 100.0 * workload.cycles[which] / totals, np.nan)
    return np.where(workload.is_share[which], np.where(np.isnan(exact), workload.value[which], exact), np.nan)


def total_cycles(profile: Profile, rows: I64 | None = None) -> F64:
    """float64[rows]: the cycles of the sub-block of each of these rows (default: all), as the memory graph has them;
    NaN unknown."""
    workload = profile.workload
    if workload is None:
        return np.empty(0)
    block, part = workload.block, workload.sub_block
    if rows is not None:
        block, part = block[rows], part[rows]
    paths = profile.memory_paths
    return _totals(workload.strings, block, part, paths) if paths else np.full(len(block), np.nan)


def sub_block_unit(sub_block: str) -> int:
    """Which column of the memory graph's unit cycles belongs to a sub-block: 0 cube, 1 vector, 2 vector 1; -1
    none."""
    lowered = sub_block.lower()
    if lowered.startswith(("cube", "aic")) and lowered != "aicore":
        return 0
    if lowered.startswith(("vector", "aiv")):
        return 2 if lowered.endswith("1") else 1
    return -1


def _totals(strings: Strings, block: Integers, sub_block: Integers, paths: MemoryPaths) -> F64:
    """float64[rows]: total cycles of each row's sub-block, NaN unknown. ``block``, ``sub_block``: int[rows], ids in
    ``strings``."""
    codes, row_of = np.unique(block, return_inverse=True)
    row_of = _rows_of(taken(strings, codes).tolist(), paths)[row_of]
    parts, unit_of = np.unique(sub_block, return_inverse=True)
    unit_of = np.array([sub_block_unit(strings.get(code)) for code in parts.tolist()], np.int64)[unit_of]
    known = (row_of >= 0) & (unit_of >= 0)
    totals = paths.blocks.unit_total_cycles
    if not len(totals):
        return np.full(len(row_of), np.nan)
    return np.where(known, totals[row_of, unit_of], np.nan)


def _rows_of(blocks: list[str], paths: MemoryPaths) -> I64:
    """int64[blocks]: the row of the memory graph for each block, the last of several; -1 none. One block is searched
    without decoding the texts of all."""
    if len(blocks) == 1:
        rows = np.flatnonzero(np.isin(paths.blocks.block, paths.strings.find(blocks[0]) if blocks[0] else [-1]))
        return rows[-1:] if len(rows) else np.full(1, -1, np.int64)
    row_of = {text: row for row, text in enumerate(taken(paths.strings, paths.blocks.block).tolist())}
    return np.array([row_of.get(text, -1) for text in blocks], np.int64)
