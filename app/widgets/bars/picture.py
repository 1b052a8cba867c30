"""What a chart of horizontal bars shows, apart from any screen. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.analysis.table import Unit
from app.widgets.display import Look
from app.widgets.units import NO_DATA, scale_for

MOST_BARS = 500
"""Bars of one chart: nobody reads more, and their names are measured whenever the chart is laid out."""


@dataclass(frozen=True, slots=True)
class Bar:
    """``amount`` NaN: no data. ``part`` stands behind the name, quieter; ``tip`` is what the tooltip says."""

    name: str
    part: str
    amount: float
    colour: str
    tip: str = ""


@dataclass(frozen=True, slots=True)
class BarsPicture:
    """``full``: what a bar of the whole width stands for (100 for percentages)."""

    title: str
    unit: Unit
    bars: tuple[Bar, ...]
    full: float

    def texts(self, look: Look, clock_hz: float | None = None) -> list[str]:
        """The figure behind each bar, all in one scale."""
        scale = scale_for(self.full, self.unit, look, clock_hz)
        return [NO_DATA if math.isnan(bar.amount) else scale.text(bar.amount) for bar in self.bars]


def bars_picture(
    title: str, unit: Unit, bars: tuple[Bar, ...], full: float = 0.0, count: int | None = None
) -> BarsPicture:
    """``full`` grows where a bar would not fit. Of very many bars the first ones, and the title says so; ``count``:
    how many there are where ``bars`` are the first ones already."""
    count = len(bars) if count is None else count
    largest = max((bar.amount for bar in bars if not math.isnan(bar.amount)), default=0.0)
    if count > MOST_BARS:
        title, bars = f"{title} (the first {MOST_BARS:,} of {count:,})", bars[:MOST_BARS]
    return BarsPicture(title, unit, bars, max(full, largest) or 1.0)
