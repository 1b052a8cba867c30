"""Ticks of a ruler: round numbers, as many as there is room for."""

from __future__ import annotations

import math

from msgspec import Struct

from app.views.timeline.times import TimeScale
from app.views.units import Scale, decimals_needed

MOST = 200
MOST_DIGITS = 5.5
"""Digits that labels may need to differ; with more they count from a base."""


class Ruler(Struct, frozen=True):
    """``places``: times of the labelled ticks, in the timeline's unit; ``labels``: their texts; ``minor``: times of
    the small ticks between; ``base``: what every label adds to ("" where labels stand for themselves)."""

    places: tuple[float, ...]
    labels: tuple[str, ...]
    minor: tuple[float, ...]
    base: str = ""


def nice_step(span: float, most: int) -> float:
    """The smallest of 1, 2, 5 x 10^n that cuts ``span`` into at most ``most`` pieces."""
    rough = span / max(most, 1)
    if not (rough > 0 and math.isfinite(rough)):
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def multiples(start: float, end: float, step: float) -> list[float]:
    """Multiples of ``step`` in start..end."""
    first, last = math.ceil(start / step - 1e-9), math.floor(end / step + 1e-9)
    return [number * step for number in range(first, min(last, first + MOST) + 1)]


def ruler(start: float, end: float, most: int, seconds: float | None) -> Ruler:
    """Ticks of the stretch start..end, at most about ``most`` labels, at round numbers of what they say. ``seconds``:
    seconds in a unit of the timeline, None to label the units themselves (cycles).

    Where labels would need many digits to differ, they tell the distance from a ``base``."""
    factor = TimeScale.of(start, end, 0.0, seconds).factor
    step = nice_step((end - start) / factor, most) * factor
    places = multiples(start, end, step)
    minor = multiples(start, end, step / 5) if step / 5 > 0 else []
    scale = TimeScale.of(start, end, step, seconds)
    base = ""
    if math.log10(max(abs(start), abs(end), step) / step) > MOST_DIGITS and places:
        origin = places[0]
        base = TimeScale.of(start, start, step, seconds).text(origin)
        small = TimeScale.of(0.0, step, step, seconds)
        labels = [f"+{small.text(place - origin)}" for place in places]
    else:
        labels = [scale.text(place) for place in places]
    return Ruler(tuple(places), tuple(labels), tuple(minor), base)


def amount_ticks(low: float, high: float, scale: Scale, most: int) -> list[tuple[float, str]]:
    """(place, text) of about ``most`` ticks of an axis of amounts, round numbers in the unit of ``scale``."""
    step = nice_step((high - low) / scale.factor, most)
    written = Scale(scale.factor, scale.suffix, decimals_needed(step))
    return [(amount, written.text(amount) if amount else "0") for amount in multiples(low, high, step * scale.factor)]
