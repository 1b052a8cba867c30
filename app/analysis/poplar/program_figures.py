"""The cost of programs: of the compute set or exchange that each runs itself, and with everything below it.

Shared parts need care: a function that two programs call exists once (its bytes count once) but costs cycles at every
call, and the file does not say which of its measured runs belong to which call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.poplar.graph import (
    LARGEST,
    Heights,
    ProgramGraph,
    edges,
    exchange_numbers,
    program_graph,
    reaching,
    rows,
    total_bytes,
    total_cycles,
)
from app.analysis.poplar.numbers import row_maxima, row_sums
from app.analysis.poplar.runs import counts, executions_of_programs, sums_of_steps
from app.profile.arrays import F64, I64, Bool, Integers, Ragged, among, reverse
from app.profile.poplar import BYTE_KINDS, EXCHANGE_KINDS, EXCHANGE_OF_TYPE, TOTAL_BYTES, ExchangeList, Programs
from app.profile.profile import Profile

CODE = "codeBytes"
Figure: TypeAlias = Callable[[Integers], I64]
"""A figure per row of a matrix: row_sums or row_maxima."""


def bytes_of_sets(profile: Profile, count: int) -> I64 | None:
    """int64[count]: all bytes of each compute set over all tiles, including code (totalBytes, else the sum of the kinds
    that the file has); -1 if it has no row for it. None without any."""
    matrices = profile.compute_set_bytes.matrices if profile.compute_set_bytes is not None else {}
    kinds = (TOTAL_BYTES,) if TOTAL_BYTES in matrices else BYTE_KINDS
    sums = [row_sums(matrices[kind]) for kind in kinds if kind in matrices]
    if not sums:
        return None
    rows = min(len(part) for part in sums)
    return _fitted(np.sum([part[:rows] for part in sums], axis=0), count)


def code_of_sets(profile: Profile, count: int, figure: Figure = row_sums) -> I64 | None:
    """int64[count]: code bytes of each compute set, combined over its tiles by ``figure``, -1 if the file has no row
    for it."""
    matrices = profile.compute_set_bytes.matrices if profile.compute_set_bytes is not None else {}
    return _fitted(figure(matrices[CODE]), count) if CODE in matrices else None


def cycles_of_sets(profile: Profile, count: int) -> I64 | None:
    """int64[count]: estimated cycles of the longest tile (IPU model), -1 for no row."""
    sets = profile.compute_sets
    return None if sets is None or sets.cycles is None else _fitted(row_maxima(sets.cycles), count)


def code_of_exchanges(profile: Profile, figure: Figure = row_sums) -> I64 | None:
    """int64[exchanges, numbered over all kinds]: code bytes combined over tiles by ``figure``, -1 if the file has
    none."""
    return _of_exchanges(profile, "code", figure)


def cycles_of_exchanges(profile: Profile) -> I64 | None:
    """int64[exchanges, numbered over all kinds]: compiled cycles of the longest tile, -1 if the file has none."""
    return _of_exchanges(profile, "cycles", row_maxima)


def instruction_bytes(programs: Programs) -> I64 | None:
    """int64[programs]: bytes of exchange instructions (memoryByInstruction.total, else the sum of its kinds), -1 for
    programs without; None if no program has any."""
    table = programs.instructions
    if table is None or not len(table.program):
        return None
    out = np.full(len(programs), -1, np.int64)
    if "total" in table.kinds:
        out[table.program] = table.bytes[:, table.kinds.index("total")]
    else:
        out[table.program] = np.where(table.bytes < 0, 0, table.bytes).sum(axis=1)
    return out


def measured(profile: Profile, count: int) -> I64 | None:
    """int64[count]: cycles of all steps of each program itself; -1 for those without a step. None without steps."""
    steps = profile.steps
    if steps is None:
        return None
    timed = counts(steps.program[steps.cycles >= 0], count)
    return np.where(timed > 0, sums_of_steps(steps.program, steps.cycles, count), -1)


def executions(profile: Profile) -> I64 | None:
    """int64[programs]: how often each occurs in the trace; None without a trace. A trace may list only what runs on
    tiles: then programs that contain or call others are -1, because how often they ran is unknown."""
    runs = executions_of_programs(profile)
    if profile.programs is None or runs is None:
        return None
    inner = containers(profile.programs)
    return runs if bool(np.any(runs[inner] > 0)) else np.where(inner, -1, runs)


def never_run(profile: Profile, below: Ragged, levels: Heights) -> Bool:
    """bool[programs]: those that surely did not run, by the trace (without one, by the steps). A program of a kind that
    occurs there ran if it does. One that contains or calls others did not if something that it would run did not (any
    part of a sequence or call, unless a part that only it runs did; all parts of a branch or loop), and none did of
    which all parents did not. ``below``: all programs directly below each."""
    programs = profile.programs
    assert programs is not None
    runs = executions_of_programs(profile)
    if runs is None and profile.steps is not None:
        runs = counts(profile.steps.program, len(programs))
    if runs is None:
        return np.zeros(len(programs), np.bool_)
    listed = among(programs.type, programs.type[runs > 0])
    never: Bool = listed & (runs == 0)
    whole = np.zeros(len(programs), np.bool_)
    whole[programs.of_type("Sequence", "Call")] = True
    above, roots = reverse(below), np.zeros(len(programs), np.bool_)
    roots[programs.control[(programs.control >= 0) & (programs.control < len(programs))]] = True
    lengths, parents = below.lengths, above.lengths
    ran = runs > 0
    for height in range(1, levels.levels):
        level = levels.level(height)
        level = level[level < len(programs)]
        level = level[lengths[level] > 0]
        owner, item = rows(below, level)
        if len(owner):
            first = np.flatnonzero(np.diff(owner, prepend=-1))
            some, all_ = np.logical_or.reduceat(never[item], first), np.logical_and.reduceat(never[item], first)
            ran_here = np.logical_or.reduceat(ran[item] & (parents[item] == 1) & ~roots[item], first)
            never[level] |= np.where(whole[level], some & ~ran_here, all_)
            ran[level] |= ran_here
    for height in range(levels.levels - 2, -1, -1):
        level = levels.level(height)
        level = level[level < len(programs)]
        level = level[(parents[level] > 0) & ~roots[level] & (runs[level] <= 0)]
        owner, item = rows(above, level)
        if len(owner):
            first = np.flatnonzero(np.diff(owner, prepend=-1))
            never[level] |= np.logical_and.reduceat(never[item], first)
    return never


def containers(programs: Programs) -> Bool:
    """bool[programs]: those that contain or call others."""
    return np.asarray((programs.children.lengths > 0) | (programs.call >= 0))


def exchanging(programs: Programs) -> I64:
    """int64: the programs that exchange."""
    return programs.of_type(*EXCHANGE_OF_TYPE)


def picked(values: I64, index: Integers) -> I64:
    """int64: the value at each index, -1 for indices out of range."""
    out = np.full(len(index), -1, np.int64)
    inside = (index >= 0) & (index < len(values))
    out[inside] = values[index[inside]]
    return out


def numbers_of_exchanges(profile: Profile) -> I64:
    """int64[programs]: the exchange of each, numbered over all kinds; -1 none."""
    assert profile.programs is not None
    return exchange_numbers(profile, profile.programs)


def _of_exchanges(profile: Profile, key: str, figure: Figure) -> I64 | None:
    exchanges = profile.exchanges
    parts: list[I64] = []
    known = False
    for kind in EXCHANGE_KINDS if exchanges is not None else ():
        own: ExchangeList | None = exchanges.of(kind) if exchanges is not None else None
        matrix: Integers | None = getattr(own, key) if own is not None else None
        parts.append(_fitted(figure(matrix) if matrix is not None else np.empty(0, np.int64), len(own or ())))
        known |= matrix is not None
    return np.concatenate(parts) if known else None


def _fitted(values: I64, count: int) -> I64:
    out = np.full(count, -1, np.int64)
    out[: min(count, len(values))] = values[:count]
    return out


FEW_CELLS: Final = 16_000_000
FEW_PROGRAMS: Final = 10_000


class ProgramFigures(Struct, frozen=True, eq=False):
    """int64[programs] each, -1 if unknown; None if the files have no data for it. ``runs``: how often it ran.
    ``memory``: bytes of the compute set or the code of the exchange that it runs, over all tiles; ``total_memory``:
    with everything below it, each set and exchange once. ``code``, ``total_code``: the same for code only,
    ``max_code``: code of its own set or exchange on the tile with the most. ``estimate``: cycles of one run by the
    compiler's figures, ``total_estimate``: of one pass. ``cycles``: of all its steps, ``total_cycles``: with those of
    everything below it."""

    runs: I64 | None = None
    memory: I64 | None = None
    total_memory: I64 | None = None
    code: I64 | None = None
    total_code: I64 | None = None
    max_code: I64 | None = None
    estimate: I64 | None = None
    total_estimate: I64 | None = None
    cycles: I64 | None = None
    total_cycles: I64 | None = None


def cheap(profile: Profile) -> bool:
    """Whether computing the figures takes some milliseconds at most."""
    parts = profile.compute_set_bytes.matrices.values() if profile.compute_set_bytes is not None else ()
    cells = sum(matrix.size for matrix in parts)
    if profile.compute_sets is not None and profile.compute_sets.cycles is not None:
        cells += profile.compute_sets.cycles.size
    for kind in EXCHANGE_KINDS if profile.exchanges is not None else ():
        own = profile.exchanges.of(kind) if profile.exchanges is not None else None
        cells += sum(part.size for part in (own.cycles, own.code) if part is not None) if own is not None else 0
    return cells <= FEW_CELLS and len(profile.programs or ()) <= FEW_PROGRAMS


def quick_figures(profile: Profile) -> ProgramFigures:
    """Only the figures that need neither matrices nor what is below."""
    count = len(profile.programs or ())
    cycles = measured(profile, count)
    return ProgramFigures(runs=executions(profile), cycles=cycles)


def program_figures(profile: Profile) -> ProgramFigures | None:
    """All figures; None without programs. A million programs take some hundred ms, and the matrices of the file are
    read once."""
    programs = profile.programs
    if programs is None:
        return None
    count = len(programs)
    exchange = numbers_of_exchanges(profile)
    parts = _Parts.of(profile, programs, exchange)
    graph = program_graph(programs, parts.number)
    memory, code = parts.memory(profile), parts.code(profile, row_sums)
    cycles = measured(profile, count)
    estimate = own_estimate(profile, programs, exchange)
    return ProgramFigures(
        runs=executions(profile),
        memory=memory,
        total_memory=None if memory is None else total_bytes(graph, memory),
        code=code,
        total_code=None if code is None else total_bytes(graph, code),
        max_code=parts.code(profile, row_maxima),
        estimate=estimate,
        total_estimate=None if estimate is None else total_estimate(programs, graph.heights, estimate),
        cycles=cycles,
        total_cycles=None if cycles is None else _total_cycles(profile, programs, graph, parts.number, cycles),
    )


def _total_cycles(profile: Profile, programs: Programs, graph: ProgramGraph, resource: I64, cycles: I64) -> I64:
    """int64[programs]: measured cycles with everything below. Those of a shared program belong to the only one that
    ran it."""
    below = edges(programs)
    idle = never_run(profile, below, graph.heights) & (cycles < 0)
    if bool(np.any(idle & (below.lengths > 0))):
        graph = program_graph(programs, resource, idle)
    return total_cycles(graph, cycles)


class _Parts(Struct, frozen=True, eq=False):
    """What programs run: ``sets`` and ``exchanges`` by number, -1 none (int64[programs]); ``number``: both in one
    numbering, compute sets first, -1 for a program that runs neither."""

    programs: Programs
    sets: I64
    exchanges: I64
    number: I64

    @classmethod
    def of(cls, profile: Profile, programs: Programs, exchange: I64) -> _Parts:
        count = profile.compute_sets.count if profile.compute_sets is not None else 0
        listed = len(profile.exchanges) if profile.exchanges is not None else 0
        sets = _inside(programs.compute_set.astype(np.int64), count)
        exchanges = np.where(sets >= 0, -1, _inside(exchange, listed))
        with_code = code_of_exchanges(profile)
        if with_code is None:  # instruction bytes belong to each program
            exchanges = np.full(len(programs), -1, np.int64)
        else:
            exchanges = np.where(picked(with_code, exchanges) >= 0, exchanges, -1)
        number = np.where(sets >= 0, sets, np.where(exchanges >= 0, exchanges + count, -1))
        return cls(programs, sets, exchanges, number)

    def memory(self, profile: Profile) -> I64 | None:
        """int64[programs]: bytes over all tiles, -1 unknown; None without any."""
        return self._joined(bytes_of_sets(profile, self._count(profile)), code_of_exchanges(profile))

    def code(self, profile: Profile, figure: Figure) -> I64 | None:
        """int64[programs]: code bytes, combined over tiles by ``figure``. If the file has no code bytes of exchanges,
        the program's instruction bytes replace them in a sum; on which tile they are is unknown."""
        of_sets = code_of_sets(profile, self._count(profile), figure)
        of_exchanges = code_of_exchanges(profile, figure)
        return self._joined(of_sets, of_exchanges, instructions=figure is row_sums)

    def _count(self, profile: Profile) -> int:
        return profile.compute_sets.count if profile.compute_sets is not None else 0

    def _joined(self, of_sets: I64 | None, of_exchanges: I64 | None, *, instructions: bool = True) -> I64 | None:
        out = instruction_bytes(self.programs) if instructions else None
        for values, index in ((of_exchanges, self.exchanges), (of_sets, self.sets)):
            if values is not None:
                amounts = picked(values, index)
                out = np.where(amounts >= 0, amounts, -1 if out is None else out)
        return out


