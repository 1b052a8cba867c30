"""Memory of each tile by region, by category, and by whether it is always live."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

from app.profile.arrays import I32, Bool, Integers

REGIONS: Final = ("interleaved", "nonInterleaved", "overflowed")


class Categories(Struct, frozen=True, eq=False):
    """Bytes by category of use.

    Part p is the share of category ``names[category[p]]`` in region ``REGIONS[region[p]]``; ``overlapped[p]`` says
    whether it shares addresses with variables that are never live at the same time; ``bytes[p]`` has its size per tile.
    ``category``, ``region``: int32[parts]; ``overlapped``: bool[parts]; ``bytes``: narrow integers [parts, tiles].
    ``totals``: [totalled, tiles], the sum that the file states for category ``names[total_of[i]]`` (``total_of``:
    int32[totalled]).
    """

    names: tuple[str, ...]
    category: I32
    region: I32
    overlapped: Bool
    bytes: Integers
    total_of: I32
    totals: Integers


class TileMemory(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.8. Arrays are integers [tiles], in bytes; None if not in the file.

    ``tiles``: length of the arrays; for a replicated graph only those of one replica. ``interleaved``,
    ``non_interleaved``, ``overflowed``: the regions, without and with the gaps between variables; ``total``: their sum
    without gaps; ``total_with_gaps``: what has to fit on the tile (the end of the last region, which is not a sum).
    ``always_live``: bytes that are live all the time; ``temporary_max``: the maximum of temporarily live bytes over the
    whole program.
    """

    SECTION: ClassVar[str] = "tile_memory"
    tiles: int
    interleaved: Integers | None = None
    interleaved_with_gaps: Integers | None = None
    non_interleaved: Integers | None = None
    non_interleaved_with_gaps: Integers | None = None
    overflowed: Integers | None = None
    overflowed_with_gaps: Integers | None = None
    total: Integers | None = None
    total_with_gaps: Integers | None = None
    categories: Categories | None = None
    always_live: Integers | None = None
    temporary_max: Integers | None = None
