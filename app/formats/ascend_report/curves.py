"""Step curves of an emulated run as counters of the timeline (Ascend operator reports, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_report.metric_rows import numbers_of, spelled_alike, texts_of
from app.formats.ascend_report.summary import cells
from app.formats.json.problems import Problems
from app.language import tr
from app.profile.arrays import F64, I64, sealed
from app.profile.ascend_report import ReportTable
from app.profile.strings import Interner, joined
from app.profile.timeline import Counters, Timeline

CURVES: Final = ("unitutilization", "issuequeueutilization", "execqueueutilization")
MOST_CURVES: Final = 512
"""Curves of one table: units and queues of some dozens of cores."""
_MANIFEST, _TICK_US = "manifest", "ticktous"


class _Curve(Struct, frozen=True, eq=False):
    """``time``: float64 ticks, ascending; ``value``: float64, NaN for no data."""

    table: str
    name: str
    time: F64
    value: F64


def with_curves(timeline: Timeline | None, tables: Iterable[ReportTable], problems: Problems) -> Timeline | None:
    """``timeline`` (None without a trace) with the curves in ``tables`` as counters; None if there is neither. Curves
    count in ticks; a timeline in microseconds can have them if the manifest states the length of a tick."""
    named = {table.name.lower(): table for table in tables}
    curves = [curve for name in CURVES if name in named for curve in _curves(named[name], problems)]
    if not curves:
        return timeline
    tick = _tick_us(named)
    if timeline is None:
        unit = Timeline(unit="cycles", seconds_per_unit=None, strings=Interner().strings())
        timeline = unit if tick is None else replace(unit, unit="µs", seconds_per_unit=1e-6)
    if timeline.unit == "cycles":
        tick = 1.0
    if tick is None:
        text = tr("the curves of this run are shown only as tables: its manifest does not state the length of a tick")
        problems.add("info", tr("curves that are not drawn"), None, text)
        return timeline
    return _added(timeline, curves, tick)


def _added(timeline: Timeline, curves: list[_Curve], tick: float) -> Timeline:
    strings, before = Interner(), timeline.counters
    shift = len(timeline.strings)
    ids = np.array([[strings(curve.table), strings(curve.name), strings("Util")] for curve in curves], np.int32) + shift
    count = np.cumsum([len(curve.time) for curve in curves], dtype=np.int64)
    time = np.concatenate([curve.time for curve in curves]) * tick - float(timeline.origin)
    columns = zip((before.process, before.name, before.series), ids.T.astype(np.int32), strict=True)
    process, name, series = (sealed(np.concatenate((old, new))) for old, new in columns)
    counters = Counters(
        process=process,
        name=name,
        series=series,
        first=sealed(np.concatenate((before.first, before.first[-1] + count))),
        time=sealed(np.concatenate((before.time, time))),
        value=sealed(np.concatenate((before.value, *(curve.value for curve in curves)))),
    )
    return replace(timeline, strings=joined(timeline.strings, strings.strings()), counters=counters)


def _curves(table: ReportTable, problems: Problems) -> list[_Curve]:
    """One curve for each combination of what the other columns say."""
    columns = {spelled_alike(column.name): column for column in table.columns}
    tick, util = columns.pop("tick", None), columns.pop("util", None)
    if tick is None or util is None or not table.rows:
        return []
    time, value = numbers_of(tick), numbers_of(util)
    codes = [np.unique(texts_of(column, table.rows), return_inverse=True) for column in columns.values()]
    group = np.zeros(table.rows, np.int64)
    for texts, code in codes:
        group = group * len(texts) + code
        group = np.unique(group, return_inverse=True)[1]
    first = np.unique(group, return_index=True)[1]
    if len(first) > MOST_CURVES:
        text = tr("{table} has {count:,} curves; they are shown only as a table", table=table.name, count=len(first))
        problems.add("info", tr("curves that are not drawn"), None, text)
        return []
    order = np.lexsort((time, group))
    order = order[~np.isnan(time[order])]
    ends = np.searchsorted(group[order], np.arange(len(first)), "right")
    made = []
    for begin, end, row in zip((0, *ends.tolist()), ends.tolist(), first.tolist(), strict=False):
        own: I64 = order[begin:end]
        name = " ".join(str(texts[code[row]]) for texts, code in codes if texts[code[row]]) or table.name
        if len(own):
            made.append(_Curve(table.name, name, time[own], value[own]))
    return made


def _tick_us(tables: Mapping[str, ReportTable]) -> float | None:
    """Microseconds of a tick by the manifest: below 1, because cores run at more than 1 MHz; None if it is not said."""
    if _MANIFEST not in tables:
        return None
    for _, key, text in cells(tables[_MANIFEST]):
        if key.lower() == _TICK_US:
            try:
                tick = float(text)
            except ValueError:
                return None
            return tick if 0.0 < tick < 1.0 else None
    return None
