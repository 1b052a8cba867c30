"""Peaks of the memory of a rank, and what held it then (Ascend captures, section 5)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.capture.ranks import once, rows_of_ranks
from app.profile.arrays import I64, Ragged, among
from app.profile.profile import Profile

ALLOCATOR: Final = "PTA"
PROCESS: Final = "APP"


class MemoryPeak(Struct, frozen=True, eq=False):
    """The moment with the most allocated bytes of the framework's allocator. ``row``: of the memory record; ``time``:
    nanoseconds; ``allocated``, ``reserved``: bytes at this moment (-1 unknown); ``holders``: int64, rows of the
    memory of operators that were held then, largest first; ``held``: their bytes: the rest was taken before."""

    row: int
    time: int
    allocated: int
    reserved: int
    holders: I64
    held: int


def of_component(profile: Profile, rank: int, component: str) -> I64:
    """int64: rows of the memory record of a rank and component."""
    own, rows = profile.memory_record, once(profile, _records).row(rank)
    if own is None:
        return np.empty(0, np.int64)
    return rows[among(own.component[rows], own.strings.find(component))].astype(np.int64)


def _records(profile: Profile) -> Ragged:
    """The rows of the memory record by rank: a run may have a thousand."""
    own = profile.memory_record
    return rows_of_ranks(profile, np.empty(0, np.int32) if own is None else own.rank)


def _operators(profile: Profile) -> Ragged:
    """The rows of the memory of operators by rank."""
    own = profile.memory_operators
    return rows_of_ranks(profile, np.empty(0, np.int32) if own is None else own.rank)


def highest(profile: Profile, rank: int, component: str, column: str) -> int:
    """The largest value of ``allocated``, ``reserved`` or ``active`` bytes; -1 if it was not measured."""
    rows = of_component(profile, rank, component)
    return -1 if not len(rows) else int(getattr(profile.memory_record, column)[rows].max())


def peak(profile: Profile, rank: int) -> MemoryPeak | None:
    """None if the allocated bytes of the framework's allocator were not measured."""
    own, rows = profile.memory_record, of_component(profile, rank, ALLOCATOR)
    if own is None or not len(rows) or int(own.allocated[rows].max()) < 0:
        return None
    row = int(rows[own.allocated[rows].argmax()])
    time = int(own.time[row])
    holders = _holders(profile, rank, time)
    operators = profile.memory_operators
    held = 0 if operators is None else int(operators.size[holders].sum())
    return MemoryPeak(row, time, int(own.allocated[row]), int(own.reserved[row]), holders, held)


def _holders(profile: Profile, rank: int, time: int) -> I64:
    own = profile.memory_operators
    if own is None:
        return np.empty(0, np.int64)
    mine = once(profile, _operators).row(rank)
    taken, released = own.allocated_at[mine], own.released_at[mine]
    held = (own.size[mine] > 0) & (taken >= 0) & (taken <= time) & ((released < 0) | (released > time))
    rows = mine[held]
    return rows[np.argsort(-own.size[rows], kind="stable")].astype(np.int64)
