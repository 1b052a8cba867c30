"""The timeline of a capture: the traces of one rank, and those of several ranks on one axis."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_trace.read import read_ranges
from app.formats.json.problems import Problems
from app.formats.numbering import distinct_texts
from app.formats.pool import Pool
from app.formats.source import Joined, Source
from app.profile.arrays import F64, I32, I64, Array, Bool, among, sealed
from app.profile.ascend_capture import MemoryRecord
from app.profile.ascend_report import TIMELINE
from app.profile.profile import Profile
from app.profile.strings import Interner, Strings, all_of, joined
from app.profile.timeline import SECONDS, Counters, Flows, Instants, Lanes, Pieces, Slices, Timeline

_STEP: Final = re.compile(r"ProfilerStep#(\d{1,18})")


class Part(Struct, frozen=True, eq=False):
    """The timeline of one rank. ``label``: "Rank 0"; ``bytes_before``: of the traces that were read before it."""

    label: str
    timeline: Timeline
    bytes_before: int = 0


def of_traces(
    sources: Sequence[Source], problems: Problems, tick: Callable[[int], None], pool: Pool
) -> Timeline | None:
    """The timeline of the traces of one rank (several, if msprof cut it into slices); None where they hold nothing to
    show."""
    if len(sources) == 1:
        return read_ranges(sources[0], [(0, sources[0].size)], problems, tick, 0, pool)
    together = Joined(sources)
    ranges = list(zip(together.begins, together.begins[1:], strict=False))
    return read_ranges(together, ranges, problems, tick, 0, pool)


def traces_of(profile: Profile) -> list[int]:
    """The files whose traces were read as one source, in that order."""
    entries = profile.entries
    if entries is None:
        return []
    return [int(entries.file[row]) for row in np.flatnonzero(entries.use == TIMELINE).tolist()]


def host_steps(timeline: Timeline) -> dict[int, tuple[int, int]]:
    """(start, end) in nanoseconds since 1970 of each ProfilerStep of the framework, by its number."""
    numbers = {}
    for place in timeline.strings.beginning(_STEP.pattern.partition("(")[0]).tolist():
        match = _STEP.fullmatch(timeline.strings[place])
        if match is not None:
            numbers[place] = int(match[1])
    if not numbers or timeline.seconds_per_unit is None:
        return {}
    steps: dict[int, tuple[int, int]] = {}
    slices = timeline.slices
    for row in np.flatnonzero(among(slices.name, list(numbers))).tolist():
        start = timeline.origin + Decimal(float(slices.start[row]))
        end = start + Decimal(float(slices.duration[row]))
        scale = Decimal(repr(timeline.seconds_per_unit)) * 1_000_000_000
        if not 0 <= start <= end < Decimal(1 << 62) / scale:
            continue
        span = round(start * scale), round(end * scale)
        known = steps.setdefault(numbers[int(slices.name[row])], span)
        steps[numbers[int(slices.name[row])]] = min(known[0], span[0]), max(known[1], span[1])
    return steps


def together(parts: Sequence[Part]) -> Timeline | None:
    """One timeline of several ranks, their processes named "Rank 0 · CANN", on the axis of the earliest. A single rank
    keeps its names. None without parts. Timelines without a clock (cycles) cannot be placed and must not be among
    several."""
    if len(parts) < 2:
        return parts[0].timeline if parts else None
    unit = parts[0].timeline
    origin = min(_origin(part.timeline, unit) for part in parts)
    stacking = _Stacking()
    for part in parts:
        stacking.add(part, _scale(part.timeline, unit), float(_origin(part.timeline, unit) - origin))
    return stacking.timeline(unit, origin)


def _scale(timeline: Timeline, unit: Timeline) -> float:
    return SECONDS.get(timeline.unit, 1.0) / SECONDS.get(unit.unit, 1.0) if timeline.unit != unit.unit else 1.0


def _origin(timeline: Timeline, unit: Timeline) -> Decimal:
    scale = Decimal(repr(SECONDS.get(timeline.unit, 1.0))) / Decimal(repr(SECONDS.get(unit.unit, 1.0)))
    return timeline.origin if timeline.unit == unit.unit else timeline.origin * scale


class _Stacking:
    """Collects the columns of timelines, with their indices counted on."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Array]] = {}
        self._strings: list[Strings] = []
        self._untimed: list[tuple[int, Bool | None]] = []
        self._pieces: list[tuple[Pieces, int, int]] = []
        self._texts = self._lanes = self._rows = self._slices = self._samples = self._records = 0

    def _add(self, name: str, values: Array) -> None:
        self._columns.setdefault(name, []).append(values)

    def add(self, part: Part, scale: float, shift: float) -> None:
        line = part.timeline
        strings = line.strings
        process = self._processes(part)

        def texts(ids: I32) -> Array:
            return np.where(ids < 0, -1, ids.astype(np.int64) + self._texts)

        def times(values: F64) -> F64:
            moved: F64 = values * scale + shift
            return moved

        self._strings.append(process)
        names = {text: self._texts + place for place, text in enumerate(process.tolist())}
        self._texts += len(process)
        label = {place: names[f"{part.label} · {text}"] for place, text in self._labels(line)}
        self._strings.append(strings)
        self._add("process", np.array([label[each] for each in line.lanes.process.tolist()], np.int64))
        self._add("thread", texts(line.lanes.thread))
        self._add("first_row", line.lanes.first_row[:-1].astype(np.int64) + self._rows)
        self._add_slices(line, texts, times, scale)
        self._add_flows(line, texts, times)
        self._add("instant", line.instants.slice + self._slices)
        counters = line.counters
        self._add("counter.process", np.array([label[each] for each in counters.process.tolist()], np.int64))
        self._add("counter.name", texts(counters.name))
        self._add("counter.series", texts(counters.series))
        self._add("counter.first", counters.first[:-1] + self._samples)
        self._add("counter.time", times(counters.time))
        self._add("counter.value", counters.value)
        if line.pieces is not None and len(line.pieces.first):
            self._pieces.append((line.pieces, part.bytes_before, self._records))
            self._records += max(int(line.pieces.first[-1]), int(line.slices.record.max(initial=0))) + 1
        self._texts += len(strings)
        self._lanes += len(line.lanes.process)
        self._rows += len(line.slices.first) - 1
        self._slices += len(line.slices.start)
        self._samples += len(counters.time)

    def _labels(self, line: Timeline) -> list[tuple[int, str]]:
        ids = dict.fromkeys([*line.lanes.process.tolist(), *line.counters.process.tolist()])
        return [(each, line.strings.get(each)) for each in ids]

    def _processes(self, part: Part) -> Strings:
        """The names of its processes with the rank before them."""
        return Strings.of(dict.fromkeys(f"{part.label} · {text}" for _, text in self._labels(part.timeline)))

    def _add_slices(
        self, line: Timeline, texts: Callable[[I32], Array], times: Callable[[F64], F64], scale: float
    ) -> None:
        slices = line.slices
        self._add("start", times(slices.start))
        self._add("duration", slices.duration * scale)
        self._add("name", texts(slices.name))
        self._add("category", texts(slices.category))
        counted = line.pieces is not None and len(line.pieces.first) > 0
        self._add(
            "record",
            np.where(slices.record < 0, -1, slices.record + self._records) if counted else _none(slices.record),
        )
        self._add("address", slices.address)
        self._add("first", slices.first[:-1] + self._slices)
        self._untimed.append((len(slices.start), slices.untimed))

    def _add_flows(self, line: Timeline, texts: Callable[[I32], Array], times: Callable[[F64], F64]) -> None:
        flows = line.flows
        self._add("flow.category", texts(flows.category))
        for side in ("from", "to"):
            self._add(f"flow.{side}_time", times(getattr(flows, f"{side}_time")))
            self._add(f"flow.{side}_lane", getattr(flows, f"{side}_lane").astype(np.int64) + self._lanes)
            slices = getattr(flows, f"{side}_slice")
            self._add(f"flow.{side}_slice", np.where(slices < 0, -1, slices + self._slices))

    def timeline(self, unit: Timeline, origin: Decimal) -> Timeline:
        """What was added, with each text once."""
        strings, number = distinct_texts(all_of(self._strings))
        number = np.append(number, np.int32(-1)).astype(np.int32)

        def text(name: str) -> I32:
            return sealed(number[self._joined(name)])

        def ends(name: str, last: int) -> I64:
            return sealed(np.append(self._joined(name), last).astype(np.int64))

        flows: dict[str, Any] = {
            f"{side}_{what}": sealed(self._joined(f"flow.{side}_{what}").astype(kind))
            for side in ("from", "to")
            for what, kind in (("time", np.float64), ("lane", np.int32), ("slice", np.int64))
        }
        return Timeline(
            unit=unit.unit,
            seconds_per_unit=unit.seconds_per_unit,
            basis=unit.basis,
            strings=strings,
            lanes=Lanes(text("process"), text("thread"), sealed(ends("first_row", self._rows).astype(np.int32))),
            slices=Slices(
                start=self._joined("start"),
                duration=self._joined("duration"),
                name=text("name"),
                category=text("category"),
                record=self._joined("record"),
                address=self._joined("address"),
                first=ends("first", self._slices),
                untimed=self._joined_untimed(),
            ),
            flows=Flows(category=text("flow.category"), **flows),
            counters=Counters(
                process=text("counter.process"),
                name=text("counter.name"),
                series=text("counter.series"),
                first=ends("counter.first", self._samples),
                time=self._joined("counter.time"),
                value=self._joined("counter.value"),
            ),
            instants=Instants(self._joined("instant")),
            pieces=self._joined_pieces(),
            origin=origin,
        )

    def _joined(self, name: str) -> Array:
        """The column, released here."""
        return sealed(np.concatenate(self._columns.pop(name)))

    def _joined_untimed(self) -> Bool | None:
        if all(untimed is None for _, untimed in self._untimed):
            return None
        parts = [np.zeros(count, np.bool_) if untimed is None else untimed for count, untimed in self._untimed]
        return sealed(np.concatenate(parts))

    def _joined_pieces(self) -> Pieces | None:
        if not self._pieces:
            return None
        return Pieces(
            self._pieces[0][0].file,
            sealed(np.concatenate([pieces.offset + before for pieces, before, _ in self._pieces])),
            sealed(np.concatenate([pieces.size for pieces, _, _ in self._pieces])),
            sealed(np.concatenate([pieces.first + records for pieces, _, records in self._pieces])),
        )


