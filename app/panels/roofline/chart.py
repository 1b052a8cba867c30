"""The charts of a roofline: which lines, over which decades, in which order. No Qt."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from app.analysis.ascend import roofline as formulas
from app.analysis.ascend.roofline import Group
from app.language import tr
from app.profile.roofline import Roofline

DIFFERS = 0.005
"""A stored ratio that is this share away from the recomputed one differs from it."""
BEFORE, NEAR = 0.7, 0.12
"""Decades before the first and behind the last place that a chart shows at least."""
LEAST = 2
MOST_CHARTS = 200
"""Charts of one group that get a tab; the table has all of them."""
MOST_ROOFS = 100
"""More lines of one chart would hide each other; the others are in the table alone."""
GROUPS: tuple[Group, ...] = (tr("Memory unit"), tr("Memory transfer"), tr("Pipeline"), tr("Other"))


@dataclass(frozen=True, slots=True)
class Roof:
    """One roof with its point: ``row`` of the section, ``bandwidth`` TB/s, ``compute`` TOps/s, ``x`` Ops/Byte, ``y``
    TOps/s; ``ratio`` and ``stored`` (None: the file gives none) are fractions."""

    row: int
    name: str
    compute_name: str
    bandwidth: float
    compute: float
    x: float
    y: float
    ratio: float
    stored: float | None
    verdict: str

    @property
    def ridge(self) -> float:
        """Ops/Byte where the slope meets the flat roof."""
        return self.compute / self.bandwidth

    @property
    def differs(self) -> bool:
        """Whether the file's own ratio is another one."""
        return self.stored is not None and abs(self.stored - self.ratio) > DIFFERS * max(abs(self.ratio), 1e-9)

    @property
    def title(self) -> str:
        return f"{self.name or 'unnamed'} ({self.compute_name})" if self.compute_name else self.name or "unnamed"

    def ceiling(self, x: float) -> float:
        """What the roof allows at ``x``."""
        return min(x * self.bandwidth, self.compute)


@dataclass(frozen=True, slots=True)
class RoofChart:
    """One chart: its roofs, how many more cannot be drawn (``beyond``: how many are not, for there are too many), and
    the decades it covers (exponents of ten)."""

    title: str
    group: Group
    roofs: tuple[Roof, ...]
    left_out: int
    beyond: int
    x: tuple[int, int]
    y: tuple[int, int]

    def roof(self, row: int) -> Roof | None:
        """The roof of a row of the section, if it is in this chart."""
        return next((roof for roof in self.roofs if roof.row == row), None)


def charts_of(section: Roofline) -> tuple[RoofChart, ...]:
    """The first MOST_CHARTS charts of each group, as the file orders them; those without a line that can be drawn
    too."""
    ratios, verdicts = formulas.ratios(section), formulas.verdicts(section)
    drawable = formulas.drawable(section)
    made = []
    order = np.argsort(section.chart, kind="stable")
    first = np.searchsorted(section.chart[order], np.arange(len(section.titles) + 1))
    for number, title in _first_titles(section):
        rows = order[first[number] : first[number + 1]].tolist()
        whole = [row for row in rows if drawable[row] and _finite(section, row)]
        roofs = tuple(
            Roof(
                row=row,
                name=section.strings.get(int(section.bandwidth_name[row])),
                compute_name=section.strings.get(int(section.compute_name[row])),
                bandwidth=float(section.bandwidth[row]),
                compute=float(section.compute[row]),
                x=float(section.intensity[row]),
                y=float(section.performance[row]),
                ratio=float(ratios[row]),
                stored=None if section.ratio[row] != section.ratio[row] else float(section.ratio[row]),
                verdict=verdicts[row],
            )
            for row in whole[:MOST_ROOFS]
        )
        across = [place for roof in roofs for place in (roof.x, roof.ridge)]
        up = [place for roof in roofs for place in (roof.y, roof.compute)]
        left_out, beyond = len(rows) - len(whole), len(whole) - len(roofs)
        made.append(RoofChart(title, formulas.group(title), roofs, left_out, beyond, decades(across), decades(up)))
    return tuple(made)


def _first_titles(section: Roofline) -> Iterator[tuple[int, str]]:
    """Numbers and titles of the charts that get a tab."""
    counts: Counter[str] = Counter()
    for number, title in enumerate(section.titles):
        group = formulas.group(title)
        counts[group] += 1
        if counts[group] <= MOST_CHARTS:
            yield number, title


def decades(places: list[float]) -> tuple[int, int]:
    """Exponents of ten around all places, with room below for what leads there."""
    low = min((math.log10(place) for place in places), default=0.0)
    high = max((math.log10(place) for place in places), default=1.0)
    first, last = math.floor(low - BEFORE), math.ceil(high + NEAR)
    return first, max(last, first + LEAST)


def _finite(section: Roofline, row: int) -> bool:
    columns = (section.bandwidth, section.compute, section.intensity, section.performance)
    return all(1e-150 < float(column[row]) < 1e150 for column in columns)
