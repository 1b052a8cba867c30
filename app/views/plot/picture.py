"""The contents of a plot of amounts per tile, independent of any screen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.table import Unit
from app.language import labelled, tr
from app.profile.arrays import F64, Array
from app.views.colours import QUIET, blend, fitted, palette
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON
from app.views.look import Look
from app.views.plot.sides import Sides
from app.views.theme import Theme
from app.views.tile_axis import TileAxis
from app.views.units import change, exact, format_value

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
