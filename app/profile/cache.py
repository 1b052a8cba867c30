"""Activity of the lines and sets of the L2 cache."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import F64, I64, U32


class CacheSide(Struct, frozen=True, eq=False):
    """Hits or misses of each cache line.

    ``count``, ``ratio`` (0..1): float64[lines], NaN for no data. The instructions that caused those of line l are at
    addresses range_start[r] .. range_end[r] (int64, inclusive) for r in first_range[l] .. first_range[l + 1] - 1
    (int64[lines + 1]).
    """

    count: F64
    ratio: F64
    first_range: I64
    range_start: I64
    range_end: I64


class CacheLines(Struct, frozen=True, eq=False):
    """Block type 0x0E (Ascend operator files, section 2.13). ``line``: int64 ids, -1 unknown."""

    line: I64
    hits: CacheSide
    misses: CacheSide


class Cache(Struct, frozen=True, eq=False):
    """``lines`` from 0x0E. ``sets`` from 0x0B: uint32[sets, 8], columns as in SET_FIELDS."""

    SECTION: ClassVar[str] = "cache"
    lines: CacheLines | None = None
    sets: U32 | None = None


SET_FIELDS = ("load", "store", "line", "hit", "miss", "allocate", "evict_and_write", "evict_without_write")
