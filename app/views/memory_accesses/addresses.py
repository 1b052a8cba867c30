"""An address axis on which ranges without accesses are shortened.

Tensors are gigabytes apart; drawn to scale, each would be a line of one pixel."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, U64, Bool

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
