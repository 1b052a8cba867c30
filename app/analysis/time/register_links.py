"""Dependencies by registers: what reads a register waits for the slice that wrote it last. Slices are tied to
instructions by their program counter, instructions say what they do with registers (Ascend operator files, sections
2.6 and 4.4)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.pipes import NO_PIPES
from app.analysis.ascend.registers import CHECK_EVERY, READ, READ_WRITE, WRITE, states_of, uses_of
from app.analysis.time.pieces import Pieces
from app.profile.arrays import F64, I64, Bool, Ragged, distinct
from app.profile.ascend import Instructions, TypedColumn, state_column
from app.profile.pipes import of_a_core, pipe_of
from app.profile.profile import Profile
from app.profile.timeline import Timeline

MOST_USES: Final = 1 << 24
"""Registers that all slices together may read and write; of more there are no dependencies."""
READS: Final = (READ, READ_WRITE)
WRITES: Final = (WRITE, READ_WRITE)
_WARP: Final = re.compile(r"warp[ _]?\d+", re.IGNORECASE)
"""Lanes of threads that have registers of their own; the pipes of a core share theirs."""


class RegisterPairs(Struct, frozen=True, eq=False):
    """``writer``, ``reader``: int64 slices, each pair once; ``unsure``: int64 slices that read a register, once for
    each of which the last writer is uncertain: another one began with the reader, or an instruction that the file
    does not list ran in between."""

    writer: I64
    reader: I64
    unsure: I64


def instructions_with_states(profile: Profile) -> Instructions | None:
    """The instructions, if they have register states and the slices of the timeline say which of them they ran."""
    own, line = profile.instructions, profile.timeline
    if own is None or line is None or state_column(own.columns) is None or not (line.slices.address >= 0).any():
        return None
    return own


def registers_passed(profile: Profile, writer: int, reader: int) -> list[str]:
    """The registers that one slice writes and another one reads."""
    own, line = instructions_with_states(profile), profile.timeline
    if own is None or line is None:
        return []
    rows = _rows(own, line.slices.address[[writer, reader]]).tolist()
    written, read = (uses_of(own, row) if row >= 0 else {} for row in rows)
    return [name for name, use in read.items() if use in READS and written.get(name) in WRITES]


def register_pairs(
    timeline: Timeline, nodes: Pieces, core: I64, instructions: Instructions, look: Callable[[], None]
) -> RegisterPairs:
    """Who wrote what each slice reads: of all that ran in its core (``core``: int64[lanes], or in its warp) before it
    began, the last one that writes the register, however often a loop runs an instruction. O(n log n)."""
    slices = timeline.slices
    file = _register_files(timeline, core)[nodes.lane]
    index = distinct(nodes.slice[(file >= 0) & (slices.address[nodes.slice] >= 0)])
    file_of = np.empty(len(slices.start), np.int64)
    file_of[nodes.slice] = file
    row = _rows(instructions, slices.address[index])
    column = state_column(instructions.columns)
    none = np.empty(0, np.int64)
    if column is None or not len(index):
        return RegisterPairs(none, none, none)
    code = np.where(row >= 0, column.of_core(0)[row], -1).astype(np.int64)
    uses, registers = _uses(column, distinct(code[code >= 0]), look)
    own, code = index[code >= 0], code[code >= 0]
    if int(uses.lengths[code].sum()) > MOST_USES:
        return RegisterPairs(none, none, none)
    found = uses.gather(code)
    who, register, use = own[found.owner], found.items >> 2, found.items & 3
    key = file_of[who] * registers + register
    unknown = index[row < 0]
    return _last_writers(slices.start, slices.start + slices.duration, file_of, unknown, (who, key, use))


def _register_files(timeline: Timeline, core: I64) -> I64:
    """int64[lanes]: which registers the instructions of a lane use, -1 for lanes that run none."""
    strings, lanes = timeline.strings, timeline.lanes
    texts = list(zip(lanes.process.tolist(), lanes.thread.tolist(), strict=True))
    found = np.full(len(texts), -1, np.int64)
    for lane, (process, thread) in enumerate(texts):
        name = strings.get(thread)
        if _WARP.fullmatch(name):
            found[lane] = len(texts) + lane
        elif of_a_core(strings.get(process), name) and pipe_of(name) not in NO_PIPES:
            found[lane] = core[lane]
    return found


def _rows(instructions: Instructions, address: I64) -> I64:
    """int64: the instruction at each address, -1 where the table has none, or several."""
    known = instructions.address[instructions.by_address]
    low, high = np.searchsorted(known, address, "left"), np.searchsorted(known, address, "right")
    row = np.full(len(address), -1, np.int64)
    one = high == low + 1
    row[one] = instructions.by_address[low[one]]
    return row


def _uses(column: TypedColumn, codes: I64, look: Callable[[], None]) -> tuple[Ragged, int]:
    """(what each cell of ``codes`` (int64, rising), by its id, says: register << 2 | READ, WRITE or READ_WRITE; how
    many registers there are)."""
    numbers: dict[str, int] = {}
    lengths = np.zeros(int(codes.max(initial=-1)) + 1, np.int64)
    items: list[int] = []
    for place, code in enumerate(codes.tolist()):
        if place % CHECK_EVERY == 0:
            look()
        own: dict[int, int] = {}
        for name, use, _ in states_of(column.strings.get(code).encode()) if column.strings is not None else ():
            if use in (READ, WRITE, READ_WRITE):
                register = numbers.setdefault(name, len(numbers))
                own[register] = own.get(register, 0) | use
        lengths[code] = len(own)
        items += [register << 2 | use for register, use in own.items()]
    return Ragged.of(lengths, np.array(items, np.int64)), max(len(numbers), 1)


def _last_writers(start: F64, end: F64, file_of: I64, unknown: I64, uses: tuple[I64, I64, I64]) -> RegisterPairs:
    """``start``, ``end``: float64[slices]; ``uses``: (slices, keys of registers, what they do), int64 each."""
    reads, writes = ((uses[2] & kind) > 0 for kind in (READ, WRITE))
    slices = np.concatenate((uses[0][reads], uses[0][writes]))
    key = np.concatenate((uses[1][reads], uses[1][writes]))
    writing = np.repeat((False, True), (int(reads.sum()), int(writes.sum())))
    itself = np.concatenate((writes[reads], np.zeros(int(writes.sum()), np.bool_)))
    order = np.lexsort((end[slices], writing, start[slices], key))
    slices, key, writing, itself = slices[order], key[order], writing[order], itself[order]
    if not len(order):
        return RegisterPairs(order, order, order)
    last = np.maximum.accumulate(np.where(writing, np.arange(len(order)), -1))
    asks = np.flatnonzero(~writing)
    last = last[asks]
    known = (last >= 0) & (key[last] == key[asks])
    at_once = (_writers_at_once(start[slices], key, writing) > itself)[asks]
    sure = known & ~at_once
    sure[sure] = ~_between(start, file_of, unknown, slices[last[sure]], slices[asks[sure]])
    pair = distinct(slices[last[sure]] * len(start) + slices[asks[sure]])
    return RegisterPairs(pair // len(start), pair % len(start), slices[asks[(known & ~sure) | at_once]])


def _writers_at_once(start: F64, key: I64, writing: Bool) -> I64:
    """int64: how many write the same register from the same moment on, of uses in the order of both."""
    group = np.cumsum(np.append(False, (key[1:] != key[:-1]) | (start[1:] != start[:-1])))
    counts: I64 = np.bincount(group, writing).astype(np.int64)[group]
    return counts


def _between(start: F64, file_of: I64, unknown: I64, writer: I64, reader: I64) -> Bool:
    """bool: whether one of the slices ``unknown`` of the same registers began from the writer to the reader."""
    order = np.lexsort((start[unknown], file_of[unknown]))
    unknown = unknown[order]
    times, files = distinct(start), file_of[unknown]
    width = len(times) + 1
    keys = files * width + np.searchsorted(times, start[unknown])
    begun, asked = (file_of[who] * width + np.searchsorted(times, start[who]) for who in (writer, reader))
    low, high = np.searchsorted(keys, begun, "left"), np.searchsorted(keys, asked, "right")
    found: Bool = high > low
    return found
