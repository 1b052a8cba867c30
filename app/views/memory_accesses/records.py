"""The accesses that pass the filter, in the order they happened, over a compact axis of addresses; their tool tips."""

from __future__ import annotations

from collections.abc import Set

import numpy as np
from msgspec import Struct

from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, U8, U64, Bool
from app.profile.ascend import BLOCK_TYPES, OPERATIONS, SPACES, CallStacks, MemoryAccesses
from app.views.units import size

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
    numbers = section.record[rows]
    origin = int(numbers[0]) if len(rows) else 0
    width = float(numbers[-1] - origin + 1) if len(rows) else 1.0
    kinds = kinds_of(section.operation)[rows]
    return placed(section, rows, numbers - origin, kinds, origin=origin, width=width, compact=compact)


def placed(
    section: MemoryAccesses, rows: I64, x: I64, kinds: U8, *, origin: int = 0, width: float, compact: bool
) -> Records:
    """Rows of a section with positions ``x`` and those of their addresses."""
    start: U64 = section.address[rows]
    size: U64 = section.size[rows]
    end = start + np.minimum(size, TOP - start)
    axis = address_axis(start, end, compact=compact)
    low, high = axis.places(start), axis.places(end)
    return Records(rows, x.astype(np.float64), low, high, kinds, axis, origin, width)


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


MOST_FRAMES = 12


def about(section: MemoryAccesses, row: int, bytes_as: str, others: int = 0) -> str:
    """The tool tip of an access: all its fields in the file, and its call stack."""
    start, length = int(section.address[row]), int(section.size[row])
    shown = size(length, bytes_as)  # type: ignore[arg-type]
    exact = f" ({length:,} B)" if length >= 1024 else ""
    core, kind = int(section.core[row]), block_type_name(int(section.block_type[row]))
    lines: list[str] = [
        tr(
            "Record {record:,}: {operation_name}",
            record=int(section.record[row]),
            operation_name=operation_name(int(section.operation[row])),
        ),
        tr(
            "Address: {start} ({number:,}) to {end}",
            start=f"{start:#x}",
            number=start,
            end=f"{start + length:#x}",
        ),
        tr("Size: {shown}{exact}", shown=shown, exact=exact),
        tr("{space_name} of core {core}, {kind}", space_name=space_name(int(section.space[row])), core=core, kind=kind),
        tr("Program counter: {pc}", pc=f"{int(section.pc[row]):#x}"),
    ]
    if section.stacks is not None:
        lines += frames(section.stacks, int(section.pc[row]))
    if others:
        lines.append(tr("and {others:,} more at this pixel: zoom in to tell them apart", others=others))
    return "\n".join(lines)


def frames(stacks: CallStacks, pc: int) -> list[str]:
    """The call stack of a program counter, innermost first."""
    place = int(np.searchsorted(stacks.pc, np.uint64(pc)))
    if place >= len(stacks.pc) or int(stacks.pc[place]) != pc:
        return [tr("Call stack: not in the file")]
    first, after = int(stacks.first[place]), int(stacks.first[place + 1])
    module = stacks.strings.get(int(stacks.module[place]))
    lines: list[str] = [tr("Call stack{module}:", module=f" ({module})" if module else "")]
    for frame in range(first, min(after, first + MOST_FRAMES)):
        function = stacks.strings.get(int(stacks.function[frame])) or tr("unnamed function")
        file = stacks.strings.get(int(stacks.file[frame]))
        number = int(stacks.line[frame])
        where = tr(" at {file}{number}", file=file, number=f":{number}" if number >= 0 else "") if file else ""
        lines.append(f"  {function}{where}")
    if after - first > MOST_FRAMES:
        lines.append(
            plural(
                "  and {count:,} more frame",
                "  and {count:,} more frames",
                count=after - first - MOST_FRAMES,
            )
        )
    if after == first:
        lines.append(tr("  no frames"))
    return lines


TOP = np.uint64(np.iinfo(np.uint64).max)
MOST_GAPS = 48
WORTH = 0.1
"""A gap is shortened if it is longer than this share of the remaining address range."""
GAP_SHARE = 0.02
"""Length of a shortened gap, as a share of all addresses that are touched."""


