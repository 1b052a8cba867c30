"""The amounts of a baseline behind a plot, and what is said of a place that both profiles have."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.analysis.table import Unit
from app.language import labelled, tr
from app.profile.arrays import F64, Array, Bool
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON, compared_with, difference_of
from app.views.look import Look
from app.views.units import format_value


class Sides(Struct, frozen=True, eq=False):
    """``before``, ``after``: float64[places], the amount of each place in the baseline and in the comparison, NaN for
    no data. ``layers``: the same of each layer of the plot. ``only_before``, ``only_after``: bool[places], the places
    that only one of them has."""

    before: F64
    after: F64
    only_before: Bool
    only_after: Bool
    layers: tuple[tuple[F64, F64], ...] = ()

    def words(self, place: int, unit: Unit, look: Look, clock_hz: float | None, *, signed: bool) -> str:
        """The amounts of a place; ``signed``: the difference comes first."""
        before, after = float(self.before[place]), float(self.after[place])
        only = self.only(place)
        if only:
            amount = after if self.only_after[place] else before
            return only if math.isnan(amount) else labelled(only, format_value(_whole(amount), unit, look, clock_hz))
        if not signed:
            shown = tr("no data") if math.isnan(after) else format_value(_whole(after), unit, look, clock_hz)
            return f"{shown} · {compared_with(before, after, unit, look, clock_hz)}"
        return self._signed(before, after, unit, look, clock_hz)

    def layer_words(self, place: int, layer: int, unit: Unit, look: Look, clock_hz: float | None) -> str:
        """The amounts of a layer of a place, the difference first."""
        before, after = (float(side[place]) for side in self.layers[layer])
        return self._signed(before, after, unit, look, clock_hz)

    def only(self, place: int) -> str:
        """Which side alone has a place; "" if both have."""
        return ONLY_BASELINE if self.only_before[place] else ONLY_COMPARISON if self.only_after[place] else ""

    def _signed(self, before: float, after: float, unit: Unit, look: Look, clock_hz: float | None) -> str:
        texts = [
            tr("no data") if math.isnan(side) else format_value(_whole(side), unit, look, clock_hz)
            for side in (before, after)
        ]
        sides = tr("baseline {before}, comparison {after}", before=texts[0], after=texts[1])
        if math.isnan(before) or math.isnan(after):
            return sides
        return f"{difference_of(_whole(before), _whole(after), unit, look, clock_hz)} · {sides}"


def sides_of(
    before: Sequence[tuple[str, Array]], after: Sequence[tuple[str, Array]], counts: tuple[int, int]
) -> tuple[tuple[str, ...], Sides]:
    """(names of the layers, their amounts): those of the layers (name, amounts) of each side, which have ``counts``
    places. A layer that one side lacks is 0 on its places."""
    places = np.arange(max(counts))
    known = dict(before), dict(after)
    names = tuple(dict.fromkeys((*known[1], *known[0])))

    def amounts(side: int, name: str) -> F64:
        made = np.where(places < counts[side], 0.0, np.nan)
        if name in known[side]:
            made[: counts[side]] = known[side][name]
        return made

    layers = tuple((amounts(0, name), amounts(1, name)) for name in names)
    totals = [np.sum([layer[side] for layer in layers], axis=0) if layers else np.zeros(0) for side in (0, 1)]
    return names, Sides(totals[0], totals[1], places >= counts[1], places >= counts[0], layers)


def _whole(amount: float) -> float | int:
    return int(amount) if amount.is_integer() else amount
