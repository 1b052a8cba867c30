"""Decodes blocks 0x0E and 0x0B: lines and sets of the L2 cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.formats.ascend_bin.addresses import Ranges
from app.formats.ascend_bin.blocks import CACHE_LINES
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.pieces import Column, pieces
from app.formats.ascend_bin.values import Values, objects
from app.language import plural, tr
from app.profile.arrays import U32, sealed
from app.profile.ascend import SET_FIELDS, Cache, CacheLines, CacheSide
from app.profile.profile import Section

_RECORD = 4 * len(SET_FIELDS)


def decode(parts: Sequence[Part]) -> tuple[Section, ...]:
    """One Cache from whichever of the two blocks exist (Ascend operator files, section 2.13)."""
    lines: CacheLines | None = None
    sets: U32 | None = None
    for part in parts:
        if part.block.type == CACHE_LINES:
            lines = _lines(part)
        else:
            sets = _sets(part)
    return (Cache(lines, sets),)


def _lines(part: Part) -> CacheLines:
    values = Values()
    records = objects(part.json().get("Cacheline Records"))
    lines = CacheLines(
        line=sealed(np.array([values.whole(record.get("Cacheline Id"), bits=63) for record in records], np.int64)),
        hits=_side([record.get("Hit") for record in records], values, part),
        misses=_side([record.get("Miss") for record in records], values, part),
    )
    part.report_odd(values)
    return lines


def _side(cells: list[Any], values: Values, part: Part) -> CacheSide:
    sides: list[dict[str, Any]] = [side if isinstance(side, dict) else {} for side in cells]
    pairs = [_pair(side.get("Value"), values) for side in sides]
    ranges = Ranges()
    ranges.add([side.get("Address Range") for side in sides])
    ranges.report(part)
    first, start, end = ranges.columns()
    return CacheSide(
        count=sealed(np.array([count for count, _ in pairs], np.float64)),
        ratio=sealed(np.array([ratio for _, ratio in pairs], np.float64)),
        first_range=first,
        range_start=start,
        range_end=end,
    )


def _pair(value: Any, values: Values) -> tuple[float, float]:
    pair = value if isinstance(value, list) and len(value) >= 2 else [None, None]
    return values.number(pair[0]), values.number(pair[1])


def _sets(part: Part) -> U32:
    """The cache sets: uint32[sets, 8], columns as in SET_FIELDS."""
    rest = part.block.size % _RECORD
    if rest:
        part.warn(
            tr("incomplete records"),
            plural(
                "{block} ends inside a record; its last {count:,} byte is not read",
                "{block} ends inside a record; its last {count:,} bytes are not read",
                count=rest,
                block=part.block.label,
            ),
        )
    sets = Column(np.uint32)
    for piece in pieces(part, 0, part.block.size - rest, "<u4"):
        sets.add(piece)
    table: U32 = sets.done().reshape(-1, len(SET_FIELDS))
    return table
