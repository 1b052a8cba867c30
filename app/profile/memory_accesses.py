"""Individual memory accesses in chronological order."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import I32, I64, U8, U64
from app.profile.strings import Strings


class CallStacks(Struct, frozen=True, eq=False):
    """Call stacks by program counter, innermost frame first. ``pc``: uint64, ascending; stack s has the frames first[s]
    .. first[s + 1] - 1 (int64); ``module`` (one per stack), ``function``, ``file`` (one per frame): int32 ids into
    ``strings``, -1 none; ``line``, ``column``: int32, -1 none."""

    strings: Strings
    pc: U64
    module: I32
    first: I64
    function: I32
    file: I32
    line: I32
    column: I32


class MemoryAccesses(Struct, frozen=True, eq=False):
    """Block type 0x0A (Ascend operator files, section 2.13), one row per record.

    ``operation``, ``space``, ``block_type``: codes as stored (OPERATIONS, SPACES, BLOCK_TYPES); ``core``: int32;
    ``record``: int64; ``address``, ``size`` (bytes), ``pc``: uint64.
    """

    SECTION: ClassVar[str] = "memory_accesses"
    operation: U8
    core: I32
    space: I32
    block_type: U8
    record: I64
    address: U64
    size: U64
    pc: U64
    stacks: CallStacks | None = None


OPERATIONS = ("MALLOC", "FREE", "MEMCPY_BLOCKS", "LOAD", "STORE")
SPACES = ("PRIVATE", "GM", "L1", "L0A", "L0B", "L0C", "UB")
BLOCK_TYPES = ("AIV", "AIC")
