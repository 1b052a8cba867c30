"""Cache lines and sets, and single accesses to memory."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend.counts import count_column, line_shares, percent
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I32, I64, U64
from app.profile.ascend import BLOCK_TYPES, OPERATIONS, SET_FIELDS, SPACES, CallStacks
from app.profile.profile import Profile
from app.profile.strings import Strings

SET_TITLES = {
    "load": tr("Loads"),
    "store": tr("Stores"),
    "line": tr("Cache line"),
    "hit": tr("Hits"),
    "miss": tr("Misses"),
    "allocate": tr("Allocations"),
    "evict_and_write": tr("Evictions with write"),
    "evict_without_write": tr("Evictions without write"),
}
"""Titles of the fields of a cache set."""


def cache_lines(profile: Profile) -> Table | None:
    """One row per cache line (0x0E)."""
    lines = profile.cache.lines if profile.cache else None
    if lines is None or not len(lines.line):
        return None
    columns = [Column("line", tr("Cache line"), lines.line, missing=lines.line < 0, role="key")]
    both = zip(("hit", "miss"), (tr("Hits"), tr("Misses")), (lines.hits, lines.misses), line_shares(lines), strict=True)
    for key, title, side, share in both:
        columns.append(count_column(key, title, side.count))
        columns.append(
            Column(
                f"{key}_share",
                tr("Share of {title}", title=title.lower()),
                share,
                "%",
                share_of=tr("the line's events"),
            )
        )
        ranges = np.diff(side.first_range)
        columns.append(
            Column(
                f"{key}_ranges",
                tr("{title}: address ranges", title=title),
                ranges,
                help=tr("Relative to the instructions that can cause them."),
            )
        )
    return Table("cache-lines", tr("Cache lines"), tuple(columns), "cache_line")


def cache_sets(profile: Profile) -> Table | None:
    """One row per cache set (0x0B)."""
    sets = profile.cache.sets if profile.cache else None
    if sets is None or not len(sets):
        return None
    events = (sets[:, 0].astype(np.float64)) + sets[:, 1]
    columns = [
        Column(field, SET_TITLES[field], sets[:, n], role="key" if field == "line" else "")
        for n, field in enumerate(SET_FIELDS)
    ]
    for number, field in enumerate(SET_FIELDS):
        if field != "line":
            share = percent(sets[:, number].astype(np.float64), events)
            title = tr("Share of {set_titles}", set_titles=SET_TITLES[field].lower())
            helped = tr("Count over loads and stores.")
            columns.append(Column(f"{field}_share", title, share, "%", helped, share_of=tr("loads and stores")))
    return Table("cache-sets", tr("Cache sets"), tuple(columns), "cache_set")


def memory_accesses(profile: Profile) -> Table | None:
    """One row per access (0x0A)."""
    accesses = profile.memory_accesses
    if accesses is None or not len(accesses.record):
        return None
    columns = [
        Column("record", tr("Record"), accesses.record, help=tr("Increases in the order of execution."), role="key"),
        Column("operation", tr("Operation"), _coded(accesses.operation.astype(np.int32), OPERATIONS)),
        Column("core", tr("Core"), accesses.core, missing=accesses.core < 0, role="key"),
        Column("block_type", tr("Block type"), _coded(accesses.block_type.astype(np.int32), BLOCK_TYPES)),
        Column("space", tr("Space"), _coded(accesses.space, SPACES)),
        Column("address", tr("Address"), accesses.address, hexadecimal=True),
        Column("size", tr("Size"), accesses.size, "B"),
        Column("pc", tr("Program counter"), accesses.pc, hexadecimal=True),
    ]
    if accesses.stacks is not None:
        columns += _innermost(accesses.stacks, accesses.pc)
    note = tr("No known tool writes it; it is read as described in the vendor's design document.")
    return Table("memory-accesses", tr("Memory accesses"), tuple(columns), "access", note=note)


def _coded(codes: I32, names: tuple[str, ...]) -> Coded:
    """Names of codes; unknown codes as numbers."""
    shift = int(min(codes.min(initial=0), 0))
    top = int(max(codes.max(initial=0), len(names) - 1))
    texts = [names[code] if 0 <= code < len(names) else str(code) for code in range(shift, top + 1)]
    return Coded((codes - shift).astype(np.int32), Strings.of(texts))


def _innermost(stacks: CallStacks, pc: U64) -> list[Column]:
    """Where each access comes from: the first frame of its call stack."""
    place: I64 = np.minimum(np.searchsorted(stacks.pc, pc), max(len(stacks.pc) - 1, 0))
    if not len(stacks.pc) or not len(stacks.function):
        return []
    known = (stacks.pc[place] == pc) & (stacks.first[place] < stacks.first[place + 1])
    frame = np.where(known, stacks.first[place], 0)
    line = np.where(known, stacks.line[frame], -1)
    return [
        Column("function", tr("Function"), Coded(np.where(known, stacks.function[frame], -1), stacks.strings)),
        Column("file", tr("File"), Coded(np.where(known, stacks.file[frame], -1), stacks.strings)),
        Column("line", tr("Line"), line, missing=line < 0, role="key"),
    ]
