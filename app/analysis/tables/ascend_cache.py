"""Cache lines and sets, and single accesses to memory."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend.counts import count_column
from app.analysis.ascend.ratios import line_shares, percent
from app.analysis.table import Coded, Column, Table
from app.profile.arrays import I32, I64, U64
from app.profile.cache import SET_FIELDS
from app.profile.memory_accesses import BLOCK_TYPES, OPERATIONS, SPACES, CallStacks
from app.profile.profile import Profile
from app.profile.strings import Strings

SET_TITLES = {
    "load": "Loads",
    "store": "Stores",
    "line": "Cache line",
    "hit": "Hits",
    "miss": "Misses",
    "allocate": "Allocations",
    "evict_and_write": "Evictions with write",
    "evict_without_write": "Evictions without write",
}
"""What the fields of a cache set are called."""


def cache_lines(profile: Profile) -> Table | None:
    """One row a cache line (0x0E)."""
    lines = profile.cache.lines if profile.cache else None
    if lines is None or not len(lines.line):
        return None
    columns = [Column("line", "Cache line", lines.line, missing=lines.line < 0, role="key")]
    both = zip(("hit", "miss"), ("Hits", "Misses"), (lines.hits, lines.misses), line_shares(lines), strict=True)
    for key, title, side, share in both:
        columns.append(count_column(key, title, side.count))
        columns.append(Column(f"{key}_share", f"Share of {title.lower()}", share, "%", share_of="the line's events"))
        ranges = np.diff(side.first_range)
        columns.append(
            Column(f"{key}_ranges", f"{title}: address ranges", ranges, help="Of the instructions to blame.")
        )
    return Table("cache-lines", "Cache lines", tuple(columns), "cache_line")


def cache_sets(profile: Profile) -> Table | None:
    """One row a cache set (0x0B)."""
    sets = profile.cache.sets if profile.cache else None
    if sets is None or not len(sets):
        return None
    events = (sets[:, 0].astype(np.float64)) + sets[:, 1]
    columns = [Column(field, SET_TITLES[field], sets[:, n]) for n, field in enumerate(SET_FIELDS)]
    for number, field in enumerate(SET_FIELDS):
        if field != "line":
            share = percent(sets[:, number].astype(np.float64), events)
            title = f"Share of {SET_TITLES[field].lower()}"
            helped = "Count over loads and stores."
            columns.append(Column(f"{field}_share", title, share, "%", helped, share_of="loads and stores"))
    return Table("cache-sets", "Cache sets", tuple(columns), "cache_set")


def memory_accesses(profile: Profile) -> Table | None:
    """One row an access (0x0A)."""
    found = profile.memory_accesses
    if found is None or not len(found.record):
        return None
    columns = [
        Column("record", "Record", found.record, help="Rises in the order of execution.", role="key"),
        Column("operation", "Operation", _coded(found.operation.astype(np.int32), OPERATIONS)),
        Column("core", "Core", found.core, role="key"),
        Column("block_type", "Block type", _coded(found.block_type.astype(np.int32), BLOCK_TYPES)),
        Column("space", "Space", _coded(found.space, SPACES)),
        Column("address", "Address", found.address, hexadecimal=True),
        Column("size", "Size", found.size, "B"),
        Column("pc", "Program counter", found.pc, hexadecimal=True),
    ]
    if found.stacks is not None:
        columns += _innermost(found.stacks, found.pc)
    note = "Written by no producer that is known: read as the vendor's design document describes it."
    return Table("memory-accesses", "Memory accesses", tuple(columns), "access", note=note)


def _coded(codes: I32, names: tuple[str, ...]) -> Coded:
    """Names of codes; unknown ones by their number."""
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
        Column("function", "Function", Coded(np.where(known, stacks.function[frame], -1), stacks.strings)),
        Column("file", "File", Coded(np.where(known, stacks.file[frame], -1), stacks.strings)),
        Column("line", "Line", line, missing=line < 0, role="key"),
    ]
