"""Reads traces of the network on chip: events of tt-metal, and input and results of tt-npe (Tenstorrent, section 3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import compress
from operator import attrgetter
from typing import Annotated, Any, Final, TypeGuard

import msgspec
import numpy as np
from msgspec import Meta, Struct

from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.rows import Rows
from app.formats.source import Source
from app.formats.tenstorrent.assemble import NOWHERE, SIDE, Cores, OtherLanes, core_key, core_keys
from app.formats.timeline_build import Events
from app.formats.walk import Broken
from app.language import plural, tr
from app.profile.arrays import F64, I32, I64, Bool, numbered, sealed
from app.profile.strings import Interner
from app.profile.tenstorrent import NocLinks, NocTransfers

_MOVES: Final = re.compile(r"READ|WRITE|FABRIC_.*WRITE")
_STILL: Final = re.compile(r"_SET_STATE|_BARRIER|_FLUSH")
_LARGEST: Final = 1 << 40
_LATEST: Final = 1 << 53
_NAMED: Final = re.compile(r"noc_trace_dev(\d{1,5})_(.{1,200})_ID\d+")
MOST_LINKS: Final = 1 << 16
_ABSENT: Final = -(1 << 62)
_STATE, _SETS, _TRANSFER, _READ = 1, 2, 4, 8
"""What an event's type says, as bits."""
_Whole = Annotated[int, Meta(ge=_ABSENT, le=1 << 62)]


class _Event(Struct, gc=False):
    """An event of a trace. A field of another type counts as absent; zones have no ``type``."""

    type: str = ""
    noc: str = ""
    proc: str = ""
    op_name: str | None = None
    sx: _Whole = _ABSENT
    sy: _Whole = _ABSENT
    dx: _Whole = _ABSENT
    dy: _Whole = _ABSENT
    src_device_id: _Whole = _ABSENT
    dst_device_id: _Whole = _ABSENT
    num_bytes: _Whole = 0
    timestamp: float = -1.0
    mcast_start_x: Any = None


_FIELDS: Final = attrgetter(*_Event.__struct_fields__)


class _Raw(Struct, frozen=True, eq=False):
    """One row per transfer, as in NocTransfers, with the keys of cores. Without ``end``, it is an instant."""

    source: I64
    target: I64
    issuer: I64
    type: I32
    noc: I32
    processor: I32
    operation: I32
    time: F64
    end: F64
    bytes: I64
    simulated: Bool


