"""A plot of amounts per tile, independent of any screen: its contents, one bar per column of pixels, and the baseline.

A column that covers several tiles shows the largest, so that the worst tile is always visible, and also has the
smallest, so that the picture does not suggest that all are like the worst.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import Unit
from app.language import labelled, tr
from app.profile.arrays import F64, I64, U8, Array, Bool
from app.views.axis import TileAxis
from app.views.colours import QUIET, blend, fitted, palette
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON, compared_with, difference_of
from app.views.look import Look, Theme
from app.views.units import change, exact, format_value

ROUNDING = 1e-9
"""Keeps a place on the edge between two columns from being lost to rounding."""


class Folded(Struct, frozen=True, eq=False):
    """Per pixel column: ``first`` .. ``after`` - 1 the places it covers, ``worst`` the one with the largest total
    (int64); ``most`` and ``least`` the largest and smallest total (float64, NaN without data)."""

    first: I64
    after: I64
    worst: I64
    most: F64
    least: F64


def fold(totals: F64, start: float, end: float, width: int) -> Folded:
    """The places start..end of ``totals`` (float64, NaN for no data) in ``width`` pixel columns. Where columns are
    wider than places, each place belongs to exactly one column; else each column shows one place."""
    edges = np.floor(np.linspace(start, end, width + 1) + ROUNDING).astype(np.int64)
    if end >= len(totals):
        edges[-1] = len(totals)
    first = np.clip(edges[:-1], 0, len(totals) - 1)
    after = np.clip(np.maximum(edges[1:], first + 1), 1, len(totals))
    if end - start <= width:
        return Folded(first, after, first, totals[first], totals[first])
    low = int(first[0])
    part = totals[low : int(after[-1])]
    known = np.where(np.isnan(part), -np.inf, part)
    most = np.maximum.reduceat(known, first - low)
    owners = np.repeat(np.arange(width), after - first)
    hits = np.flatnonzero(known == most[owners])
    _, firsts = np.unique(owners[hits], return_index=True)
    worst = hits[firsts] + low
    return Folded(first, after, worst, totals[worst], np.fmin.reduceat(part, first - low))


def raster(tops: I64, height: int) -> U8:
    """uint8[height, columns]: how many of the stacked edges ``tops`` (int64[layers, columns], pixels from the top, the
    topmost edge first) are at or above each pixel: 0 above the stack, 1 in its topmost layer."""
    steps = np.zeros((height + 1, tops.shape[1]), np.uint8)
    columns = np.arange(tops.shape[1])
    for edge in tops:
        steps[np.clip(edge, 0, height), columns] += 1
    return np.cumsum(steps[:height], axis=0, dtype=np.uint8)


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


OTHERS = tr("Others")
GAPS = tr("Gaps")
"""A layer of unused memory: it is counted, but has hardly any colour."""
UNUSED = 0.3
ALL = tr("All parts")
BASELINE = tr("Baseline (dashed)")
MORE, LESS = tr("More"), tr("Less")


class Limit(Struct, frozen=True):
    """A named horizontal line across the plot."""

    value: float
    name: str


class PlotPicture(Struct, frozen=True, eq=False, dict=True):
    """``layers`` (each [places], amounts in ``unit``) are stacked, the first at the bottom; ``totals``: float64, their
    sum, NaN where there is no data; ``top``: the largest amount that has to be visible; ``colours``: one per layer, or
    () for those of the names. ``grouped``: the layers are side by side instead (their amounts do not add up), and a
    total is the largest of them. ``lines``: each layer is a line from zero, and so is their sum. ``helps``: the meaning
    of each layer, or (). ``sides``: of a profile with a baseline, the amounts of both; the total of the baseline is an
    outline over the bars. ``signed``: the layers are differences instead, stacked upwards and downwards from zero.
    ``baseline_limit``: the limit of the baseline, if it is another one."""

    title: str
    unit: Unit
    axis: TileAxis
    names: tuple[str, ...]
    layers: tuple[Array, ...]
    totals: F64
    top: float
    limit: Limit | None = None
    colours: tuple[str, ...] = ()
    clock_hz: float | None = None
    grouped: bool = False
    lines: bool = False
    helps: tuple[str, ...] = ()
    sides: Sides | None = None
    signed: bool = False
    baseline_limit: Limit | None = None

    @cached_property
    def highs(self) -> F64:
        """float64[places]: the amounts above zero stacked, NaN without data; 0 is the least (cached)."""
        return self._stacked(1)

    @cached_property
    def lows(self) -> F64:
        """float64[places]: the amounts below zero stacked, NaN without data; 0 is the most (cached)."""
        return -self._stacked(-1)

    def _stacked(self, sign: int) -> F64:
        sums = np.where(np.isnan(self.totals), np.nan, 0.0)
        for layer in self.layers:
            sums = sums + np.maximum(sign * np.nan_to_num(np.asarray(layer, np.float64)), 0.0)
        return sums

    @cached_property
    def bottom(self) -> float:
        """The lowest amount that has to be visible: 0, or below it for differences (cached)."""
        return min(float(np.nanmin(self.lows)), 0.0) if self.signed and not np.isnan(self.lows).all() else 0.0

    @property
    def legend_names(self) -> tuple[str, ...]:
        """The texts of the legend; () without one."""
        names = self.names if len(self.names) > 1 else (MORE, LESS) if self.signed else ()
        if self.sides is None:
            return names
        outline = () if self.signed else (BASELINE,)
        sides = ((self.sides.only_before, ONLY_BASELINE), (self.sides.only_after, ONLY_COMPARISON))
        return (*outline, *names, *(text for places, text in sides if bool(places.any())))

    def fills(self, theme: Theme) -> tuple[str, ...]:
        """The colour of each layer."""
        if self.colours:
            return self.colours
        if len(self.names) == 1 and self.signed:
            return (theme.more,)
        if len(self.names) == 1:
            return (fitted(QUIET, theme),)  # so that the selection stands out
        quiet = {OTHERS: theme.muted, GAPS: blend(theme.surface, theme.muted, UNUSED)}
        chosen = palette((name for name in self.names if name not in quiet), theme) | quiet
        return tuple(chosen[name] for name in self.names)

    def largest(self, block: range) -> int:
        """The place of a block with the largest total (of differences: in either direction); its first if none has
        data."""
        part = slice(block.start, block.stop)
        totals = np.maximum(self.highs[part], -self.lows[part]) if self.signed else self.totals[part]
        return block.start + int(np.argmax(np.where(np.isnan(totals), -np.inf, totals)))

    def describe(self, first: int, after: int, worst: int, look: Look) -> str:
        """The description of a pixel column: the place it shows, its layers, and how many places it covers."""
        total = float(self.totals[worst])
        if self.sides is not None:
            return self._compared(self.sides, after - first, worst, look)
        if np.isnan(total):
            return tr("{name}: no data", name=self.axis.name(worst))
        text: str = labelled(self.axis.name(worst), self._figure(total, look))
        if self.grouped and len(self.names) > 1:
            text = f"{self.axis.name(worst)}: " + ", ".join(self._parts(worst, look))
        if self.limit is not None and self.limit.value > 0:
            text += tr(", {total} % of {limit}", total=f"{100 * total / self.limit.value:.1f}", limit=self.limit.name)
        if after - first > 1:
            text += tr(" · max of {after:,} here", after=after - first)
        if len(self.names) > 1 and not self.grouped:
            text += " · " + ", ".join(self._parts(worst, look))
        return text

    def _compared(self, sides: Sides, covered: int, worst: int, look: Look) -> str:
        words = sides.words(worst, self.unit, look, self.clock_hz, signed=self.signed)
        text: str = labelled(self.axis.name(worst), words)
        if covered > 1:
            text += (
                tr(" · largest difference of {covered:,} here", covered=covered)
                if self.signed
                else tr(" · max of {after:,} here", after=covered)
            )
        if len(self.names) > 1 and not sides.only(worst):
            text += " · " + ", ".join(self._parts(worst, look))
        return text

    def about(self, layer: int) -> str:
        """The meaning of a layer; "" if it is not known, and for the sum of all (-1)."""
        return self.helps[layer] if 0 <= layer < len(self.helps) else ""

    def layer_tip(self, place: int, layer: int, look: Look) -> str:
        """The tool tip of a layer of a place: where, how much of what, and its meaning."""
        amount = float(self.layers[layer][place])
        if self.sides is not None and self.sides.layers:
            words = self.sides.layer_words(place, layer, self.unit, look, self.clock_hz)
            lines = self.axis.name(place), self.sides.only(place), labelled(self.names[layer], words), self.about(layer)
            return "\n".join(line for line in lines if line)
        figure = tr("no data") if np.isnan(amount) else self._figure(amount, look)
        return "\n".join(
            line for line in (self.axis.name(place), labelled(self.names[layer], figure), self.about(layer)) if line
        )

    def _parts(self, place: int, look: Look, most: int = 4) -> list[str]:
        amounts = [(float(layer[place]), name) for layer, name in zip(self.layers, self.names, strict=True)]
        if self.signed:
            largest = sorted(amounts, key=lambda part: -abs(part[0]))[:most]
            return [f"{name} {change(_whole(part), self.unit, look, self.clock_hz)}" for part, name in largest if part]
        shown = amounts if self.grouped else [part for part in sorted(amounts, reverse=True)[:most] if part[0] > 0]
        return [f"{name} {format_value(_whole(amount), self.unit, look, self.clock_hz)}" for amount, name in shown]

    def _figure(self, amount: float, look: Look) -> str:
        shown = format_value(_whole(amount), self.unit, look, self.clock_hz)
        full = exact(_whole(amount), self.unit)
        return shown if shown == full else f"{shown} ({full})"


def plot_picture(
    title: str,
    unit: Unit,
    axis: TileAxis,
    layers: Sequence[tuple[str, Array]],
    *,
    limit: Limit | None = None,
    colours: tuple[str, ...] = (),
    clock_hz: float | None = None,
    grouped: bool = False,
    lines: bool = False,
    helps: tuple[str, ...] = (),
    sides: Sides | None = None,
    baseline_limit: Limit | None = None,
) -> PlotPicture:
    """A picture of stacked ``layers`` (name, amounts); NaN in any of them leaves the place without data. ``grouped``
    puts them side by side; then a place has no data only if all are NaN. ``lines`` draws each, and their sum, as a
    line. ``sides``: the amounts of a baseline as well."""
    totals = np.full(axis.size, np.nan) if grouped else np.zeros(axis.size, np.float64)
    for _, amounts in layers:
        totals = np.fmax(totals, amounts) if grouped else totals + amounts
    known = totals[~np.isnan(totals)]
    top = max(float(known.max()) if len(known) else 0.0, *(line.value for line in (limit, baseline_limit) if line), 0.0)
    if sides is not None:
        top = max(top, float(np.fmax.reduce(sides.before, initial=0.0)))
    names, stacked = tuple(name for name, _ in layers), tuple(amounts for _, amounts in layers)
    return PlotPicture(
        title,
        unit,
        axis,
        names,
        stacked,
        totals,
        top,
        limit,
        colours,
        clock_hz,
        grouped,
        lines and not grouped,
        helps,
        sides,
        baseline_limit=baseline_limit,
    )


def difference_plot(
    title: str,
    unit: Unit,
    axis: TileAxis,
    names: Sequence[str],
    sides: Sides,
    *,
    colours: tuple[str, ...] = (),
    clock_hz: float | None = None,
    lines: bool = False,
    helps: tuple[str, ...] = (),
) -> PlotPicture:
    """A picture of the differences of ``sides``, layer by layer (``names``). Places that only one side has have no
    difference."""
    alone = sides.only_before | sides.only_after
    layers = tuple(np.where(alone, np.nan, after - before) for before, after in sides.layers)
    totals = np.where(alone, np.nan, sides.after - sides.before)
    made = PlotPicture(
        *(title, unit, axis, tuple(names), layers, totals, 0.0),
        colours=colours,
        clock_hz=clock_hz,
        lines=lines,
        helps=helps,
        sides=sides,
        signed=True,
    )
    return replace(made, top=max(float(np.fmax.reduce(made.highs, initial=0.0)), 0.0))


def _whole(amount: float) -> float | int:
    return int(amount) if amount.is_integer() else amount
