"""Blocks of a memory plan, checked one by one."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from app.language import tr
from app.profile.arrays import I32, I64, Bool, sealed
from app.profile.ascend_report import OnchipBlocks
from app.profile.strings import Interner

LIMIT = 1 << 62
MAX_BITS = 1 << 43
"""One terabyte; sums of such blocks fit into 64 bits."""


class Block(NamedTuple):
    """One row of OnchipBlocks."""

    scope: int
    buffer: int
    source: int
    part: int
    address: int
    size: int
    allocated: int
    start: int
    end: int
    temporary: bool


def of_buffer(record: Any, scope: int, strings: Interner) -> list[Block]:
    """The blocks of one entry of memory_info_array; ValueError states what is wrong with it. A buffer without offsets
    is a block without an address."""
    if not isinstance(record, dict):
        raise ValueError(tr("it is not an object"))
    extent = _whole(record, "extent")
    if not 0 <= extent < MAX_BITS:
        raise ValueError(tr("its extent is implausible for a memory"))
    life = record.get("life_time_in_ir")
    span = [-1, -1]
    if isinstance(life, list) and len(life) >= 2:
        span = [_number(life[0]), _number(life[1])]
    if min(span) < 0 or span[1] < span[0]:
        raise ValueError(tr("its lifetime {life} is not a range of steps", life=str(life)[:40]))
    offsets = record.get("offset")
    offsets = offsets if isinstance(offsets, list) else [] if offsets is None else [offsets]
    addresses = [_number(offset) for offset in offsets] or [-1]
    if offsets and min(addresses) < 0:
        raise ValueError(tr("its offsets are not addresses"))
    buffer, source = _text(record.get("buffer"), strings), _text(record.get("source_location"), strings)
    size, allocated = -(-extent // 8), _whole(record, "alloc_time_in_ir")  # the extent is in bits
    temporary = record.get("is_tmpbuf") is True
    return [
        Block(scope, buffer, source, part, address, size, allocated, span[0], span[1], temporary)
        for part, address in enumerate(addresses)
    ]


def columns(blocks: list[Block]) -> OnchipBlocks:
    """The blocks as columns."""

    def i32(name: str) -> I32:
        return sealed(np.array([getattr(block, name) for block in blocks], np.int32))

    def i64(name: str) -> I64:
        return sealed(np.array([getattr(block, name) for block in blocks], np.int64))

    temporary: Bool = sealed(np.array([block.temporary for block in blocks], np.bool_))
    return OnchipBlocks(
        scope=i32("scope"),
        buffer=i32("buffer"),
        source=i32("source"),
        part=i32("part"),
        address=i64("address"),
        size=i64("size"),
        allocated=i64("allocated"),
        start=i64("start"),
        end=i64("end"),
        temporary=temporary,
    )


def _whole(record: dict[str, Any], key: str) -> int:
    return _number(record.get(key))


def _number(value: Any) -> int:
    """An integer from 0 on; -1 for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < LIMIT else -1


def _text(value: Any, strings: Interner) -> int:
    return strings(value) if isinstance(value, str) and value else -1
