"""The steps of a run: compute, exchange and sync, one after another or overlapping."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64
from app.profile.strings import Strings

STEP_TYPES: Final = ("OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy", "CopySharedStructure", "Sync")
"""Known types, in display order."""


class Steps(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.2.3, in file order; -1 (NaN for balances) for missing fields.

    ``type``, ``name``, ``sync_type``: int32 text ids (types in the spelling of STEP_TYPES). ``program``,
    ``compute_set``: int32 indices; ``exchange``: int32 into the list of exchanges for the type. ``cycles`` (of the
    longest tile), ``cycles_from``, ``cycles_to`` (first and last cycle in which any tile ran it), ``overlapped``
    (cycles hidden under earlier steps): int64. ``active_tiles``: int32; ``data``: int64, bytes moved. ``tile_balance``,
    ``active_tile_balance``, ``data_balance``, ``thread_balance``: float64, 0..1. ``number``: of a stretch of a run, the
    number of each step in the whole.
    """

    SECTION: ClassVar[str] = "steps"
    strings: Strings
    type: I32
    name: I32
    sync_type: I32
    program: I32
    compute_set: I32
    exchange: I32
    cycles: I64
    cycles_from: I64
    cycles_to: I64
    overlapped: I64
    active_tiles: I32
    data: I64
    tile_balance: F64
    active_tile_balance: F64
    data_balance: F64
    thread_balance: F64
    number: I64 | None = None

    def __len__(self) -> int:
        return len(self.type)

    def of_type(self, *names: str) -> I64:
        """Indices of the steps of these types, ascending."""
        wanted = np.concatenate([self.strings.find(name) for name in names])
        return np.flatnonzero(np.isin(self.type, wanted)).astype(np.int64)
