"""The on-chip memory plan of a Triton kernel: which buffers are where, and for how long."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from msgspec import Struct, field

from app.profile.arrays import I32, I64, Bool
from app.profile.empty import no_rows
from app.profile.strings import Strings


class OnchipScopes(Struct, frozen=True, eq=False):
    """Memories (ub, cbuf, cc, ...). ``name``, ``status``, ``error``: int32[scopes] text ids, -1 none."""

    name: I32
    status: I32
    error: I32


class OnchipBlocks(Struct, frozen=True, eq=False):
    """One row per block; a buffer with several offsets (double buffering) has a block for each.

    ``scope``: int32 index into the scopes; ``buffer``, ``source``: int32 text ids, -1 none; ``part``: int32, which
    offset of its buffer; ``address`` and ``size``: int64 bytes; ``allocated``, ``start``, ``end``: int64, steps of the
    kernel's intermediate code, inclusive; all -1 if the file gives none. ``temporary``: bool.
    """

    scope: I32
    buffer: I32
    source: I32
    part: I32
    address: I64
    size: I64
    allocated: I64
    start: I64
    end: I64
    temporary: Bool

    def __len__(self) -> int:
        return len(self.scope)


class Onchip(Struct, frozen=True, eq=False):
    """memory_info.json (Ascend operator files, section 2.14)."""

    SECTION: ClassVar[str] = "onchip"
    kernel: str
    strings: Strings
    scopes: OnchipScopes = field(default_factory=partial(no_rows, OnchipScopes))
    blocks: OnchipBlocks = field(default_factory=partial(no_rows, OnchipBlocks))
