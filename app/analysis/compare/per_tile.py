"""Figures of all tiles of two profiles: tile by tile (or IPU by IPU), part by part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.table import Unit
from app.analysis.tile_breakdowns import Content, by_ipu, ipus
from app.profile.arrays import F64, Array, Bool

Reduce: TypeAlias = Callable[[Content, Array], F64]


class PartPair(Struct, frozen=True, eq=False):
    """One part of a figure. ``before``, ``after``: float64[places], NaN for no data and on places that this side
    lacks."""

    key: str
    title: str
    before: F64
    after: F64
    help: str


class PlacesCompared(Struct, frozen=True, eq=False):
    """A figure of the tiles (or IPUs) that either profile has, by number. ``before``, ``after``: as in PartPair, of all
    parts together; ``only_before``, ``only_after``: bool[places], those that the other profile lacks."""

    unit: Unit
    before: F64
    after: F64
    parts: tuple[PartPair, ...]
    only_before: Bool
    only_after: Bool

    @property
    def difference(self) -> F64:
        """float64[places]: after minus before; NaN where one side has no data."""
        return self.after - self.before


def tiles_compared(before: Content, after: Content) -> PlacesCompared:
    """Both figures by tile."""
    return _compared(before, after, (before.tiles, after.tiles), _of_tiles)


def ipus_compared(before: Content, after: Content, *, per_tile: bool = False) -> PlacesCompared:
    """Both figures by IPU: sums over its tiles (means of figures that do not add up). ``per_tile``: sums divided by the
    number of tiles, to compare IPUs of different sizes."""
    return _compared(before, after, (ipus(before), ipus(after)), _per_tile if per_tile else by_ipu)


def _of_tiles(_: Content, values: Array) -> F64:
    return values.astype(np.float64)


def _per_tile(content: Content, values: Array) -> F64:
    sums = by_ipu(content, values)
    if not content.adds_up:
        return sums
    owner = np.arange(content.tiles) // (content.per_ipu or max(content.tiles, 1))
    return sums / np.maximum(np.bincount(owner, minlength=len(sums)), 1)


def _compared(before: Content, after: Content, counts: tuple[int, int], reduce: Reduce) -> PlacesCompared:
    places = np.arange(max(counts))
    there = places < counts[0], places < counts[1]

    def side(content: Content, values: Array, inside: Bool) -> F64:
        made = np.full(len(places), np.nan)
        made[inside] = reduce(content, values)
        return made

    own = tuple({part[0]: part for part in content.parts} for content in (before, after))
    parts = []
    for key in dict.fromkeys((*own[1], *own[0])):
        shown = own[1].get(key) or own[0][key]
        sides = [
            side(content, known[key][2], inside) if key in known else np.where(inside, 0.0, np.nan)
            for content, known, inside in zip((before, after), own, there, strict=True)
        ]
        parts.append(PartPair(key, shown[1], sides[0], sides[1], shown[3]))
    totals = side(before, before.total, there[0]), side(after, after.total, there[1])
    return PlacesCompared(after.unit, *totals, tuple(parts), there[0] & ~there[1], there[1] & ~there[0])


def largest_first(parts: Sequence[PartPair], most: int, rest: str, *, by_difference: bool = False) -> list[PartPair]:
    """The parts that are not zero everywhere, the one with the largest sum of either side first; ``by_difference``:
    those that differ anywhere, the one that differs most first. Parts beyond ``most`` are merged under the name
    ``rest``."""
    weights = {id(part): _weight(part, by_difference) for part in parts}
    filled = sorted((part for part in parts if weights[id(part)]), key=lambda part: -weights[id(part)])
    if len(filled) <= most:
        return filled or list(parts[:1])
    others = filled[most - 1 :]
    before, after = (np.sum([getattr(part, side) for part in others], axis=0) for side in ("before", "after"))
    titles = ", ".join(part.title for part in others)
    return [*filled[: most - 1], PartPair("", rest, before, after, titles)]


def _weight(part: PartPair, by_difference: bool) -> float:
    if by_difference:
        return float(np.nansum(np.abs(part.after - part.before)))
    return max(float(np.nansum(np.abs(side))) for side in (part.before, part.after))
