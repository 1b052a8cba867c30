"""Times of a timeline: their origin, their resolution, and their exact value in the file."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from app.analysis.table import Column
from app.analysis.timeline.rows import extent
from app.language import tr
from app.profile.arrays import F64, Bool
from app.profile.timeline import Timeline

SAMPLE = 4096
FEW = 0.05
"""The share of durations and distances that may be shorter than the resolution."""


def finest(timeline: Timeline) -> float:
    """The resolution that times need, in the timeline's unit: only few slices are shorter, and few follow the previous
    one sooner. 0 if unknown."""
    slices = timeline.slices
    step = max(1, len(slices.start) // SAMPLE)
    follows = slices.start[1::step]
    known = (slices.duration[::step], follows - slices.start[::step][: len(follows)])
    shortest = [float(np.quantile(part[part > 0], FEW)) for part in known if bool((part > 0).any())]
    return min(shortest, default=0.0)


def time_column(
    timeline: Timeline,
    key: str,
    title: str,
    values: F64,
    about: str = "",
    missing: Bool | None = None,
    *,
    stored: bool = False,
) -> Column:
    """A column of times, with the resolution of the slices. Its help is ``about`` and the origin; ``stored`` as in
    Column."""
    since = (
        tr("Relative to {timeline}, where the first slice starts.", timeline=moment(timeline, 0.0))
        if timeline.origin
        else ""
    )
    text = " ".join(part for part in (about, since) if part)
    unit, fine = timeline.unit, finest(timeline)
    return Column(key, title, values, unit, text, missing, finest=fine, stored=stored, role="place")


def reach(timeline: Timeline) -> float:
    """The largest time, which limits the precision of differences of times."""
    flows, ends = timeline.flows, extent(timeline) or (0.0, 0.0)
    arrows = (float(np.abs(times).max(initial=0)) for times in (flows.from_time, flows.to_time))
    return max(abs(ends[0]), abs(ends[1]), *arrows)


def absolute(timeline: Timeline, time: float) -> Decimal:
    """A time of the timeline exactly as in the file."""
    return timeline.origin + _written(time)


def length_of(timeline: Timeline) -> Decimal:
    """From the first start to the last end, exactly as in the file (0 without slices)."""
    slices = timeline.slices
    if not len(slices.start):
        low, high = extent(timeline) or (0.0, 0.0)
        return _written(high) - _written(low)
    last = int((slices.start + slices.duration).argmax())
    return _written(slices.start[last]) + _written(slices.duration[last]) - _written(slices.start.min())


def moment(timeline: Timeline, time: float) -> str:
    """The exact time for people, in the unit of the file: ``1,718,180,919,106,042.250 µs``."""
    value = absolute(timeline, time)
    value = value.quantize(Decimal(1)) if value == value.to_integral_value() and not timeline.origin else value
    return f"{value:,f} {timeline.unit}"


def _written(time: float) -> Decimal:
    """The intended decimal number: the shortest one that parses to this double."""
    return Decimal(repr(float(time)))
