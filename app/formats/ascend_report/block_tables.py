"""What the metric tables say of the blocks: memory tables, memory paths, the workload and the load of the cores."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
from msgspec import Struct

from app.formats.ascend_report.operator import unit_of
from app.formats.ascend_report.tables import (
    ARITHMETIC,
    BYTES_PER_GB,
    BYTES_PER_KB,
    CONFLICTS,
    L2_CACHE,
    MEMORY,
    MEMORY_L0,
    MEMORY_UB,
    PIPES,
    Metrics,
    Shares,
    l2_hits,
)
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.ascend import PERCENT_UNIT, CoreLoad, MemoryBlocks, MemoryPaths, MemoryTables, Workload
from app.profile.strings import Interner

_TRANSFER = re.compile(r"(\w+?)_(datas\(kb\)|bw_usage_rate\(%\))(\(estimate\))?")
_BANDWIDTH = re.compile(r"ai[cv]_(\w+)_bw(_\w+)?\(gb/s\)")
_ACTIVE = re.compile(r"ai[cv]_(mte\d|fixpipe)_(active_bw)\(gb/s\)")
_PIPE = re.compile(r"ai[cv]_(mte\d)_(instructions)")
_CACHE = re.compile(r"ai[cv]_(\w+)_(hit|miss_allocate|miss|victim|hit_rate\(%\))")
_WAY = re.compile(r"([a-zA-Z0-9]+)_to_([a-zA-Z0-9]+)")
_TITLES = {
    "datas(kb)": "Data (KB)",
    "bw_usage_rate(%)": "peak(%)",
    "instructions": "instructions",
    "active_bw": "active bw(GB/s)",
    "hit": "hit",
    "miss": "miss",
    "miss_allocate": "miss",
    "victim": "victims",
    "hit_rate(%)": "hit rate(%)",
}
TRANSFERS, BANDWIDTH, PIPE, CACHE = "Transfers", "Bandwidth", "Pipe", "L2 cache"


def memory_tables(metrics: Metrics) -> MemoryTables | None:
    """The MemoryTables section: for each block the amounts of data that it moved, bandwidths, pipes and L2 accesses;
    only what has a figure. None if there is nothing."""
    tables = _Tables(metrics)
    for match, values in metrics.matching(MEMORY, _TRANSFER):
        tables.add(TRANSFERS, match[1] + (f" {match[3]}" if match[3] else ""), _TITLES[match[2]], values)
    for kind in (MEMORY, MEMORY_L0, MEMORY_UB):
        for match, values in metrics.matching(kind, _BANDWIDTH):
            tables.add(BANDWIDTH, match[1] + (match[2] or ""), "throughput(GB/s)", values)
    for kind, pattern in ((MEMORY, _PIPE), (PIPES, _ACTIVE)):
        for match, values in metrics.matching(kind, pattern):
            tables.add(PIPE, match[1], _TITLES[match[2]], values)
    for match, values in metrics.matching(L2_CACHE, _CACHE):
        tables.add(CACHE, match[1], _TITLES[match[2]], values)
    hits = l2_hits(metrics)
    for title, values in (("hit", hits.hit), ("miss", hits.miss), ("hit rate(%)", hits.rate)):
        tables.add(CACHE, "all", title, values)
    return tables.section() if tables.cells else None


class _Tables:
    """Figures by table, sub-block, row and column."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._titles: dict[str, dict[str, None]] = defaultdict(dict)
        self.cells: dict[tuple[str, str], dict[str, dict[str, float]]] = {}

    def add(self, table: str, name: str, title: str, values: F64) -> None:
        self._titles[table][title] = None
        several = len(self._metrics.rows) > len(self._metrics.blocks)
        for place in np.flatnonzero(~np.isnan(values)).tolist():
            row = self._metrics.rows[place]
            own = f"{row.sub_block}: {_words(name)}" if several else _words(name)
            rows = self.cells.setdefault((row.block, table), {})
            rows.setdefault(own, {}).setdefault(title, float(values[place]))

    def section(self) -> MemoryTables:
        strings = Interner()
        blocks = {block: number for number, block in enumerate(self._metrics.blocks)}
        order = sorted(self.cells, key=lambda key: blocks[key[0]])
        value: list[float] = []
        row_name: list[int] = []
        for key in order:
            titles = self._titles[key[1]]
            for name, row in self.cells[key].items():
                row_name.append(strings(name))
                value += [row.get(title, np.nan) for title in titles]
        widths = [len(self._titles[table]) for _, table in order]
        heights = [len(self.cells[key]) for key in order]
        column_name = [strings(title) for _, table in order for title in self._titles[table]]
        return MemoryTables(
            block_name=_ids([strings(block or "NA") for block in blocks]),
            block_type=_ids([-1] * len(blocks)),
            advice=((),) * len(blocks),
            block=_ids([blocks[block] for block, _ in order]),
            name=_ids([strings(table) for _, table in order]),
            first_row=_firsts(heights),
            row_name=_ids(row_name),
            first_column=_firsts(widths),
            column_name=_ids(column_name),
            first_cell=_firsts([width * height for width, height in zip(widths, heights, strict=True)]),
            value=sealed(np.array(value, np.float64)),
            text=_ids([-1] * len(value)),
            strings=strings.strings(),
        )


