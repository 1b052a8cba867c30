"""Ticks of a ruler: round numbers, as many as there is room for. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.widgets.units import MINUS, SECONDS

MOST = 200


@dataclass(frozen=True, slots=True)
class Ruler:
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


def ruler(start: float, end: float, most: int, seconds: float | None, zero: float = 0.0) -> Ruler:
    """Ticks of the stretch start..end, at most about ``most`` labels. ``seconds``: seconds in a unit of the
    timeline, None to label the units themselves (cycles); times are told from ``zero``.

    Where labels would need many digits to differ, they tell the distance from a ``base``."""
    low, high = start - zero, end - zero
    step = nice_step(high - low, most)
    places = multiples(low, high, step)
    minor = multiples(low, high, step / 5) if step / 5 > 0 else []
    largest = max(abs(low), abs(high))
    factor, name = _unit(min(largest, step * 1000), seconds)  # no more than three decimals
    digits = math.log10(max(largest, step) / step)
    base = ""
    if digits > 5.5 and places:
        origin = places[0]
        base = f"{_number(origin / factor, step / factor)}{name}"
        small, small_name = _unit(step, seconds)
        labels = [f"+{_number((place - origin) / small, step / small)}{small_name}" for place in places]
    else:
        labels = [f"{_number(place / factor, step / factor)}{name}" for place in places]
    return Ruler(tuple(place + zero for place in places), tuple(labels), tuple(tick + zero for tick in minor), base)


def _unit(amount: float, seconds: float | None) -> tuple[float, str]:
    """(timeline units in one, name with a space before it)."""
    if seconds is None:
        return 1.0, ""
    for factor, name in reversed(SECONDS):
        if amount * seconds * 1.000001 >= factor:
            return factor / seconds, f" {name}"
    return SECONDS[0][0] / seconds, f" {SECONDS[0][1]}"


def _number(value: float, step: float) -> str:
    decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    text = f"{value:,.{min(decimals, 9)}f}"
    if float(text.replace(",", "")) == 0:
        return "0"
    return text.replace("-", MINUS)
