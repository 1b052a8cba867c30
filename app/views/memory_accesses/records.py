"""The accesses that pass the filter, in the order they happened."""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from msgspec import Struct

from app.language import tr
from app.profile.arrays import F64, I32, I64, U8, U64, Bool
from app.profile.ascend import BLOCK_TYPES, OPERATIONS, SPACES, MemoryAccesses
from app.views.memory_accesses.addresses import TOP, AddressAxis, address_axis

LOAD, STORE, OTHER = 1, 2, 4
"""One bit for each kind of operation, so that a pixel can hold several."""
ALL = LOAD | STORE | OTHER


class Filter(Struct, frozen=True):
    """Which accesses to show; None passes all."""

    core: int | None = None
    block_type: int | None = None
    space: int | None = None
    kinds: int = ALL


class Records(Struct, frozen=True, eq=False):
    """``row`` of the section (int64, by rising record number); ``x``: float64 record number less the first; ``low``,
    ``high``: float64 positions on ``axis``; ``kind``: uint8 bits; ``origin``: the first record number; ``width``: the
    number of record numbers."""

    row: I64
    x: F64
    low: F64
    high: F64
    kind: U8
    axis: AddressAxis
    origin: int
    width: float


def kinds_of(operation: U8) -> U8:
    """uint8 kind bits, one per access."""
    table = np.full(256, OTHER, np.uint8)
    table[OPERATIONS.index("LOAD")], table[OPERATIONS.index("STORE")] = LOAD, STORE
    kinds: U8 = table[operation]
    return kinds


def chosen(section: MemoryAccesses, wanted: Filter) -> I64:
    """Rows that pass the filter, by rising record number."""
    kinds = np.zeros(256, np.bool_)
    kinds[[bit for bit in range(256) if bit & wanted.kinds]] = True
    inside: Bool = kinds[kinds_of(section.operation)]
    for value, column in (
        (wanted.core, section.core),
        (wanted.block_type, section.block_type),
        (wanted.space, section.space),
    ):
        if value is not None:
            inside &= column == value
    rows = np.flatnonzero(inside).astype(np.int64)
    numbers = section.record[rows]
    if len(rows) > 1 and not bool((numbers[1:] >= numbers[:-1]).all()):
        rows = rows[np.argsort(numbers, kind="stable")]
    return rows


def records(section: MemoryAccesses, wanted: Filter, *, compact: bool) -> Records:
    """The accesses that pass the filter, with positions on both axes."""
    rows = chosen(section, wanted)
    start: U64 = section.address[rows]
    size: U64 = section.size[rows]
    end = start + np.minimum(size, TOP - start)
    axis = address_axis(start, end, compact=compact)
    numbers = section.record[rows]
    origin = int(numbers[0]) if len(rows) else 0
    return Records(
        row=rows,
        x=(numbers - origin).astype(np.float64),
        low=axis.places(start),
        high=axis.places(end),
        kind=kinds_of(section.operation)[rows],
        axis=axis,
        origin=origin,
        width=float(numbers[-1] - origin + 1) if len(rows) else 1.0,
    )


def commonest(column: I32, among: Set[int]) -> int | None:
    """The most frequent value of ``column``; None if ``among``, its distinct values, has fewer than two."""
    if len(among) < 2:
        return None
    values, counts = np.unique(column, return_counts=True)
    return int(values[np.argmax(counts)])


def space_name(code: int) -> str:
    """The name of an address space; its number if unknown."""
    return SPACES[code] if 0 <= code < len(SPACES) else tr("space {code}", code=code)


def block_type_name(code: int) -> str:
    return BLOCK_TYPES[code] if 0 <= code < len(BLOCK_TYPES) else tr("type {code}", code=code)


def operation_name(code: int) -> str:
    return OPERATIONS[code] if 0 <= code < len(OPERATIONS) else tr("operation {code}", code=code)
