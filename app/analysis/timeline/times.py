"""Times of a timeline: their origin, unit and resolution, their exact value in the file, and columns of them."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from app.analysis.table import Coded, Column, OwnTime, Table
from app.analysis.timeline.rows import extent
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, Integers
from app.profile.selection import Kind
from app.profile.timeline import TimeBasis, Timeline

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


def timeline_table(
    timeline: Timeline,
    table_id: str,
    title: str,
    columns: tuple[Column, ...],
    selects: Kind | None = None,
    keys: I64 | None = None,
    note: str = "",
) -> Table:
    """A table whose times are those of ``timeline``: it has its clock, and says where the user set the unit."""
    by_hand = timeline.basis == "hand"
    own = OwnTime(timeline.unit, timeline.clock_hz, by_hand)
    said = tr("The time unit was set manually: {unit}.", unit=unit_text(timeline)) if by_hand else ""
    return Table(table_id, title, columns, selects, keys, " ".join(part for part in (note, said) if part), own)


def unit_text(basis: Timeline | TimeBasis) -> str:
    """The unit in words: ``µs``, ``cycles``, ``cycles at 1,650 MHz``."""
    if basis.unit != "cycles" or not basis.seconds_per_unit:
        return tr("cycles") if basis.unit == "cycles" else basis.unit
    return tr("cycles at {megahertz} MHz", megahertz=megahertz(1 / basis.seconds_per_unit))


def megahertz(clock_hz: float) -> str:
    """A frequency in MHz, without its unit."""
    return f"{float(f'{clock_hz / 1e6:.9g}'):,}".removesuffix(".0")


def lane_columns(timeline: Timeline, lane: I32, key: str = "", title: str = "") -> tuple[Column, Column]:
    """Process and thread of each row's lane (-1 none)."""
    known = lane >= 0
    process, thread = timeline.lanes.process[lane * known], timeline.lanes.thread[lane * known]
    process[~known] = -1
    thread[~known] = -1
    return (
        Column(
            f"{key}process",
            tr("{title} process", title=title).strip().capitalize(),
            Coded(process, timeline.strings),
        ),
        Column(
            f"{key}thread",
            tr("{title} thread", title=title).strip().capitalize(),
            Coded(thread, timeline.strings),
        ),
    )


def slice_names(timeline: Timeline, index: I64) -> Coded:
    """Names of slices; no text for -1."""
    name = timeline.slices.name[index] if len(timeline.slices.name) else index.copy()
    name[index < 0] = -1
    return Coded(name, timeline.strings)


def track_columns(timeline: Timeline, track: Integers) -> tuple[Column, Column, Column]:
    """Process, counter and series of each row's counter track."""
    counters, texts = timeline.counters, timeline.strings
    return (
        Column("process", tr("Process"), Coded(counters.process[track], texts)),
        Column("counter", tr("Counter"), Coded(counters.name[track], texts)),
        Column("series", tr("Series"), Coded(counters.series[track], texts)),
    )
