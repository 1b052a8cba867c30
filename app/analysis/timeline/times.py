"""Rows, lanes and times of slices: which slices are where, and times with their unit and resolution."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from app.analysis.table import Coded, Column, OwnTime, Table
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, Integers, among
from app.profile.selection import Kind, TimeRange
from app.profile.timeline import Flows, TimeBasis, Timeline


def row_lanes(timeline: Timeline) -> I32:
    """int32[rows]: the lane of each row."""
    heights = np.diff(timeline.lanes.first_row)
    return np.repeat(np.arange(len(heights), dtype=np.int32), heights)


def slice_rows(timeline: Timeline) -> I32:
    """int32[slices]: the row of each slice."""
    counts = np.diff(timeline.slices.first)
    return np.repeat(np.arange(len(counts), dtype=np.int32), counts)


def slice_lanes(timeline: Timeline) -> I32:
    """int32[slices]: the lane of each slice."""
    return np.repeat(row_lanes(timeline), np.diff(timeline.slices.first))


def instant_mask(timeline: Timeline, index: I64 | None = None) -> Bool | None:
    """bool: which slices (of all, or of ``index``) are instants; None if the timeline has none."""
    instants = timeline.instants.slice
    if not len(instants):
        return None
    mask = np.zeros(len(timeline.slices.start), np.bool_)
    mask[instants] = True
    return mask if index is None else mask[index]


def moment_rows(timeline: Timeline) -> Bool:
    """bool[rows]: which rows hold only instants."""
    first = timeline.slices.first
    instants = np.diff(np.searchsorted(timeline.instants.slice, first))
    alone: Bool = (instants > 0) & (instants == np.diff(first))
    return alone


def lane_slices(timeline: Timeline, lanes: I64) -> I64:
    """int64: slices of these lanes, ascending."""
    slices = np.flatnonzero(among(slice_lanes(timeline), lanes))
    return slices.astype(np.int64)


def lane_counts(timeline: Timeline) -> I64:
    """int64[lanes]: how many slices and instants each lane has."""
    first = timeline.slices.first[timeline.lanes.first_row]
    return np.diff(first).astype(np.int64)


def instant_counts(timeline: Timeline) -> I64:
    """int64[lanes]: how many instants each lane has."""
    first = timeline.slices.first[timeline.lanes.first_row]
    return np.diff(np.searchsorted(timeline.instants.slice, first)).astype(np.int64)


def lasting(timeline: Timeline) -> I64 | None:
    """int64, ascending: the slices that are no instants; None for all of them."""
    instants = instant_mask(timeline)
    return None if instants is None else np.flatnonzero(~instants).astype(np.int64)


def lengthless(timeline: Timeline, index: I64 | None = None) -> Bool | None:
    """bool: which slices (of all, or of ``index``) have no usable length: instants, and those whose length the source
    does not give; None if all have one."""
    instants, untimed = instant_mask(timeline, index), timeline.slices.untimed
    if untimed is None:
        return instants
    own: Bool = untimed if index is None else untimed[index]
    return own if instants is None else own | instants


def lengthless_lanes(timeline: Timeline) -> Bool:
    """bool[lanes]: those with slices of which none has a length, so that it is unknown how busy they are."""
    without, counts = lengthless(timeline), lane_counts(timeline)
    if without is None:
        return np.zeros(len(counts), np.bool_)
    lanes = np.bincount(slice_lanes(timeline)[without], minlength=len(counts))
    none: Bool = (lanes == counts) & (counts > 0)
    return none


def extent(timeline: Timeline) -> tuple[float, float] | None:
    """First start and last end of the slices; of counters if there are no slices; None if there is nothing."""
    slices = timeline.slices
    if len(slices.start):
        return float(slices.start.min()), float((slices.start + slices.duration).max())
    times = timeline.counters.time
    return (float(times.min()), float(times.max())) if len(times) else None


def within(timeline: Timeline, stretch: TimeRange) -> Bool:
    """bool[slices]: which overlap ``stretch`` (zero-length slices if they are inside it)."""
    slices = timeline.slices
    end = slices.start + slices.duration
    inside: Bool = (slices.start < stretch.end) & (end > stretch.start)
    marks: Bool = (slices.duration == 0) & (slices.start >= stretch.start) & (slices.start <= stretch.end)
    return inside | marks


def flows_of(timeline: Timeline, index: int) -> I64:
    """int64: the flows that begin or end at slice ``index``."""
    flows = timeline.flows
    return np.flatnonzero((flows.from_slice == index) | (flows.to_slice == index)).astype(np.int64)


def flow_counts(timeline: Timeline) -> dict[str, int]:
    """The number of flows in each category, most frequent first; "" stands for no category."""
    category, count = np.unique(timeline.flows.category, return_counts=True)
    order = np.argsort(-count, kind="stable")
    named = zip(category[order].tolist(), count[order].tolist(), strict=True)
    totals: dict[str, int] = {}
    for text, number in named:
        name = timeline.strings.get(text)
        totals[name] = totals.get(name, 0) + number
    return totals


def linked(flows: Flows, index: int, direction: int) -> int | None:
    """The slice at the other end of the first arrow that leaves slice ``index`` (direction 1), or of the last one that
    reaches it (-1); None without one."""
    here, there, time = flows.from_slice, flows.to_slice, flows.to_time
    if direction < 0:
        here, there, time = flows.to_slice, flows.from_slice, -flows.from_time
    arrows = np.flatnonzero((here == index) & (there >= 0))
    return int(there[arrows[np.argmin(time[arrows])]]) if len(arrows) else None


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
    return Decimal(repr(float(time)).removesuffix(".0"))


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
