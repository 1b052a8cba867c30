"""Links between instructions and their memory operations: cache lines by address ranges, accesses by program
counters."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend.links import NONE, in_ranges
from app.profile.arrays import I64, Bool, Ragged, distinct, union
from app.profile.ascend import CacheLines, CacheSide, Instructions
from app.profile.profile import Profile


def hit_instructions(profile: Profile, chosen: I64) -> I64:
    """Instructions in the address ranges of the lines' hits, both ends inclusive."""
    lines = _lines(profile)
    return NONE if lines is None else _instructions_of(profile, lines.hits, chosen)


def miss_instructions(profile: Profile, chosen: I64) -> I64:
    """Instructions in the address ranges of the lines' misses."""
    lines = _lines(profile)
    return NONE if lines is None else _instructions_of(profile, lines.misses, chosen)


def line_instructions(profile: Profile, chosen: I64) -> I64:
    """Instructions that hit or missed the cache lines."""
    return union(hit_instructions(profile, chosen), miss_instructions(profile, chosen))


def instruction_hits(profile: Profile, chosen: I64) -> I64:
    """Cache lines that the instructions hit."""
    lines = _lines(profile)
    return NONE if lines is None else _lines_of(profile, lines.hits, chosen)


def instruction_misses(profile: Profile, chosen: I64) -> I64:
    """Cache lines that the instructions missed."""
    lines = _lines(profile)
    return NONE if lines is None else _lines_of(profile, lines.misses, chosen)


def instruction_cache_lines(profile: Profile, chosen: I64) -> I64:
    """Cache lines that the instructions hit or missed."""
    return union(instruction_hits(profile, chosen), instruction_misses(profile, chosen))


def same_line(profile: Profile, chosen: I64) -> I64:
    """The same rows: a line and its hits or misses have the same index."""
    lines = _lines(profile)
    return NONE if lines is None else distinct(chosen[(chosen >= 0) & (chosen < len(lines.line))])


def access_instructions(profile: Profile, chosen: I64) -> I64:
    """Instructions at the program counters of the accesses."""
    accesses, instructions = profile.memory_accesses, profile.instructions
    if accesses is None or instructions is None:
        return NONE
    chosen = chosen[(chosen >= 0) & (chosen < len(accesses.pc))]
    counters = distinct(accesses.pc[chosen])
    addresses = counters[counters <= np.uint64(np.iinfo(np.int64).max)].astype(np.int64)
    return in_ranges(instructions, addresses, addresses)


def instruction_accesses(profile: Profile, chosen: I64) -> I64:
    """Accesses whose program counter is the address of one of the instructions."""
    accesses, instructions = profile.memory_accesses, profile.instructions
    if accesses is None or instructions is None:
        return NONE
    addresses = _addresses(instructions, chosen)
    hits: Bool = np.isin(accesses.pc, addresses.astype(np.uint64))
    return np.flatnonzero(hits).astype(np.int64)


def _lines(profile: Profile) -> CacheLines | None:
    return None if profile.cache is None else profile.cache.lines


def _instructions_of(profile: Profile, side: CacheSide, chosen: I64) -> I64:
    if profile.instructions is None:
        return NONE
    chosen = chosen[(chosen >= 0) & (chosen < len(side.first_range) - 1)]
    owner: I64 = Ragged(side.first_range, side.first_range).owner
    ranges = np.flatnonzero(np.isin(owner, chosen))
    return in_ranges(profile.instructions, side.range_start[ranges], side.range_end[ranges])


def _lines_of(profile: Profile, side: CacheSide, chosen: I64) -> I64:
    if profile.instructions is None:
        return NONE
    addresses = np.sort(_addresses(profile.instructions, chosen))
    begin = np.searchsorted(addresses, side.range_start, "left")
    end = np.searchsorted(addresses, side.range_end, "right")
    owner: I64 = Ragged(side.first_range, side.first_range).owner
    rows: I64 = distinct(owner[end > begin])
    return rows


def _addresses(instructions: Instructions, chosen: I64) -> I64:
    addresses: I64 = instructions.address[chosen[(chosen >= 0) & (chosen < len(instructions.address))]]
    return distinct(addresses[addresses >= 0])