def _none(like: I64) -> I64:
    return np.full(len(like), -1, np.int64)


PROCESS: Final = "Memory"
_SUM: Final = "PTA+GE"
"""A component that is the sum of two others."""
_SERIES: Final = ("allocated", "reserved", "active")
_NS: Final = Decimal(1_000_000_000)


def with_memory(timeline: Timeline, record: MemoryRecord) -> Timeline:
    """``timeline`` of one rank with a track for each component of its memory and each amount, in bytes. A timeline
    without a clock stays as it is: records have times of day."""
    if timeline.seconds_per_unit is None:
        return timeline
    per_unit = float(Decimal(repr(timeline.seconds_per_unit)) * _NS)
    origin = int(timeline.origin * Decimal(repr(timeline.seconds_per_unit)) * _NS)
    own = Interner()
    tracks, times, values = [], [], []
    for component in np.flatnonzero(np.bincount(record.component, minlength=1)).tolist():
        name = record.strings.get(component)
        if name == _SUM:
            continue
        rows = np.flatnonzero((record.component == component) & (record.time >= 0))
        for series in _SERIES:
            amount = getattr(record, series)
            known = rows[amount[rows] >= 0]
            if len(known) and int(amount[known].max()):
                order = known[np.argsort(record.time[known], kind="stable")]
                tracks.append((own(PROCESS), own(f"{name} {series}"), own("B")))
                times.append((record.time[order] - origin) / per_unit)
                values.append(amount[order].astype(np.float64))
    if not tracks:
        return timeline
    before, shift = timeline.counters, len(timeline.strings)
    ids = np.array(tracks, np.int32).T + np.int32(shift)
    ends = len(before.time) + np.cumsum([len(time) for time in times])
    made = Counters(
        process=sealed(np.append(before.process, ids[0])),
        name=sealed(np.append(before.name, ids[1])),
        series=sealed(np.append(before.series, ids[2])),
        first=sealed(np.append(before.first, ends)),
        time=sealed(np.concatenate([before.time, *times])),
        value=sealed(np.concatenate([before.value, *values])),
    )
    return replace(timeline, strings=joined(timeline.strings, own.strings()), counters=made)