def _inside(index: I64, count: int) -> I64:
    return np.where((index >= 0) & (index < count), index, -1)


BRANCHES: Final = ("If", "IfElse", "Switch")


def own_estimate(profile: Profile, programs: Programs, exchange: I64) -> I64 | None:
    """int64[programs]: estimated cycles of the longest tile in the set or exchange (``exchange``: int64[programs],
    numbered over all kinds) that each runs, -1 without; None if the files have none."""
    of_sets = cycles_of_sets(profile, profile.compute_sets.count if profile.compute_sets is not None else 0)
    of_exchanges = cycles_of_exchanges(profile)
    if of_sets is None and of_exchanges is None:
        return None
    out = np.full(len(programs), -1, np.int64)
    if of_exchanges is not None:
        out = picked(of_exchanges, exchange)
    if of_sets is not None:
        cycles = picked(of_sets, programs.compute_set)
        out = np.where(cycles >= 0, cycles, out)
    return out


def total_estimate(programs: Programs, levels: Heights, estimate: I64) -> I64:
    """int64[programs], -1 if unknown. Every child counts as often as it is listed, of branches only the longest;
    unknown if anything below runs a compute set or exchange without an estimate, or calls something that does not
    exist."""
    below, count = edges(programs), len(programs)
    silent = (programs.compute_set < 0) & (programs.exchange < 0)
    silent[programs.of_type("OnTileExecute", "Call")] = False
    silent[exchanging(programs)] = False
    lengths = below.lengths
    silent |= (programs.call >= 0) & (lengths > 0)
    total: F64 = np.where(estimate >= 0, estimate.astype(np.float64), np.where(silent, 0.0, np.nan))
    branches = np.zeros(count, np.bool_)
    branches[programs.of_type(*BRANCHES)] = True
    with np.errstate(over="ignore"):
        for height in range(1, levels.levels):
            level = levels.level(height)
            level = level[lengths[level] > 0]
            owner, item = rows(below, level)
            if len(owner):
                first = np.flatnonzero(np.diff(owner, prepend=-1))
                added, most = np.add.reduceat(total[item], first), np.maximum.reduceat(total[item], first)
                total[level] += np.where(branches[level], most, added)
    good = levels.ends[:count] & np.isfinite(total) & (total < LARGEST)
    some = reaching(below, levels, estimate >= 0)
    return np.where(good & some, np.where(good, total, 0), -1).astype(np.int64)