class AddressAxis(Struct, frozen=True, eq=False):
    """Address ranges ``start`` .. ``end`` (uint64[ranges], rising, disjoint) and where each begins on the axis
    (``place``: float64); the axis reaches from 0 to ``size``. One unit is one byte, except in shortened gaps."""

    start: U64
    end: U64
    place: F64
    size: float

    def places(self, addresses: U64) -> F64:
        """Positions of addresses on the axis; an address in a gap gets the end of the range before it."""
        own = np.clip(np.searchsorted(self.start, addresses, "right") - 1, 0, len(self.start) - 1)
        inside = np.minimum(np.maximum(addresses, self.start[own]), self.end[own]) - self.start[own]
        return self.place[own] + inside.astype(np.float64)

    def address(self, place: float) -> int | None:
        """The address at a position; None in a gap."""
        own = max(int(np.searchsorted(self.place, place, "right")) - 1, 0)
        inside = max(place - float(self.place[own]), 0.0)
        start, end = int(self.start[own]), int(self.end[own])
        return start + int(inside) if inside <= end - start else None

    def gaps(self) -> list[tuple[float, float, int]]:
        """(from, to, number of bytes) of each shortened gap; from and to are positions on the axis."""
        lengths = (self.end - self.start).astype(np.float64)
        return [
            (float(self.place[n] + lengths[n]), float(self.place[n + 1]), int(self.start[n + 1]) - int(self.end[n]))
            for n in range(len(self.start) - 1)
        ]

    def ticks(self, low: float, high: float, most: int) -> list[tuple[float, int]]:
        """(position, address) of about ``most`` round addresses between two positions, and of the start of each
        range."""
        step = _round_step((high - low) / max(most, 1))
        marks: list[tuple[float, int]] = []
        for start, end, place in zip(self.start.tolist(), self.end.tolist(), self.place.tolist(), strict=True):
            if place > high or place + (end - start) < low:
                continue
            if place >= low:
                marks.append((place, start))
            first = -(-int(start + max(low - place, 0.0)) // step) * step
            last = min(end, start + int(max(high - place, 0.0)))
            for address in range(first, last + 1, step):
                at = place + (address - start)
                if not marks or at - marks[-1][0] >= step / 2:
                    marks.append((at, address))
        return marks


def address_axis(start: U64, end: U64, *, compact: bool) -> AddressAxis:
    """The axis of accesses to ``start`` .. ``end`` (uint64 each); without ``compact``, no gap is shortened."""
    if not len(start):
        empty = np.zeros(1, np.uint64)
        return AddressAxis(empty, empty + np.uint64(1), np.zeros(1), 1.0)
    order = np.argsort(start, kind="stable")
    begin, reach = start[order], np.maximum.accumulate(end[order])
    reach = np.minimum(np.maximum(reach, begin + (begin < TOP).astype(np.uint64)), TOP)
    apart: U64 = np.where(begin[1:] > reach[:-1], begin[1:] - reach[:-1], np.uint64(0))
    closed = _closed(apart, float(reach[-1] - begin[0])) if compact else np.zeros(len(apart), np.bool_)
    cuts = np.flatnonzero(closed)
    starts = begin[np.concatenate(([0], cuts + 1))]
    ends = reach[np.concatenate((cuts, [len(reach) - 1]))]
    lengths = (ends - starts).astype(np.float64)
    gap = GAP_SHARE * float(lengths.sum())
    before = np.concatenate(([0.0], np.cumsum(lengths[:-1] + gap)))
    return AddressAxis(starts, ends, before, max(float(before[-1] + lengths[-1]), 1.0))


def _closed(apart: U64, whole: float) -> Bool:
    """bool[gaps]: gaps to shorten, from the largest on, as long as each exceeds its share of the remaining range."""
    closed = np.zeros(len(apart), np.bool_)
    left = whole
    for place in np.argsort(apart, kind="stable")[::-1][:MOST_GAPS].tolist():
        gap = float(apart[place])
        if gap <= WORTH * (left - gap):
            break
        closed[place] = True
        left -= gap
    return closed


def _round_step(rough: float) -> int:
    """The next power of two at or above ``rough``."""
    return 1 << max(int(np.ceil(np.log2(max(rough, 1.0)))), 0)
