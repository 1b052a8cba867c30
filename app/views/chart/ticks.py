"""The visible part of a chart: ticks of an axis, and lines clipped to it, because exported pictures are not clipped
and labels stand on what is seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from app.views.chart.model import Axis, Pair, Tick
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


EDGE = 1e-9


class Box(Struct, frozen=True):
    """The visible interval of both axes, in places."""

    left: float
    right: float
    low: float
    high: float

    def holds(self, place: Pair) -> bool:
        """Whether a place is inside, including the edges."""
        margin_x, margin_y = EDGE * (self.right - self.left), EDGE * (self.high - self.low)
        return (
            self.left - margin_x <= place[0] <= self.right + margin_x
            and self.low - margin_y <= place[1] <= self.high + margin_y
        )


def cut_segment(start: Pair, end: Pair, box: Box) -> tuple[Pair, Pair] | None:
    """The part of a segment inside ``box``; None if there is none (Liang and Barsky, 1984)."""
    run, rise = end[0] - start[0], end[1] - start[1]
    first, last = 0.0, 1.0
    for step, room in (
        (-run, start[0] - box.left),
        (run, box.right - start[0]),
        (-rise, start[1] - box.low),
        (rise, box.high - start[1]),
    ):
        if step == 0:
            if room < 0:
                return None
            continue
        share = room / step
        if step < 0:
            first = max(first, share)
        else:
            last = min(last, share)
    if first > last:
        return None
    return _along(start, end, first), _along(start, end, last)


def segments_seen(line: Sequence[Pair], box: Box) -> list[tuple[Pair, Pair] | None]:
    """For each segment of a line the part inside ``box``."""
    return [cut_segment(line[number], line[number + 1], box) for number in range(len(line) - 1)]


def runs_seen(line: Sequence[Pair], box: Box) -> list[list[Pair]]:
    """The contiguous parts of a line inside ``box``, each with its corners."""
    runs: list[list[Pair]] = []
    for part in segments_seen(line, box):
        if part is None:
            continue
        if runs and runs[-1][-1] == part[0]:
            runs[-1].append(part[1])
        else:
            runs.append([*part])
    return runs


def _along(start: Pair, end: Pair, share: float) -> Pair:
    """The point at ``share`` of a segment: exactly an end at 0 and 1, so that adjacent parts of a line meet exactly."""
    if share in (0.0, 1.0):
        return end if share else start
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