def _words(name: str) -> str:
    """``gm_to_ub``: ``GM → UB``; ``r0_read_cache``: ``r0 read cache``."""
    return _WAY.sub(lambda way: f"{_memory(way[1])} → {_memory(way[2])}", name).replace("_", " ")


def _memory(name: str) -> str:
    return name if name[0].isupper() else name.upper()


def _ids(numbers: Sequence[int]) -> I32:
    return sealed(np.array(numbers, np.int32))


def _firsts(counts: Sequence[int]) -> I64:
    return sealed(np.array(list(accumulate(counts, initial=0)), np.int64))


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


DURATION, INSTRUCTIONS, OPERATIONS = 0, 1, 4
"""Codes of units (Ascend operator files, section 2.8)."""
_NAMES = {
    "cube": "Cube",
    "vec": "Vector",
    "mte1": "MTE1",
    "mte2": "MTE2",
    "mte3": "MTE3",
    "fixpipe": "FIXP",
    "scalar": "Scalar",
}
_WORDS = {
    "cflt": "conflicts",
    "bankgroup": "bank group",
    "resc": "resource",
    "mte": "MTE",
    "mte1": "MTE1",
    "mte2": "MTE2",
    "mte3": "MTE3",
    "ub": "UB",
    "ib": "instruction buffer",
}
"""Abbreviations in titles; the metric tables show the titles as they are."""
_TIME = re.compile(r"ai[cv]_(\w+)_time\(us\)")
_RATIO = re.compile(r"ai[cv]_(\w+)_ratio")
_COUNT = re.compile(r"ai[cv]_(\w+)_(fops|instr_number)")


def workload(metrics: Metrics, shares: Shares) -> Workload | None:
    """The Workload section: the pipes as the graph (100 · time / time of the sub-block); times, arithmetic and
    conflicts as the table. None without such tables."""
    rows = _Rows(metrics)
    pipes = list(dict.fromkeys(match[1] for match, _ in metrics.matching(PIPES, _RATIO)))
    for name in pipes:
        time = metrics.own(PIPES, f"{name}_time(us)")
        for graph in (True, False):
            rows.add(_NAMES.get(name, name), PERCENT_UNIT, shares.pipe(name), shares.cycles(time), graph=graph)
    for name in dict.fromkeys(match[1] for match, _ in metrics.matching(PIPES, _TIME)):
        time = metrics.own(PIPES, f"{name}_time(us)")
        rows.add(_NAMES.get(name, _pipe_words(name)), DURATION, time, shares.cycles(time))
    for kind in (ARITHMETIC, CONFLICTS):
        for name in dict.fromkeys(match[1] for match, _ in metrics.matching(kind, _RATIO)):
            if name not in pipes:  # the share of a pipe is repeated here
                rows.add(_pipe_words(name), PERCENT_UNIT, shares.of_ratio(metrics.own(kind, f"{name}_ratio")))
    for name, what in dict.fromkeys((match[1], match[2]) for match, _ in metrics.matching(ARITHMETIC, _COUNT)):
        unit = OPERATIONS if what == "fops" else INSTRUCTIONS
        rows.add(_pipe_words(name), unit, metrics.own(ARITHMETIC, f"{name}_{what}"))
    return rows.section() if rows.rows else None


