"""Ticks of an axis for its visible interval."""

from __future__ import annotations

import math

from app.views.chart.model import Axis, Tick
from app.views.timeline.ticks import amount_ticks, multiples, nice_step
from app.views.units import plain

FEW = 2.2
"""Decades: if fewer are visible, multiples of powers of ten also have lines, and some of them labels."""
TICK_SPACE = 40.0
"""Least pixels between two labels of an axis of counts or amounts."""
WITH_FIGURE = (1, 2, 5)
LEAST_LABELS = 2
"""Labels that an axis needs to be read."""
DECADE = 160.0
"""Least pixels of a decade that has space for three labels."""


def ticks_of(axis: Axis, start: float, end: float, pixels: float) -> list[Tick]:
    """The ticks between two places of an axis that are ``pixels`` apart."""
    if axis.named:
        return [tick for tick in axis.named if start - 1e-9 <= tick.place <= end + 1e-9]
    if axis.log:
        return log_ticks(axis, start, end, pixels)
    if axis.scale is not None:
        most = max(1, int(pixels / TICK_SPACE))
        amounts = amount_ticks(axis.value(start), axis.value(end), axis.scale, most)
        return [Tick(axis.place(amount), text) for amount, text in amounts]
    return whole_ticks(axis, start, end, pixels)


def whole_ticks(axis: Axis, start: float, end: float, pixels: float) -> list[Tick]:
    """Ticks at round integers, for an axis of counts."""
    step = max(1.0, nice_step(end - start, max(1, int(pixels / TICK_SPACE))))
    values = multiples(axis.value(start), axis.value(end), step)
    return [Tick(axis.place(value), plain(round(value))) for value in values]


def log_ticks(axis: Axis, start: float, end: float, pixels: float = 0.0) -> list[Tick]:
    """Ticks at the powers of ten between two places of a logarithmic axis, and at their multiples if few decades are
    visible; also at 2 and 5 times them if there is space for labels."""
    factors: tuple[int, ...] = (1,)
    if end - start < FEW:
        factors = tuple(range(1, 10))
    elif pixels >= DECADE * (end - start):
        factors = WITH_FIGURE
    origin = math.log10(axis.low)
    ticks = []
    for power in range(math.floor(start + origin), math.ceil(end + origin) + 1):
        for factor in factors:
            place = power + math.log10(factor) - origin
            if start - 1e-9 <= place <= end + 1e-9:
                ticks.append(Tick(place, figure(factor, power) if factor in WITH_FIGURE else ""))
    if pixels and sum(bool(tick.label) for tick in ticks) < LEAST_LABELS:
        return round_ticks(axis, start, end, pixels)
    return ticks


def round_ticks(axis: Axis, start: float, end: float, pixels: float) -> list[Tick]:
    """Ticks at multiples of a round number, for a part of a logarithmic axis that is too short for other labels."""
    low, high = axis.value(start), axis.value(end)
    step = nice_step(high - low, max(1, int(pixels / TICK_SPACE)))
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return [Tick(axis.place(value), _rounded(value, decimals)) for value in multiples(low, high, step)]


def _rounded(value: float, decimals: int) -> str:
    return f"{value:,.{decimals}f}" if 1e-4 <= value < 1e6 else f"{value:.6g}"


def figure(factor: int, power: int) -> str:
    """The label of ``factor`` times a power of ten."""
    if -4 <= power < 6:
        return f"{factor * 10.0**power:,.{max(-power, 0)}f}"
    return f"{factor}e{power}"


def widest_figures(axis: Axis) -> tuple[str, ...]:
    """The widest labels of a logarithmic axis: at its ends, and with the digits that the low end has when zoomed in."""
    low, high = (math.floor(math.log10(value)) for value in (axis.low, axis.high))
    return figure(1, low), figure(1, high), figure(1, max(low - 2, -4))
