"""What a chart of horizontal bars shows, apart from any screen. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.analysis.table import Unit
from app.widgets.display import Look
from app.widgets.units import NO_DATA, scale_for


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


def bars_picture(title: str, unit: Unit, bars: tuple[Bar, ...], full: float = 0.0) -> BarsPicture:
    """``full`` grows where a bar would not fit."""
    largest = max((bar.amount for bar in bars if not math.isnan(bar.amount)), default=0.0)
    return BarsPicture(title, unit, bars, max(full, largest) or 1.0)
