"""Memory tables of the blocks, from the metric tables."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from app.formats.ascend_report.caches import l2_hits
from app.formats.ascend_report.metric_rows import L2_CACHE, MEMORY, MEMORY_L0, MEMORY_UB, PIPES, Metrics
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.ascend import MemoryTables
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
