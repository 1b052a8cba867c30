"""Collects the events of a trace into columns, piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from app.formats.ascend_trace.clock import numbers
from app.formats.ascend_trace.event import Event, EventDecoder
from app.formats.ascend_trace.growing import Growing
from app.formats.ascend_trace.labels import COUNTER, FIELDS, METADATA, SLICE, Labels
from app.formats.json import again
from app.formats.json.pieces import Piece
from app.profile.arrays import F64, I32, I64, Array, Bool

_LABEL = attrgetter(*FIELDS)
_DURATION = attrgetter("dur")
MARKS = {"e": 1, "p": 2, "g": 3}
ENCLOSING, PROCESS, GLOBAL = MARKS.values()
"""ENCLOSING: a flow end that binds to the enclosing slice; PROCESS, GLOBAL: the scope of an instant."""


class SliceColumns:
    """Columns of complete slices. ``label``: int32 numbers in Labels; ``time``, ``duration``: float64, NaN if missing;
    ``record``: int64 ordinals; ``group``: int32 from 1, 0 none (empty where no slice has a group)."""

    def __init__(self) -> None:
        self.label = Growing(np.int32)
        self.time = Growing(np.float64)
        self.duration = Growing(np.float64)
        self.record = Growing(np.int64)
        self.group = Growing(np.int32)

    def __len__(self) -> int:
        return len(self.label)

    def add(self, label: I32, time: F64, duration: F64, record: I64, group: Sequence[int] | None = None) -> None:
        """Appends slices, given as columns."""
        if group is not None:
            self.group.extend(np.zeros(len(self) - len(self.group), np.int32))
            self.group.extend(group)
        elif len(self.group):
            self.group.extend(np.zeros(len(label), np.int32))
        self.label.extend(label)
        self.time.extend(time)
        self.duration.extend(duration)
        self.record.extend(record)

    def select(self, which: Bool) -> None:
        """Keeps only the slices where ``which`` (bool[slices]) is set."""
        for column in (self.label, self.time, self.duration, self.record, self.group):
            if len(column):
                column.extend(column.taken(which))


class PointColumns:
    """Columns of all other events on lanes: begins, ends, flow ends, instants. As in SliceColumns; ``key``: int32
    numbers of ids, -1 none; ``mark``: uint8, one of MARKS, 0 none."""

    def __init__(self) -> None:
        self.label = Growing(np.int32)
        self.time = Growing(np.float64)
        self.record = Growing(np.int64)
        self.key = Growing(np.int32)
        self.mark = Growing(np.uint8)


class Keys(dict[Any, int]):
    """Numbers ids in the order of first appearance."""

    def __missing__(self, key: Any) -> int:
        self[key] = number = len(self)
        return number


class Gatherer:
    """Collects pieces of events into columns. Metadata and counters, which are few or irregular, go to callbacks."""

    def __init__(
        self,
        labels: Labels,
        decoder: EventDecoder,
        metadata: Callable[[Event], None],
        counter: Callable[[Event, float, Any], None],
    ) -> None:
        self.slices = SliceColumns()
        self.points = PointColumns()
        self.keys = Keys()
        self.ignored: Counter[str] = Counter()
        self._groups = Keys()
        self._labels = labels
        self._decoder = decoder
        self._metadata = metadata
        self._counter = counter

    def restate(self, restated: Callable[[F64], F64]) -> None:
        """Replaces the times collected so far by ``restated(times)``."""
        for column in (self.slices.time, self.points.time):
            times = column.array()
            times[:] = restated(times)

    def add(self, piece: Piece[Event], times: F64) -> None:
        """Adds the events of one piece; ``times``: float64[events]."""
        events: Sequence[Event] = piece.records
        label = np.fromiter(map(self._labels.__getitem__, map(_LABEL, events)), np.int32, len(events))
        kind = self._labels.kind[label]
        if not bool(np.any(kind)):
            self._slices(events, label, times, piece.ordinals())
            return
        ordinals = piece.ordinals()
        slices = np.flatnonzero(kind == SLICE)
        points = np.flatnonzero((kind != SLICE) & (kind < COUNTER))
        self._slices([events[i] for i in slices.tolist()], label[slices], times[slices], ordinals[slices])
        self._points([events[i] for i in points.tolist()], label[points], times[points], ordinals[points])
        self._others(piece, kind, times, ordinals)

    def _slices(self, events: Sequence[Event], label: I32, times: F64, ordinals: I64) -> None:
        groups = None
        if self._decoder.grouped:
            ids = [event.group for event in events]
            groups = [0 if group is None else self._groups[group] + 1 for group in ids]
        self.slices.add(label, times, numbers(_DURATION, events), ordinals, groups)

    def _points(self, events: Sequence[Event], label: I32, times: F64, ordinals: I64) -> None:
        made = self.points
        made.label.extend(label)
        made.time.extend(times)
        made.record.extend(ordinals)
        ids = [event.key for event in events]
        made.key.extend([-1 if key is None else self.keys[key] for key in ids])
        made.mark.extend([MARKS.get(event.bp or event.s or "", 0) for event in events])

    def _others(self, piece: Piece[Event], kind: Array, times: F64, ordinals: I64) -> None:
        values = again.values(piece.text) if bool(np.any(kind == COUNTER)) else []
        for index in np.flatnonzero(kind >= COUNTER).tolist():
            event = piece.records[index]
            if kind[index] == METADATA:
                self._metadata(event)
            elif kind[index] == COUNTER:
                self._counter(event, float(times[index]), values[ordinals[index] - piece.first])
            else:
                self.ignored[event.ph[:8]] += 1