class NocReader:
    """Gathers the transfers of all files. Times are cycles of their file."""

    def __init__(self) -> None:
        self._text = Interner()
        self._rows = Rows(_Raw)
        self._raw: _Raw | None = None
        self._links: dict[tuple[int, str], list[float]] = {}
        self._events = self._odd = 0
        self._traced = False

    def read(self, kind: str, source: Source, problems: Problems, tick: Callable[[int], None]) -> None:
        """Adds the transfers of one file. FormatError if it cannot be followed to its end; what comes before is
        added."""
        walk = JsonWalk(source, problems, tick)
        self._odd = 0
        before = self._events
        try:
            if kind == "noc":
                self._traced = True
                self._trace(walk, source.path.name)
            elif kind == "simulated":
                self._simulated(walk)
            else:
                self._workload(walk)
        except Broken as error:
            if self._events == before:
                raise
            text = tr("{error}; the events before this place are shown", error=error.text)
            problems.add("error", tr("truncated traces"), error.offset, text)
        if self._odd:
            text = plural(
                "{count:,} event has no core or no time that can be read and is skipped",
                "{count:,} events have no core or no time that can be read and are skipped",
                count=self._odd,
            )
            problems.add("warning", tr("events that cannot be read"), None, text)

    def _trace(self, walk: JsonWalk, name: str) -> None:
        match = _NAMED.match(name)
        device, operation = (int(match[1]), match[2]) if match else (0, "")
        states: dict[tuple[int, str, str, str], tuple[int, int]] = {}
        for batch in walk.records(_Event, _event):
            if batch.records:
                self._gather(batch.records, device, operation, states)

    def _gather(
        self,
        events: Sequence[_Event],
        device: int,
        operation: str,
        states: dict[tuple[int, str, str, str], tuple[int, int]],
    ) -> None:
        """Adds the transfers among ``events``. ``device``, ``operation``: of those that name none; ``states``: what the
        last state that was set says of each core, processor, network and direction."""
        self._events += len(events)
        kinds, nocs, procs, names, *numbers, times, casts = zip(*map(_FIELDS, events), strict=True)
        sx, sy, dx, dy, own, far, size = (np.array(values, np.int64) for values in numbers)
        time = np.array(times, np.float64)
        own = np.where(own == _ABSENT, device, own)
        at, other = core_keys(own, sx, sy), core_keys(np.where(far == _ABSENT, own, far), dx, dy)
        other[[cast is not None for cast in casts]] = NOWHERE
        size[(size < 0) | (size >= _LATEST)] = 0
        said = {kind: _meaning(kind) for kind in set(kinds)}
        bits = np.fromiter(map(said.__getitem__, kinds), np.int64, len(kinds))
        for row in np.flatnonzero(bits & _STATE).tolist():
            key = int(at[row]), procs[row], nocs[row], kinds[row].partition("_")[0]
            if bits[row] & _SETS:
                states[key] = int(other[row]), int(size[row])
            elif size[row] == 0:
                other[row], size[row] = states.get(key, (int(other[row]), 0))
        moves = (bits & _TRANSFER > 0) & (size > 0)
        good = moves & (at >= 0) & (size <= _LARGEST) & (time >= 0) & (time < _LATEST)
        self._odd += int(np.count_nonzero(moves & ~good))
        at, other, size, time, reads = at[good], other[good], size[good], time[good], bits[good] & _READ > 0
        wanted = good.tolist()
        ids = (self._ids(list(compress(texts, wanted)), operation) for texts in (kinds, nocs, procs, names))
        ends = np.where(reads, other, at), np.where(reads, at, other), at
        count = int(np.count_nonzero(good))
        self._rows.join(*ends, *ids, time, np.full(count, np.nan), size, np.zeros(count))

    def _ids(self, texts: Sequence[str | None], otherwise: str) -> I32:
        """int32: the number of each text, -1 for an empty one; None is ``otherwise``."""
        known = {text: self._id(otherwise if text is None else text) for text in dict.fromkeys(texts)}
        return np.fromiter(map(known.__getitem__, texts), np.int32, len(texts))

    def _id(self, name: object) -> int:
        return self._text(name[:200]) if isinstance(name, str) and name else -1

    def _workload(self, walk: JsonWalk) -> None:
        for phase in _items(walk, "phases"):
            transfers = phase.get("transfers")
            for row in transfers if isinstance(transfers, list) else ():
                self._events += 1
                if not isinstance(row, dict):
                    self._odd += 1
                    continue
                device = row.get("src_device_id", 0)
                at = core_key(device, row.get("src_x"), row.get("src_y"))
                each, count = _whole(row.get("packet_size"), 0), _whole(row.get("num_packets"), 0)
                time = row.get("phase_cycle_offset")
                if at < 0 or not 0 < each * count <= _LARGEST or not _is_time(time):
                    self._odd += 1
                    continue
                target = core_key(device, row.get("dst_x"), row.get("dst_y"))
                names = "", row.get("noc_type"), "", ""
                self._add(at, target, at, names, float(time), float("nan"), each * count, simulated=False)

    def _simulated(self, walk: JsonWalk) -> None:
        for key in walk.members():
            if key == "noc_transfers":
                for batch in walk.records(dict, _object):
                    for row in batch.records:
                        self._result(row)
            elif key == "timestep_data":
                for batch in walk.records(dict, _object):
                    for row in batch.records:
                        self._demand(row.get("link_demand"))

    def _result(self, row: dict[str, Any]) -> None:
        if self._traced:  # the same transfers are in the traces that were simulated
            return
        self._events += 1
        at, size = _triple(row.get("src")), _whole(row.get("total_bytes"), 0)
        targets = row.get("dst")
        target = _triple(targets[0]) if isinstance(targets, list) and len(targets) == 1 else NOWHERE
        begin, end = row.get("start_cycle"), row.get("end_cycle")
        if at < 0 or not 0 <= size <= _LARGEST or not (_is_time(begin) and _is_time(end) and begin <= end):
            self._odd += 1
            return
        kind = row.get("noc_event_type")
        route = row.get("route")
        noc = route[0].get("noc_type") if isinstance(route, list) and route and isinstance(route[0], dict) else ""
        self._add(at, target, at, (kind, noc, "", ""), float(begin), float(end), size, simulated=True)

    def _demand(self, rows: object) -> None:
        """Adds [device, row, column, link, percent] of one time step."""
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, list) and len(row) >= 5 and isinstance(row[3], str) and isinstance(row[4], int | float):
                key = (_triple(row[:3]), row[3][:64])
                if key[0] >= 0 and 0 <= row[4] < 1e9 and (key in self._links or len(self._links) < MOST_LINKS):
                    count, total, most = self._links.get(key, [0.0, 0.0, 0.0])
                    self._links[key] = [count + 1, total + row[4], max(most, row[4])]

    def _add(
        self,
        source: int,
        target: int,
        issuer: int,
        names: tuple[object, ...],
        time: float,
        end: float,
        size: int,
        *,
        simulated: bool,
    ) -> None:
        self._rows.add(source, target, issuer, *map(self._id, names), time, end, size, simulated)

    def _done(self) -> _Raw:
        self._raw = self._raw or self._rows.finish()
        return self._raw

    def announce(self, cores: Cores) -> None:
        """Adds the cores of the transfers."""
        raw = self._done()
        for keys in (raw.source, raw.target, raw.issuer):
            cores.add(keys)

    def lanes(self, strings: Interner, look: Callable[[], None]) -> OtherLanes:
        """A lane for each core and processor (or network) that issues transfers."""
        raw = self._done()
        by = np.where(raw.processor >= 0, raw.processor, raw.noc).astype(np.int64) + 1
        known, lane = numbered(raw.issuer * (len(self._text.ids) + 1) + by)
        look()
        texts = ["transfers", *self._text.ids]
        key, text = np.divmod(known, len(texts))
        process = [
            strings(f"Device {own // SIDE**2}, core ({own % SIDE}, {own // SIDE % SIDE})") for own in key.tolist()
        ]
        thread = [strings(f"{texts[own]}, NoC") for own in text.tolist()]
        unnamed = strings("transfer")
        ids = np.array([strings(name) for name in self._text.ids] + [unnamed], np.int32)  # -1 is the last
        points = np.isnan(raw.end)
        origin = raw.time.min() if len(raw.time) else 0.0
        events = Events(
            lane.astype(np.int32),
            raw.time - origin,
            np.where(points, 0.0, raw.end - raw.time),
            ids[raw.type],
            ids[raw.noc],
        )
        look()
        return OtherLanes(process, thread, key, events, points, int(origin))

    def section(self, cores: Cores) -> NocTransfers:
        """The transfers with the rows of their cores."""
        raw = self._done()
        source, target, issuer = (cores.index(keys) for keys in (raw.source, raw.target, raw.issuer))
        links = sorted(self._links)
        ids = [self._text(name) for _, name in links]
        figures = np.array([self._links[key] for key in links], np.float64).reshape(-1, 3)
        place = np.array([key for key, _ in links], np.int64)
        made = NocLinks(
            device=sealed((place // SIDE**2).astype(np.int32)),
            x=sealed((place % SIDE).astype(np.int32)),
            y=sealed((place // SIDE % SIDE).astype(np.int32)),
            name=sealed(np.array(ids, np.int32)),
            mean=sealed(figures[:, 1] / np.maximum(figures[:, 0], 1)),
            most=sealed(figures[:, 2]),
        )
        same = {name: getattr(raw, name) for name in _SAME}
        return NocTransfers(self._text.strings(), source, target, issuer, **same, events=self._events, links=made)


_SAME: Final = ("type", "noc", "processor", "operation", "time", "end", "bytes", "simulated")


@lru_cache(1024)
def _meaning(kind: str) -> int:
    """What a type of events says: whether they move data, and where; whether they set or use a state."""
    transfer = _MOVES.match(kind) is not None and _STILL.search(kind) is None
    return (
        kind.endswith("_STATE") * _STATE
        + kind.endswith("_SET_STATE") * _SETS
        + transfer * _TRANSFER
        + kind.startswith("READ") * _READ
    )


def _event(value: Any) -> _Event:
    """The fields of an object that have the right types."""
    fitting = {}
    for name, own in _object(value).items():
        try:
            fitting[name] = getattr(msgspec.convert({name: own}, _Event), name, None)
        except msgspec.ValidationError:
            continue
    return msgspec.convert(fitting, _Event)


def _triple(value: object) -> int:
    """The key of a core that is written as [device, row, column]."""
    return core_key(value[0], value[2], value[1]) if isinstance(value, list) and len(value) == 3 else NOWHERE


def _whole(value: object, none: int = -1) -> int:
    return value if type(value) is int and 0 <= value < 1 << 53 else none


def _is_time(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and 0 <= value < _LATEST


def _items(walk: JsonWalk, wanted: str) -> Any:
    for key in walk.members():
        if key == wanted:
            for batch in walk.records(dict, _object):
                yield from batch.records


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(tr("it is not an object"))
    return value