def core_load(metrics: Metrics, kind: str, soc: str) -> CoreLoad | None:
    """The CoreLoad section, one row per sub-block: its cycles, the bytes that it moved to and from main memory, and its
    hit rate. None without cycles."""
    cycles = metrics.cycles
    if np.isnan(cycles).all():
        return None
    strings = Interner()
    read, write = (metrics.column(MEMORY, f"{way}_main_memory_datas(KB)") for way in ("read", "write"))
    nothing = sealed(np.full(len(metrics), np.nan))
    digits = [re.search(r"\d+\Z", row.sub_block) for row in metrics.rows]
    types = ["vector" if vector else "cube" if kind != "AiCore" else kind for vector in metrics.on_vector.tolist()]
    return CoreLoad(
        soc=soc,
        operator_type=kind,
        advice="",
        core=sealed(np.array([_number(row.block) for row in metrics.rows], np.int32)),
        type=sealed(np.array([strings(name) for name in types], np.int32)),
        sub_core=sealed(np.array([strings(digit[0] if digit else "") for digit in digits], np.int32)),
        cycles=sealed(cycles),
        throughput=sealed(_sum(read, write) * BYTES_PER_KB),
        hit_rate=sealed(l2_hits(metrics).rate),
        simt_instructions=nothing,
        simt_ipc=nothing,
        strings=strings.strings(),
    )


class _Rows:
    """Rows of the Workload, gathered figure by figure and sorted by sub-block in the end."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._strings = Interner()
        self.rows: list[tuple[int, int, int, float, float, bool]] = []

    def add(self, name: str, unit: int, values: F64, cycles: F64 | None = None, *, graph: bool = False) -> None:
        """Adds a figure of all sub-blocks that have one."""
        code = self._strings(name)
        spent = [np.nan] * len(values) if cycles is None else cycles.tolist()
        for place, (value, cycle) in enumerate(zip(values.tolist(), spent, strict=True)):
            if value == value:
                self.rows.append((place, code, unit, value, cycle, graph))

    def section(self) -> Workload:
        order = sorted(self.rows, key=lambda row: (not row[-1], row[0]))
        place, name, unit, value, cycles, graph = (list(column) for column in zip(*order, strict=True))
        own = [self._metrics.rows[number] for number in place]
        strings = self._strings
        return Workload(
            block=sealed(np.array([strings(row.block or "NA") for row in own], np.int32)),
            sub_block=sealed(np.array([strings(row.sub_block or "AiCore") for row in own], np.int32)),
            name=sealed(np.array(name, np.int32)),
            unit=sealed(np.array(unit, np.int32)),
            value=sealed(np.array(value, np.float64)),
            cycles=sealed(np.array(cycles, np.float64)),
            item_advice=sealed(np.full(len(order), -1, np.int32)),
            in_graph=sealed(np.array(graph, np.bool_)),
            strings=strings.strings(),
        )


def _pipe_words(name: str) -> str:
    """``vec_bank_cflt``: ``Vector bank conflicts``."""
    first, *rest = name.split("_")
    return " ".join((_NAMES.get(first, first), *(_WORDS.get(word, word) for word in rest)))


def _number(block: str) -> int:
    return int(block) if block.isascii() and block.isdigit() and len(block) < 10 else -1


def _sum(first: F64, second: F64) -> F64:
    """The sum of what is known; NaN where neither is."""
    return np.where(np.isnan(first), second, first + np.nan_to_num(second))
