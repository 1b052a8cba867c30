"""Data transfers between the memories of each block."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from msgspec import Struct, field

from app.profile.arrays import F64, I32, Bool
from app.profile.empty import no_rows
from app.profile.strings import Strings


class MemoryBlocks(Struct, frozen=True, eq=False):
    """One row per block. ``block`` (its number, or "NA"), ``operator_type``, ``soc`` (the short family name: 910B,
    310P, 910A5): int32 ids into the section's strings, -1 none. Float64 with NaN for no data: the L2
    cache's ``hit``, ``miss``, ``total`` and ``hit_rate`` (percent, as stated in the file); for cube, vector 0 and
    vector 1 (columns of [blocks, 3]) ``unit_cycles``, ``unit_total_cycles`` and ``unit_ratio`` (percent)."""

    block: I32
    operator_type: I32
    soc: I32
    hit: F64
    miss: F64
    total: F64
    hit_rate: F64
    unit_cycles: F64
    unit_total_cycles: F64
    unit_ratio: F64
    advice: tuple[tuple[str, ...], ...]


class MemoryPaths(Struct, frozen=True, eq=False):
    """Block type 0x08 (Ascend operator files, section 2.9), one row per path of a block.

    ``entry``: int32 row of ``blocks``; ``path``: int32 number (section 3.1), -1 unknown; float64 with NaN for no data:
    ``request`` (count), ``bandwidth`` (GB/s), ``peak`` (percent of the path's theoretical bandwidth); ``display``:
    bool; ``bandwidth_suffix``, ``request_suffix``: int32 ids into ``strings``, -1 none.
    """

    SECTION: ClassVar[str] = "memory_paths"
    strings: Strings
    entry: I32
    path: I32
    request: F64
    bandwidth: F64
    peak: F64
    display: Bool
    bandwidth_suffix: I32
    request_suffix: I32
    blocks: MemoryBlocks = field(default_factory=partial(no_rows, MemoryBlocks))


UNIT_NAMES = ("Cube", "Vector", "Vector1")
"""The columns of ``unit_cycles``, ``unit_total_cycles`` and ``unit_ratio``, by the file's keys."""
