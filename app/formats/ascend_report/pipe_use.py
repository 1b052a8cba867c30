"""The workload and the load of the cores, from the metric tables."""

from __future__ import annotations

import re

import numpy as np

from app.formats.ascend_report.caches import l2_hits
from app.formats.ascend_report.metric_rows import ARITHMETIC, BYTES_PER_KB, CONFLICTS, MEMORY, PIPES, Metrics
from app.formats.ascend_report.shares import Shares
from app.profile.arrays import F64, sealed
from app.profile.ascend import PERCENT_UNIT, CoreLoad, Workload
from app.profile.strings import Interner

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
        rows.add(_NAMES.get(name, _words(name)), DURATION, time, shares.cycles(time))
    for kind in (ARITHMETIC, CONFLICTS):
        for name in dict.fromkeys(match[1] for match, _ in metrics.matching(kind, _RATIO)):
            if name not in pipes:  # the share of a pipe is repeated here
                rows.add(_words(name), PERCENT_UNIT, shares.of_ratio(metrics.own(kind, f"{name}_ratio")))
    for name, what in dict.fromkeys((match[1], match[2]) for match, _ in metrics.matching(ARITHMETIC, _COUNT)):
        unit = OPERATIONS if what == "fops" else INSTRUCTIONS
        rows.add(_words(name), unit, metrics.own(ARITHMETIC, f"{name}_{what}"))
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


def _words(name: str) -> str:
    """``vec_bank_cflt``: ``Vector bank conflicts``."""
    first, *rest = name.split("_")
    return " ".join((_NAMES.get(first, first), *(_WORDS.get(word, word) for word in rest)))


def _number(block: str) -> int:
    return int(block) if block.isascii() and block.isdigit() and len(block) < 10 else -1


def _sum(first: F64, second: F64) -> F64:
    """The sum of what is known; NaN where neither is."""
    return np.where(np.isnan(first), second, first + np.nan_to_num(second))
