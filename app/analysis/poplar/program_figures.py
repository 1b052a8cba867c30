"""The cost of programs, their own and with everything below them.

Shared parts need care: a function that two programs call exists once (its bytes count once) but costs cycles at every
call, and the file does not say which of its measured runs belong to which call.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar import program_own as own
from app.analysis.poplar.heights import Heights, reaching, rows
from app.analysis.poplar.numbers import row_maxima, row_sums
from app.analysis.poplar.program_graph import LARGEST, ProgramGraph, program_graph, total_bytes, total_cycles
from app.analysis.poplar.trees import edges
from app.profile.arrays import F64, I64
from app.profile.poplar import EXCHANGE_KINDS, Programs
from app.profile.profile import Profile

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
    cycles = own.measured(profile, count)
    return ProgramFigures(runs=own.executions(profile), cycles=cycles)


def program_figures(profile: Profile) -> ProgramFigures | None:
    """All figures; None without programs. A million programs take some hundred ms, and the matrices of the file are
    read once."""
    programs = profile.programs
    if programs is None:
        return None
    count = len(programs)
    exchange = own.numbers_of_exchanges(profile)
    parts = _Parts.of(profile, programs, exchange)
    graph = program_graph(programs, parts.number)
    memory, code = parts.memory(profile), parts.code(profile, row_sums)
    cycles = own.measured(profile, count)
    estimate = own_estimate(profile, programs, exchange)
    return ProgramFigures(
        runs=own.executions(profile),
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
    idle = own.never_run(profile, below, graph.heights) & (cycles < 0)
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
        with_code = own.code_of_exchanges(profile)
        if with_code is None:  # instruction bytes belong to each program
            exchanges = np.full(len(programs), -1, np.int64)
        else:
            exchanges = np.where(own.picked(with_code, exchanges) >= 0, exchanges, -1)
        number = np.where(sets >= 0, sets, np.where(exchanges >= 0, exchanges + count, -1))
        return cls(programs, sets, exchanges, number)

    def memory(self, profile: Profile) -> I64 | None:
        """int64[programs]: bytes over all tiles, -1 unknown; None without any."""
        return self._joined(own.bytes_of_sets(profile, self._count(profile)), own.code_of_exchanges(profile))

    def code(self, profile: Profile, figure: own.Figure) -> I64 | None:
        """int64[programs]: code bytes, combined over tiles by ``figure``. If the file has no code bytes of exchanges,
        the program's instruction bytes replace them in a sum; on which tile they are is unknown."""
        of_sets = own.code_of_sets(profile, self._count(profile), figure)
        of_exchanges = own.code_of_exchanges(profile, figure)
        return self._joined(of_sets, of_exchanges, instructions=figure is row_sums)

    def _count(self, profile: Profile) -> int:
        return profile.compute_sets.count if profile.compute_sets is not None else 0

    def _joined(self, of_sets: I64 | None, of_exchanges: I64 | None, *, instructions: bool = True) -> I64 | None:
        out = own.instruction_bytes(self.programs) if instructions else None
        for values, index in ((of_exchanges, self.exchanges), (of_sets, self.sets)):
            if values is not None:
                amounts = own.picked(values, index)
                out = np.where(amounts >= 0, amounts, -1 if out is None else out)
        return out


def _inside(index: I64, count: int) -> I64:
    return np.where((index >= 0) & (index < count), index, -1)


BRANCHES: Final = ("If", "IfElse", "Switch")


def own_estimate(profile: Profile, programs: Programs, exchange: I64) -> I64 | None:
    """int64[programs]: estimated cycles of the longest tile in the set or exchange (``exchange``: int64[programs],
    numbered over all kinds) that each runs, -1 without; None if the files have none."""
    of_sets = own.cycles_of_sets(profile, profile.compute_sets.count if profile.compute_sets is not None else 0)
    of_exchanges = own.cycles_of_exchanges(profile)
    if of_sets is None and of_exchanges is None:
        return None
    out = np.full(len(programs), -1, np.int64)
    if of_exchanges is not None:
        out = own.picked(of_exchanges, exchange)
    if of_sets is not None:
        cycles = own.picked(of_sets, programs.compute_set)
        out = np.where(cycles >= 0, cycles, out)
    return out


def total_estimate(programs: Programs, levels: Heights, estimate: I64) -> I64:
    """int64[programs], -1 if unknown. Every child counts as often as it is listed, of branches only the longest;
    unknown if anything below runs a compute set or exchange without an estimate, or calls something that does not
    exist."""
    below, count = edges(programs), len(programs)
    silent = (programs.compute_set < 0) & (programs.exchange < 0)
    silent[programs.of_type("OnTileExecute", "Call")] = False
    silent[own.exchanging(programs)] = False
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
