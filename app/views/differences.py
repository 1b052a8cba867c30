"""Sentences about an amount on both sides of a comparison."""

from __future__ import annotations

import math

from app.analysis.table import Unit
from app.language import tr
from app.views.look import Look
from app.views.units import change, format_value, percent_change

ONLY_BASELINE = tr("only in the baseline")
ONLY_COMPARISON = tr("only in the comparison")

Amount = float | int | None


def both_sides(
    before: Amount, after: Amount, unit: Unit, look: Look | None = None, clock_hz: float | None = None
) -> str:
    """``baseline 300 KiB, comparison 320 KiB, difference +20.0 KiB (+6.7 %)``; None and NaN are no data, and have no
    difference."""
    before, after = _plain(before), _plain(after)
    texts = [tr("no data") if side is None else format_value(side, unit, look, clock_hz) for side in (before, after)]
    sides = tr("baseline {before}, comparison {after}", before=texts[0], after=texts[1])
    if before is None or after is None:
        return sides
    difference = difference_of(before, after, unit, look, clock_hz)
    return tr("{sides}, difference {difference}", sides=sides, difference=difference)


def difference_of(
    before: float | int, after: float | int, unit: Unit, look: Look | None = None, clock_hz: float | None = None
) -> str:
    """``+20.0 KiB (+6.7 %)``: after minus before, in percent of what was before if that is not 0. Two percentages
    differ in points only: ``+4.0 pp``."""
    difference = after - before
    text = change(difference, unit, look, clock_hz)
    relative = before and difference and unit != "%"
    return f"{text} ({percent_change(difference, before)})" if relative else text


def compared_with(
    before: Amount, after: Amount, unit: Unit, look: Look | None = None, clock_hz: float | None = None
) -> str:
    """What to add to the amount after: ``baseline 300 KiB, difference +20.0 KiB (+6.7 %)``."""
    before, after = _plain(before), _plain(after)
    if before is None:
        return tr("no data in the baseline")
    text = tr("baseline {before}", before=format_value(before, unit, look, clock_hz))
    if after is None:
        return text
    difference = difference_of(before, after, unit, look, clock_hz)
    return tr("{sides}, difference {difference}", sides=text, difference=difference)


def _plain(amount: Amount) -> float | int | None:
    if amount is None or math.isnan(amount):
        return None
    return int(amount) if isinstance(amount, float) and amount.is_integer() else amount
