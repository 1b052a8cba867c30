"""A measured value and its bound."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["met", "not met", "not measured", "no bound"]


@dataclass(frozen=True, slots=True)
class Record:
    """``value`` in ``unit`` (None: not measured, ``note`` says why). ``at_most``: the bound in that unit;
    ``ratio_at_most``: the bound as a multiple of ``baseline``, measured in the same run and named ``against``. Of two
    bounds, meeting one is enough. ``target``: T1 to T22, or empty. ``input``: the name of the input that was measured,
    where the verdict of the target is that of its worst input (``worst``)."""

    name: str
    target: str
    value: float | None
    unit: str
    at_most: float | None = None
    ratio_at_most: float | None = None
    baseline: float | None = None
    against: str = ""
    note: str = ""
    input: str = ""

    @property
    def ratio(self) -> float | None:
        """``value / baseline``; None where one of them is missing."""
        if self.value is None or not self.baseline:
            return None
        return self.value / self.baseline

    @property
    def distance(self) -> float:
        """How far the value is from its bound, or from the nearer one: above 1 it is not met."""
        shares = [self.value / self.at_most] if self.value is not None and self.at_most else []
        if self.ratio is not None and self.ratio_at_most is not None:
            shares.append(self.ratio / self.ratio_at_most)
        return min(shares, default=0.0)

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


def worst(what: str, records: Sequence[Record]) -> list[Record]:
    """The verdict of a target, named after the worst of its inputs; nothing where none was measured."""
    measured = [record for record in records if record.value is not None]
    if not measured:
        return []
    one = max(measured, key=lambda record: record.distance)
    of = f"worst of {len(measured)} inputs" if len(measured) > 1 else "one input"
    return [replace(one, name=f"{what}, {of}: {one.input}", input="")]


def number(value: float | None) -> str:
    """``value`` with three significant digits, never with an exponent."""
    if value is None or math.isnan(value):
        return "-"
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3f}"
