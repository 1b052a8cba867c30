"""Roofline charts: their lines, their decades, and their order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from app.analysis.ascend import roofline as formulas
from app.analysis.ascend.roofline import Group
from app.language import tr
from app.profile.ascend import Roofline

DIFFERS = 0.005
"""A stored ratio differs from the recomputed one if it deviates by more than this fraction."""
BEFORE, NEAR = 0.7, 0.12
"""Decades that a chart shows at least before its first and after its last point."""
LEAST = 2
MOST_CHARTS = 200
"""Number of charts per group that get a tab; the table has all of them."""
MOST_ROOFS = 100
"""Number of lines per chart, as more would hide each other; the table has all of them."""
GROUPS: tuple[Group, ...] = (tr("Memory unit"), tr("Memory transfer"), tr("Pipeline"), tr("Other"))


class Roof(Struct, frozen=True):
    """One roof with its point: ``row`` of the section, ``bandwidth`` in TB/s, ``compute`` in TOps/s, ``x`` in Ops/Byte,
    ``y`` in TOps/s; ``ratio`` and ``stored`` (None: not in the file) are fractions."""

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
        """Ops/Byte at which the slope meets the flat roof."""
        return self.compute / self.bandwidth

    @property
    def differs(self) -> bool:
        """Whether the file's own ratio differs from the recomputed one."""
        return self.stored is not None and abs(self.stored - self.ratio) > DIFFERS * max(abs(self.ratio), 1e-9)

    @property
    def title(self) -> str:
        return f"{self.name or 'unnamed'} ({self.compute_name})" if self.compute_name else self.name or "unnamed"

    def ceiling(self, x: float) -> float:
        """The attainable TOps/s at ``x``."""
        return min(x * self.bandwidth, self.compute)


class RoofChart(Struct, frozen=True):
    """One chart: the roofs that are drawn, and the decades of its axes (exponents of ten). ``left_out``: number of
    roofs that cannot be drawn; ``beyond``: number of roofs omitted because there are too many."""

    title: str
    group: Group
    roofs: tuple[Roof, ...]
    left_out: int
    beyond: int
    x: tuple[int, int]
    y: tuple[int, int]

    def roof(self, row: int) -> Roof | None:
        """The roof of a row of the section; None if it is not in this chart."""
        return next((roof for roof in self.roofs if roof.row == row), None)


def charts_of(section: Roofline) -> tuple[RoofChart, ...]:
    """The first MOST_CHARTS charts of each group in the order of the file, including charts without drawable lines."""
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
    """Yields number and title of each chart that gets a tab."""
    counts: Counter[str] = Counter()
    for number, title in enumerate(section.titles):
        group = formulas.group(title)
        counts[group] += 1
        if counts[group] <= MOST_CHARTS:
            yield number, title


def decades(places: list[float]) -> tuple[int, int]:
    """Exponents of ten that enclose all points, with room below for the slopes that lead to them."""
    low = min((math.log10(place) for place in places), default=0.0)
    high = max((math.log10(place) for place in places), default=1.0)
    first, last = math.floor(low - BEFORE), math.ceil(high + NEAR)
    return first, max(last, first + LEAST)


def _finite(section: Roofline, row: int) -> bool:
    columns = (section.bandwidth, section.compute, section.intensity, section.performance)
    return all(1e-150 < float(column[row]) < 1e150 for column in columns)
