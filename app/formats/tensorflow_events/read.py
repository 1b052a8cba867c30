"""Reads a log of IPU events, in any container, into a profile: its events, and their timeline with a process for each
device and lanes by module."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats import timeline_build
from app.formats.errors import FormatError
from app.formats.events import Began, Event, Pace, SectionReady, Sink
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.source import Source, Stretch
from app.formats.tensor_map.tensors import MapColumns, read_map
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.containers import HEAD_BYTES, container_of, read_blocks, read_sequence, read_single
from app.formats.tensorflow_events.event_file import Buffered, read_event_file
from app.formats.tensorflow_events.ipu_event import Place
from app.formats.timeline_build import Events
from app.language import plural, tr
from app.profile.arrays import I32, I64, among, sealed
from app.profile.issue import Issue
from app.profile.strings import Interner
from app.profile.tensorflow import (
    COMPILE_BEGIN,
    COMPILE_END,
    EXECUTE,
    FROM_DEVICE,
    GRAIN,
    LOAD_ENGINE,
    TO_DEVICE,
    HostEvents,
)
from app.profile.timeline import Counters, Timeline

PHASE = tr("reading events")
_EMPTY = tr("it contains no IPU events. To get them, use ipu_compile_summary, or compile_summary of an IPUEstimator")
_NOTHING = tr("no IPU events: it is neither a TensorBoard event file nor another file in which TensorFlow stores them")


def read(sources: Sequence[Source], sink: Sink) -> None:
    """Reads one profile per file. FormatError if a file is not a log of events."""
    for source in sources:
        _Load(source, sink).run()


class _Load:
    def __init__(self, source: Source, sink: Sink) -> None:
        self._source = Buffered(source)
        self._sink = sink
        self._moved = Pace(sink, source.size, PHASE)

    def run(self) -> None:
        source = self._source
        container = container_of(source.head(HEAD_BYTES), source.path)
        if container is None:
            raise FormatError(_NOTHING, path=str(source.path))
        self._sink(Began(source.path.name, (source.path,)))
        problems = Problems(self._sink, source.path.name)
        columns = EventColumns(source, problems)
        skipped: dict[str, int] = {}
        try:
            if container == "event file":
                skipped = dict(read_event_file(source, problems, columns, self._moved).skipped)
            elif container == "text":
                read_blocks(source, problems, columns, self._moved)
            elif container == "sequence of reports":
                read_sequence(source, problems, columns, self._moved)
            else:
                read_single(source, columns)
        except FormatError as error:
            raise FormatError(error.text, path=str(source.path), offset=error.offset) from error
        events = columns.finish(container, skipped)
        if not len(events):
            self._sink(Issue("warning", source.path.name, _EMPTY))
        self._deliver(events, columns.maps, problems)
        problems.finish()

    def _deliver(self, events: HostEvents, maps: list[tuple[str, Place]], problems: Problems) -> None:
        self._sink(SectionReady(events))
        made = timeline(events)
        if made is not None:
            self._sink(SectionReady(made))
        if maps:
            self._tensor_maps(maps, problems)

    def _tensor_maps(self, maps: list[tuple[str, Place]], problems: Problems) -> None:
        """The last of several compilations of a module counts."""
        last = dict(maps)
        if len(last) < len(maps):
            text = plural(
                "{count:,} tensor map of a module that was compiled again is not shown",
                "{count:,} tensor maps of modules that were compiled again are not shown",
                count=len(maps) - len(last),
            )
            problems.add(
                "info",
                tr("tensor maps"),
                None,
                tr("{text}; all can be saved from the table of reports", text=text),
            )
        columns = MapColumns()
        for module, place in last.items():
            walk = JsonWalk(Stretch(self._source, place.end), problems, self._moved, place.begin)
            try:
                read_map(walk, problems, columns, module)
            except FormatError as error:
                text = tr(
                    "the tensor map of module {module} cannot be read completely: {error}",
                    module=module or tr("without name"),
                    error=error.text,
                )
                problems.add("warning", tr("tensor maps that cannot be read"), error.offset, text)
        self._sink(SectionReady(columns.finish()))


WORDS: Final = {
    COMPILE_BEGIN: "Compile",
    COMPILE_END: "Compile",
    TO_DEVICE: "Host to device",
    FROM_DEVICE: "Device to host",
    LOAD_ENGINE: "Load",
    EXECUTE: "Execute",
}
OTHER: Final = "Other"
_PHASES: Final = {COMPILE_BEGIN: 0, COMPILE_END: 0, LOAD_ENGINE: 1, EXECUTE: 3, TO_DEVICE: 2, FROM_DEVICE: 4}
"""The order of the lanes of a device; transfers, which name no module, come before and after all modules."""
_TRANSFERS: Final = (TO_DEVICE, FROM_DEVICE)
_LANES: Final = 4096
"""If there would be more lanes than this, modules share one for each phase."""


def timeline(events: HostEvents) -> Timeline | None:
    """The timeline in seconds from the first event; None if no event has a time.

    A compilation lasts from its begin to its end (from end minus duration if the begin is missing); the log has no
    duration for other events. ``record`` is the row of the event, ``category`` its module.
    """
    shown = np.isfinite(events.time)
    shown[events.begin[shown & (events.begin >= 0)]] = False  # a begin is part of the slice of its end
    rows = np.flatnonzero(shown)
    if not len(rows):
        return None
    start, end, zero = events.starts()[rows], events.time[rows], events.zero
    texts = Interner()
    lanes = _lanes(events, rows, texts)
    names = _names(events, rows, texts)
    module = _modules(events, rows, texts)
    counters = _counters(events, zero, texts)
    slices = Events(
        lane=lanes.of,
        start=np.round(start - zero, GRAIN),
        duration=np.round(end - start, GRAIN),
        name=names,
        category=module,
        record=rows.astype(np.int64),
        untimed=~events.timed()[rows],
    )
    return timeline_build.timeline(slices, lanes.process, lanes.thread, texts.strings(), counters=counters)


class _Lanes(Struct, frozen=True, eq=False):
    """``of``: int32[rows], the lane of each event; ``process``, ``thread``: int32[lanes] text ids."""

    of: I32
    process: I32
    thread: I32


def _lanes(events: HostEvents, rows: I64, texts: Interner) -> _Lanes:
    """One lane for each device, phase and module, ordered by device, then by first appearance of the module."""
    kind, device, module = events.type[rows], events.ordinal[rows], events.module[rows].astype(np.int64)
    phase = np.full(len(rows), 5, np.int64)
    for number, place in _PHASES.items():
        phase[kind == number] = place
    module[among(kind, _TRANSFERS)] = -1
    keys = _keys(device, phase, module)
    lanes, first, of = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    if len(lanes) > _LANES:
        module = np.full(len(rows), -1, np.int64)
        keys = _keys(device, phase, module)
        lanes, first, of = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    process = [texts(f"Device {number}") for number in lanes[:, 0].tolist()]
    thread = []
    for example in first.tolist():
        word = WORDS.get(int(kind[example]), OTHER)
        name = events.strings.get(int(module[example]))
        thread.append(texts(f"{word} {name}" if name else word))
    return _Lanes(of.reshape(-1).astype(np.int32), np.array(process, np.int32), np.array(thread, np.int32))


def _keys(device: I32, phase: I64, module: I64) -> I64:
    """int64[rows, 4]: the keys that identify and sort lanes. Transfers to the device are above its modules, those from
    it below."""
    outer = np.where(phase == 2, 0, np.where(phase == 4, 2, 1))
    return np.stack((device.astype(np.int64), outer, module, phase), axis=1)


def _names(events: HostEvents, rows: I64, texts: Interner) -> I32:
    """int32[rows]: names such as ``Compile cluster_1``; each combination is created once."""
    pairs, of = np.unique(np.stack((events.type[rows], events.module[rows]), axis=1), axis=0, return_inverse=True)
    made = []
    for kind, module in pairs.tolist():
        word = WORDS.get(kind, OTHER)
        name = events.strings.get(module)
        made.append(texts(f"{word} {name}" if name and kind not in _TRANSFERS else word))
    return np.array(made, np.int32)[of.reshape(-1)]


def _modules(events: HostEvents, rows: I64, texts: Interner) -> I32:
    """int32[rows]: text ids of the modules; transfers have the name of their direction instead."""
    known, of = np.unique(events.module[rows], return_inverse=True)
    ids = np.array([texts(events.strings.get(module)) if module >= 0 else -1 for module in known.tolist()], np.int32)
    names = ids[of.reshape(-1)]
    for kind in _TRANSFERS:
        names[events.type[rows] == kind] = texts(WORDS[kind])
    return names


def _counters(events: HostEvents, zero: float, texts: Interner) -> Counters:
    """For each device and direction, the cumulative number of bytes moved."""
    process, name, series = [], [], []
    moved = (events.bytes >= 0) & np.isfinite(events.time) & among(events.type, _TRANSFERS)
    rows = np.flatnonzero(moved)
    rows = rows[np.lexsort((events.time[rows], events.type[rows], events.ordinal[rows]))]
    track = np.stack((events.ordinal[rows], events.type[rows]), axis=1)
    begins = np.flatnonzero(np.any(track[1:] != track[:-1], axis=1)) + 1 if len(rows) else np.empty(0, np.int64)
    first = np.concatenate((np.zeros(min(1, len(rows)), np.int64), begins, [len(rows)]))
    for device, kind in track[first[:-1]].tolist():
        process.append(texts(f"Device {device}"))
        name.append(texts("Bytes moved"))
        series.append(texts(WORDS[kind]))
    sizes = events.bytes[rows].astype(np.float64)
    so_far = [np.cumsum(part) for part in np.split(sizes, begins)]
    return Counters(
        process=sealed(np.array(process, np.int32)),
        name=sealed(np.array(name, np.int32)),
        series=sealed(np.array(series, np.int32)),
        first=sealed(first.astype(np.int64)),
        time=sealed(np.round(events.time[rows] - zero, GRAIN)),
        value=sealed(np.concatenate(so_far)),
    )


MOST_EVENTS: Final = 1000
MOST_STEPS: Final = 10_000
"""Values that are looked at: each takes some microseconds, however large it is."""


def preview(sources: Sequence[Source]) -> Iterator[Event]:
    """The first events of the first file, if it is an event file; the other containers have few. FormatError if it is
    damaged at its beginning."""
    source = Buffered(sources[0])
    container = container_of(source.head(HEAD_BYTES), source.path)
    if container != "event file":
        return
    problems = Problems(lambda _: None, "")
    columns = EventColumns(source, problems)
    limit = _Limit(columns)
    with contextlib.suppress(_Enough):
        read_event_file(source, problems, columns, limit, checked=False)
    events = columns.finish(container, {})
    if len(events):
        portion = plural("the first {count:,} event", "the first {count:,} events", count=len(events))
        yield Began(source.path.name, (source.path,), preview=True)
        yield SectionReady(events, preview=True, portion=portion)
        shown = timeline(events)
        if shown is not None:
            yield SectionReady(shown, preview=True, portion=portion)


class _Enough(Exception):
    """Ends reading."""


class _Limit:
    """Raises _Enough when ``columns`` has enough events, or too many other values were passed."""

    def __init__(self, columns: EventColumns) -> None:
        self._columns = columns
        self._steps = 0

    def __call__(self, _reached: int) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS or len(self._columns) >= MOST_EVENTS:
            raise _Enough
