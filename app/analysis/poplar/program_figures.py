"""What programs cost by themselves and with all below them.

Shared parts make the difference: a function that two programs call is there once (its bytes count once), takes its
cycles at every call, and which of its measured runs belong to which call the file does not say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.poplar import program_own as own
from app.analysis.poplar.program_estimates import own_estimate, total_estimate
from app.analysis.poplar.program_graph import program_graph, total_cycles, total_memory
from app.profile.arrays import I64
from app.profile.exchanges import EXCHANGE_KINDS
from app.profile.profile import Profile
from app.profile.programs import Programs

FEW_CELLS: Final = 16_000_000
FEW_PROGRAMS: Final = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class ProgramFigures:
    """int64[programs] each, -1 where it is not known; None where the files have nothing for it. ``runs``: how often
    it ran. ``memory``: bytes of the compute set (without code) or the code of the exchange that it runs,
    ``total_memory``: of all below it, each set and exchange once. ``estimate``: cycles of one run by the compiler's
    figures, ``total_estimate``: of one pass. ``cycles``: of all its steps, ``total_cycles``: with those of all below
    it."""

    runs: I64 | None = None
    memory: I64 | None = None
    total_memory: I64 | None = None
    estimate: I64 | None = None
    total_estimate: I64 | None = None
    cycles: I64 | None = None
    total_cycles: I64 | None = None


def cheap(profile: Profile) -> bool:
    """Whether the figures take some milliseconds at the most."""
    parts = profile.compute_set_bytes.matrices.values() if profile.compute_set_bytes is not None else ()
    cells = sum(matrix.size for matrix in parts)
    if profile.compute_sets is not None and profile.compute_sets.cycles is not None:
        cells += profile.compute_sets.cycles.size
    for kind in EXCHANGE_KINDS if profile.exchanges is not None else ():
        own = profile.exchanges.of(kind) if profile.exchanges is not None else None
        cells += sum(part.size for part in (own.cycles, own.code) if part is not None) if own is not None else 0
    return cells <= FEW_CELLS and len(profile.programs or ()) <= FEW_PROGRAMS


def quick_figures(profile: Profile) -> ProgramFigures:
    """Only what does not ask for matrices or for what lies below."""
    count = len(profile.programs or ())
    cycles = own.measured(profile, count)
    return ProgramFigures(runs=own.executions(profile), cycles=cycles)


def program_figures(profile: Profile) -> ProgramFigures | None:
    """None without programs. A million programs take some hundred ms, and the matrices of the file are read once."""
    programs = profile.programs
    if programs is None:
        return None
    count = len(programs)
    exchange = own.numbers_of_exchanges(profile)
    memory, shared = _memory(profile, programs, exchange)
    graph = program_graph(programs, shared, memory)
    cycles = own.measured(profile, count)
    estimate = own_estimate(profile, programs, exchange)
    return ProgramFigures(
        runs=own.executions(profile),
        memory=memory,
        total_memory=None if memory is None else total_memory(graph, count),
        estimate=estimate,
        total_estimate=None if estimate is None else total_estimate(programs, graph.heights, estimate),
        cycles=cycles,
        total_cycles=None if cycles is None else total_cycles(graph, cycles),
    )


def _memory(profile: Profile, programs: Programs, exchange: I64) -> tuple[I64 | None, I64]:
    """(bytes, what they belong to), int64[programs]. Of programs that exchange: the code that the file states of the
    exchange, else of the program's own instructions. What they belong to: a number for each compute set or exchange,
    -1 for the program itself."""
    sets = profile.compute_sets.count if profile.compute_sets is not None else 0
    of_sets, of_exchanges = own.bytes_of_sets(profile, sets), own.code_of_exchanges(profile)
    out, what = own.instruction_bytes(programs), np.full(len(programs), -1, np.int64)
    for values, index, first in ((of_exchanges, exchange, sets), (of_sets, programs.compute_set, 0)):
        if values is not None:
            bytes_ = own.picked(values, index)
            out = np.where(bytes_ >= 0, bytes_, -1 if out is None else out)
            what = np.where(bytes_ >= 0, index + first, what).astype(np.int64)
    return out, what
