"""Main figures of Ascend operator reports, recomputed from the sums of their tables."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from app.analysis.ascend import durations
from app.analysis.figures.figure import Figure
from app.language import tr
from app.profile.arrays import F64
from app.profile.ascend_report import ReportTables
from app.profile.profile import Profile

BYTES_PER_KB: Final = 1024
_PIPE: Final = re.compile(r"(ai[cv])_(cube|vec|mte\d|fixpipe|scalar)_ratio")
_OPERATIONS: Final = ("aic_cube_fops", "aiv_vec_fops")
_READ, _WRITTEN = "read_main_memory_datas(KB)", "write_main_memory_datas(KB)"
_CONFLICTS: Final = "aiv_vec_total_cflt_ratio"
FROM_SUMS: Final = tr("Sum of the pipe's times over the sum of the times of its cores (PipeUtilization).")
MEAN_RATIO: Final = tr("Mean of the ratios in the file (PipeUtilization), not weighted by the work of the cores.")
BALANCE: Final = tr("1 - population standard deviation / mean of the longest time of each block.")


def figures(profile: Profile) -> list[Figure]:
    """Figures of the whole operator. No row of the tables stands for it, and rates cannot be added up: they are
    recomputed from sums, and means are called so (Ascend operator reports, section 2.1)."""
    tables = profile.report_tables
    if tables is None:
        return []
    return [*_blocks(profile), *_pipes(tables), *_traffic(profile, tables), *_caches(profile), *_conflicts(tables)]


def _blocks(profile: Profile) -> list[Figure]:
    base = profile.operator
    stored = durations.of_blocks(base) if base is not None else np.empty((0, 0))
    stored = stored[~np.isnan(stored).all(axis=1)] if stored.size else stored
    if not stored.size:
        return []
    longest = np.nanmax(stored, axis=1)
    mean = float(longest.mean())
    helped = tr("Mean of the longest time of each block.")
    made = [
        Figure("report.block_time_mean_s", tr("Mean block time"), mean / 1e6, "s", helped),
        Figure("report.block_time_min_s", "", float(longest.min()) / 1e6, "s", helped),
        Figure("report.block_time_max_s", tr("Longest block time"), float(longest.max()) / 1e6, "s", helped),
    ]
    if mean > 0:
        balance = 1.0 - float(longest.std()) / mean
        made.append(Figure("report.balance", tr("Balance of the blocks"), balance, help=BALANCE))
    return made


def _pipes(tables: ReportTables) -> list[Figure]:
    """The share of each pipe in the time of its cores, from sums and as the mean of the ratios."""
    made = []
    table = tables.named_like("PipeUtilization")
    for title in [column.name for column in table.columns] if table else ():
        match = _PIPE.fullmatch(title)
        if match is None:
            continue
        side, pipe = match[1], match[2]
        ratio, time, whole = (
            _column(tables, "PipeUtilization", name) for name in (title, f"{side}_{pipe}_time(us)", f"{side}_time(us)")
        )
        key = f"report.{side}_{pipe}"
        both = ~np.isnan(time) & ~np.isnan(whole) if time.size == whole.size else np.zeros(0, np.bool_)
        if both.any() and whole[both].sum() > 0:
            share = 100.0 * float(time[both].sum() / whole[both].sum())
            label = tr("{pipe} of {side}, from sums", pipe=pipe, side=side)
            made.append(Figure(f"{key}_share", label, share, "%", FROM_SUMS))
        if not np.isnan(ratio).all():
            made.append(Figure(f"{key}_mean_ratio", "", float(np.nanmean(ratio)), help=MEAN_RATIO))
    return made


def _traffic(profile: Profile, tables: ReportTables) -> list[Figure]:
    """Bytes moved, operations, and what a roofline is made from; the files have no peak of the chip, so no roof."""
    read, written = (_sum(_column(tables, "Memory", title)) for title in (_READ, _WRITTEN))
    operations = _sum(np.concatenate([_column(tables, "ArithmeticUtilization", title) for title in _OPERATIONS]))
    made = []
    for key, label, amount in (
        ("read", tr("Read from main memory"), read),
        ("written", tr("Written to main memory"), written),
    ):
        if amount is not None:
            helped = tr("Sum over all rows (Memory).")
            made.append(Figure(f"report.bytes_{key}", label, amount * BYTES_PER_KB, "B", helped))
    if operations is None:
        return made
    helped = tr("Sum of fops over all rows (ArithmeticUtilization).")
    made.append(Figure("report.operations", tr("Operations"), int(operations), help=helped))
    moved = BYTES_PER_KB * ((read or 0.0) + (written or 0.0))
    if moved > 0:
        helped = tr("Operations / bytes read from and written to main memory.")
        made.append(Figure("report.intensity", tr("Arithmetic intensity"), operations / moved, "Ops/Byte", helped))
    duration = profile.operator.duration_us if profile.operator is not None else None
    if duration:
        helped = tr("Operations / duration of the operator.")
        rate = operations / duration / 1e6
        made.append(Figure("report.performance_tops", tr("Performance"), rate, "TOps/s", helped))
    return made


def _caches(profile: Profile) -> list[Figure]:
    blocks = profile.memory_paths.blocks if profile.memory_paths is not None else None
    hits, total = (None, None) if blocks is None else (_sum(blocks.hit), _sum(blocks.total))
    if hits is None or not total:
        return []
    helped = tr("100 · hits / accesses of all blocks.")
    return [
        Figure("report.l2_hits", "", int(hits)),
        Figure("report.l2_accesses", "", int(total)),
        Figure("report.l2_hit_rate", tr("L2 hit rate"), 100.0 * hits / total, "%", helped),
    ]


def _conflicts(tables: ReportTables) -> list[Figure]:
    ratio = _column(tables, "ResourceConflictRatio", _CONFLICTS)
    if not ratio.size or np.isnan(ratio).all():
        return []
    helped = tr("Mean of aiv_vec_total_cflt_ratio over the rows (ResourceConflictRatio).")
    mean = 100.0 * float(np.nanmean(ratio))
    return [Figure("report.vector_conflicts_mean", tr("Mean vector conflicts"), mean, "%", helped)]


def _column(tables: ReportTables, name: str, title: str) -> F64:
    """float64[rows]: the figures of a column; empty without it."""
    table = tables.named_like(name)
    columns = table.columns if table is not None else ()
    wanted = title.lower()
    for column in columns:
        if column.name.lower() == wanted and column.strings is None:
            return column.of_core(0)
    return np.empty(0)


def _sum(values: F64) -> float | None:
    """The sum of what is known; None if nothing is."""
    known = values[~np.isnan(values)]
    return float(known.sum()) if len(known) else None
