"""An axis of addresses on which stretches that nobody touches take little room. No Qt.

Tensors lie gigabytes apart; drawn to scale, each would be a line of one pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import F64, U64, Bool

TOP = np.uint64(np.iinfo(np.uint64).max)
MOST_GAPS = 48
WORTH = 0.1
"""A gap is closed where it is longer than this share of everything that is touched."""
GAP_SHARE = 0.02
"""What a closed gap takes, as a share of everything that is touched."""


@dataclass(frozen=True, slots=True, eq=False)
class AddressAxis:
    """Stretches ``start`` .. ``end`` (uint64[stretches], rising, apart from one another) and where each begins on
    the axis (``place``: float64); 0 .. ``size`` is all of it. One unit of the axis is one byte but for the gaps."""

    start: U64
    end: U64
    place: F64
    size: float

    def places(self, addresses: U64) -> F64:
        """Where the addresses lie; one in a gap, at the end of the stretch before it."""
        own = np.clip(np.searchsorted(self.start, addresses, "right") - 1, 0, len(self.start) - 1)
        inside = np.minimum(np.maximum(addresses, self.start[own]), self.end[own]) - self.start[own]
        return self.place[own] + inside.astype(np.float64)

    def address(self, place: float) -> int | None:
        """The address at a place; None in a gap."""
        own = max(int(np.searchsorted(self.place, place, "right")) - 1, 0)
        inside = max(place - float(self.place[own]), 0.0)
        start, end = int(self.start[own]), int(self.end[own])
        return start + int(inside) if inside <= end - start else None

    def gaps(self) -> list[tuple[float, float, int]]:
        """(from, to) of each closed gap on the axis, and how many bytes it stands for."""
        lengths = (self.end - self.start).astype(np.float64)
        return [
            (float(self.place[n] + lengths[n]), float(self.place[n + 1]), int(self.start[n + 1]) - int(self.end[n]))
            for n in range(len(self.start) - 1)
        ]

    def ticks(self, low: float, high: float, most: int) -> list[tuple[float, int]]:
        """(place, address) of round addresses between two places, about ``most`` of them, and of the beginning of
        each stretch."""
        step = _round_step((high - low) / max(most, 1))
        found: list[tuple[float, int]] = []
        for start, end, place in zip(self.start.tolist(), self.end.tolist(), self.place.tolist(), strict=True):
            if place > high or place + (end - start) < low:
                continue
            if place >= low:
                found.append((place, start))
            first = -(-int(start + max(low - place, 0.0)) // step) * step
            last = min(end, start + int(max(high - place, 0.0)))
            for address in range(first, last + 1, step):
                at = place + (address - start)
                if not found or at - found[-1][0] >= step / 2:
                    found.append((at, address))
        return found


def address_axis(start: U64, end: U64, *, compact: bool) -> AddressAxis:
    """The axis of accesses to ``start`` .. ``end`` (uint64 each); without ``compact`` every byte counts."""
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
    """Which gaps take more room than they are worth: the largest ones, as long as they outweigh what is left."""
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
    """The power of two that is just larger."""
    return 1 << max(int(np.ceil(np.log2(max(rough, 1.0)))), 0)
