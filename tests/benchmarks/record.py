"""A measured value and its bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["met", "not met", "not measured", "no bound"]


@dataclass(frozen=True, slots=True)
class Record:
    """``value`` in ``unit`` (None: not measured, ``note`` says why). ``at_most``: the bound in that unit;
    ``ratio_at_most``: the bound as a multiple of ``baseline``, measured in the same run and named ``against``. Of two
    bounds, meeting one is enough. ``target``: T1 to T13, or empty."""

    name: str
    target: str
    value: float | None
    unit: str
    at_most: float | None = None
    ratio_at_most: float | None = None
    baseline: float | None = None
    against: str = ""
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """``value / baseline``; None where one of them is missing."""
        if self.value is None or not self.baseline:
            return None
        return self.value / self.baseline

    @property
    def verdict(self) -> Verdict:
        if self.value is None or math.isnan(self.value):
            return "not measured"
        met = [self.value <= self.at_most] if self.at_most is not None else []
        met += [self.ratio <= self.ratio_at_most] if self.ratio is not None and self.ratio_at_most is not None else []
        if not met:
            return "no bound"
        return "met" if any(met) else "not met"

    @property
    def bound(self) -> str:
        """The bound as text."""
        words = [f"<= {number(self.at_most)} {self.unit}".rstrip()] if self.at_most is not None else []
        words += [f"<= {number(self.ratio_at_most)} x {self.against}"] if self.ratio_at_most is not None else []
        return " or ".join(words)


def number(value: float | None) -> str:
    """``value`` with three significant digits, never with an exponent."""
    if value is None or math.isnan(value):
        return "-"
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"
