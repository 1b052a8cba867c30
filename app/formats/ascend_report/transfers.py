"""Memory paths and memory tables, from the metric tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from app.formats.ascend_report.basic_info import unit_of
from app.formats.ascend_report.caches import l2_hits
from app.formats.ascend_report.metric_rows import (
    BYTES_PER_GB,
    BYTES_PER_KB,
    MEMORY,
    MEMORY_L0,
    MEMORY_UB,
    PIPES,
    Metrics,
)
from app.formats.ascend_report.shares import Shares
from app.profile.arrays import F64, I32, sealed
from app.profile.ascend import MemoryBlocks, MemoryPaths
from app.profile.strings import Interner

_CUBE: tuple[tuple[int, str, str], ...] = (
    (37, MEMORY_L0, "aic_l0a_write_bw(GB/s)"),
    (38, MEMORY_L0, "aic_l0b_write_bw(GB/s)"),
    (6, MEMORY_L0, "aic_l0a_read_bw(GB/s)"),
    (7, MEMORY_L0, "aic_l0b_read_bw(GB/s)"),
    (8, MEMORY_L0, "aic_l0c_write_bw_cube(GB/s)"),
    (11, MEMORY_L0, "aic_l0c_read_bw_cube(GB/s)"),
)
_VECTOR: tuple[tuple[int, str, str], ...] = (
    (12, MEMORY, "aiv_gm_to_ub_bw(GB/s)"),
    (13, MEMORY, "aiv_ub_to_gm_bw(GB/s)"),
    (14, MEMORY_UB, "aiv_ub_read_bw_vector(GB/s)"),
    (15, MEMORY_UB, "aiv_ub_write_bw_vector(GB/s)"),
)
_BY_AMOUNT = ((2, "GM_to_L1"), (9, "L0C_to_L1"), (10, "L0C_to_GM"))
"""Paths of the cube whose bandwidth follows from the amount of data."""
_PEAKS = {2: "GM_to_L1", 9: "L0C_to_L1", 10: "L0C_to_GM", 12: "GM_to_UB", 13: "UB_to_GM"}
_SECOND_VECTOR = 4
"""The paths of vector 1 follow those of vector 0."""
_A5 = re.compile(r"ai[cv]_\w+_(close|far)_(hit|miss|victim)|aiv_vec_(vf|sfu|simt_vf)_ratio|aic_cube_(fp|int)_ratio")


class _Path(Struct, frozen=True, eq=False):
    """float64[rows] each, NaN for no data."""

    number: int
    bandwidth: F64
    peak: F64


def family_of_chip(metrics: Metrics) -> str:
    """The family whose memories the report shows, by its columns (Ascend operator reports, section 2.2); "" without
    metric tables."""
    if not len(metrics):
        return ""
    if any(_A5.fullmatch(title) for kind in metrics.tables for title in metrics.titles(kind)):
        return "910A5"
    return "910B" if any(row.block for row in metrics.rows) else "310P"


def memory_paths(metrics: Metrics, shares: Shares, kind: str, duration_us: float | None) -> MemoryPaths | None:
    """The MemoryPaths section (Ascend operator reports, section 6); None if no path has a figure and there are no L2
    hits. Paths 0 and 1 have none: main memory is reported for each core, not for the L2 cache."""
    blocks = metrics.blocks
    names = {name: place for place, name in enumerate(blocks)}
    entry: list[int] = []
    number: list[int] = []
    bandwidth: list[float] = []
    peak: list[float] = []
    for path in _paths(metrics, kind, duration_us):
        for row in np.flatnonzero(~np.isnan(path.bandwidth) | ~np.isnan(path.peak)).tolist():
            own = metrics.rows[row]
            second = path.number in range(12, 16) and unit_of(own.sub_block) == 2
            entry.append(names[own.block])
            number.append(path.number + (_SECOND_VECTOR if second else 0))
            bandwidth.append(float(path.bandwidth[row]))
            peak.append(float(path.peak[row]))
    strings = Interner()
    made = _blocks(metrics, shares, kind, strings)
    if not entry and np.isnan(made.hit_rate).all():
        return None
    order = np.lexsort((number, entry))
    nothing = np.full(len(order), np.nan)
    return MemoryPaths(
        strings=strings.strings(),
        entry=sealed(np.array(entry, np.int32)[order]),
        path=sealed(np.array(number, np.int32)[order]),
        request=sealed(nothing),
        bandwidth=sealed(np.array(bandwidth, np.float64)[order]),
        peak=sealed(np.array(peak, np.float64)[order]),
        display=sealed(np.ones(len(order), np.bool_)),
        bandwidth_suffix=_none(len(order)),
        request_suffix=_none(len(order)),
        blocks=made,
    )


def _paths(metrics: Metrics, kind: str, duration_us: float | None) -> Iterator[_Path]:
    """All paths with their figures in each row. A bandwidth divides by the row's time, in a mix by the duration of the
    operator."""
    for numbers, on_vector in ((_CUBE, False), (_VECTOR, True)):
        for number, table, title in numbers:
            values = metrics.column(table, title)
            if np.isnan(values).all() and on_vector:  # a 310P has all columns with the other prefix
                values = metrics.column(table, title.replace("aiv_", "aic_"))
            yield _Path(number, values, _peak(metrics, number))
    time = np.full(len(metrics), duration_us or np.nan) if kind == "mix" else metrics.time
    for number, way in _BY_AMOUNT:
        amount = metrics.column(MEMORY, f"{way}_datas(KB)") * BYTES_PER_KB
        with np.errstate(divide="ignore", invalid="ignore"):
            bandwidth = np.where(time > 0, amount / (time * 1e-6) / BYTES_PER_GB, np.nan)
        yield _Path(number, bandwidth, _peak(metrics, number))


def _peak(metrics: Metrics, number: int) -> F64:
    way = _PEAKS.get(number, "")
    return metrics.column(MEMORY, f"{way}_bw_usage_rate(%)") if way else np.full(len(metrics), np.nan)


def _blocks(metrics: Metrics, shares: Shares, kind: str, strings: Interner) -> MemoryBlocks:
    """One row per block: the sums of its sub-blocks."""
    blocks = metrics.blocks
    place = {name: row for row, name in enumerate(blocks)}
    block_of = np.array([place[row.block] for row in metrics.rows], np.int64)
    unit = np.array([unit_of(row.sub_block) for row in metrics.rows], np.int64)
    hits = l2_hits(metrics)
    hit, miss, total = (_sums(block_of, values, len(blocks)) for values in (hits.hit, hits.miss, hits.total))
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(total > 0, 100.0 * hit / total, np.nan)
    stated = np.full(len(blocks), np.nan)
    stated[block_of] = hits.rate
    cycles, totals, ratio = (np.full((len(blocks), 3), np.nan) for _ in range(3))
    busy = np.where(metrics.on_vector, metrics.own(PIPES, "vec_time(us)"), metrics.own(PIPES, "cube_time(us)"))
    share = np.where(metrics.on_vector, shares.pipe("vec"), shares.pipe("cube"))
    cycles[block_of, unit], totals[block_of, unit], ratio[block_of, unit] = shares.cycles(busy), metrics.cycles, share
    family, type_ = strings(family_of_chip(metrics)), strings(kind)
    return MemoryBlocks(
        block=sealed(np.array([strings(name or "NA") for name in blocks], np.int32)),
        operator_type=sealed(np.full(len(blocks), type_, np.int32)),
        soc=sealed(np.full(len(blocks), family, np.int32)),
        hit=sealed(hit),
        miss=sealed(miss),
        total=sealed(total),
        hit_rate=sealed(np.where(np.isnan(total), stated, rate)),
        unit_cycles=sealed(cycles),
        unit_total_cycles=sealed(totals),
        unit_ratio=sealed(ratio),
        advice=((),) * len(blocks),
    )


def _sums(groups: np.ndarray[tuple[int], np.dtype[np.int64]], values: F64, count: int) -> F64:
    """float64[count]: the sum of the known values of each group; NaN for a group without one."""
    known = ~np.isnan(values)
    sums = np.bincount(groups[known], values[known], count).astype(np.float64)
    return np.where(np.bincount(groups[known], minlength=count) > 0, sums, np.nan)


def _none(rows: int) -> I32:
    return sealed(np.full(rows, -1, np.int32))
