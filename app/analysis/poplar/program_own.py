"""Each program's own cost: the bytes and cycles of the compute set or exchange that it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from app.analysis.poplar.heights import Heights, rows
from app.analysis.poplar.numbers import row_maxima, row_sums
from app.analysis.poplar.runs import counts, executions_of_programs, sums_of_steps
from app.analysis.poplar.trees import exchange_numbers
from app.profile.arrays import I64, Bool, Integers, Ragged, reverse
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
    listed = np.isin(programs.type, programs.type[runs > 0])
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
