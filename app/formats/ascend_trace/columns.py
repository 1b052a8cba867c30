"""The events of a trace as columns, gathered piece by piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.formats.ascend_trace.event import Event
from app.formats.json.pieces import Piece
from app.profile.arrays import F64, I32, I64, U8, Array

SLICE, BEGIN, END, FLOW_START, FLOW_END, INSTANT, COUNTER, METADATA, OTHER = range(9)
_KINDS = {
    "X": SLICE, "B": BEGIN, "E": END, "s": FLOW_START, "t": FLOW_END, "f": FLOW_END,
    "i": INSTANT, "I": INSTANT, "C": COUNTER, "M": METADATA,
}  # fmt: skip


_DTYPES = (np.uint8, np.float64, np.float64, *[np.int32] * 7, np.int64)


class Ids(dict[Any, int]):
    """Numbers things in the order of first sight; None has its number too."""

    def __missing__(self, thing: Any) -> int:
        self[thing] = count = len(self)
        return count


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Events with a place in time, in file order. ``name``, ``category``, ``process``, ``thread``, ``key`` (the
    event's id), ``address``, ``group``: int32 numbers in the Ids of that name, 0 none; ``record``: int64
    ordinals."""

    kind: U8
    time: F64
    duration: F64
    name: I32
    category: I32
    process: I32
    thread: I32
    key: I32
    address: I32
    group: I32
    record: I64

    def __len__(self) -> int:
        return len(self.kind)

    def take(self, which: Array) -> Columns:
        """The events that an index or mask array picks."""
        return Columns(*(getattr(self, field)[which] for field in self.__slots__))


def join(first: Columns, second: Columns) -> Columns:
    """The events of both."""
    return Columns(*(np.concatenate((getattr(first, f), getattr(second, f))) for f in Columns.__slots__))


class Gatherer:
    """Takes pieces, keeps columns; metadata and counters, which are few or varied, go to their own places."""

    def __init__(self, metadata: Callable[[Event], None], counter: Callable[[Event], None]) -> None:
        self.names = Ids()
        self.categories = Ids()
        self.processes = Ids()
        self.threads = Ids()
        self.keys = Ids()
        self.addresses = Ids()
        self.groups = Ids()
        self.ignored: Counter[str] = Counter()
        for ids in (self.keys, self.groups, self.categories, self.addresses, self.processes, self.threads):
            ids[None] = 0  # number 0: none
        self.names[""] = 0
        self._metadata = metadata
        self._counter = counter
        self._parts: list[list[Array]] = [[] for _ in _DTYPES]

    def add(self, piece: Piece[Event]) -> None:
        """The events of one piece."""
        events: Sequence[Event] = piece.records
        kinds = np.array([_KINDS.get(event.ph, OTHER) for event in events], np.uint8)
        ordinals = piece.ordinals()
        if len(kinds) and int(kinds.max()) >= COUNTER:
            for index in np.flatnonzero(kinds >= COUNTER).tolist():
                self._aside(events[index], int(kinds[index]))
            placed = np.flatnonzero(kinds < COUNTER)
            kinds, ordinals = kinds[placed], ordinals[placed]
            events = [events[index] for index in placed.tolist()]
        if events:
            made = (kinds, *self._columns(events, plain=int(kinds.max()) == SLICE), ordinals)
            for parts, column in zip(self._parts, made, strict=True):
                parts.append(column)

    def _columns(self, events: Sequence[Event], *, plain: bool) -> tuple[Array, ...]:
        """``plain``: only complete slices, whose ids say nothing."""
        names, categories, addresses = self.names, self.categories, self.addresses
        processes, threads, keys, groups = self.processes, self.threads, self.keys, self.groups
        count = len(events)
        return (
            np.array([event.ts for event in events]),
            np.array([event.dur for event in events]),
            np.array([names[event.name] for event in events], np.int32),
            np.array([categories[event.cname or event.cat] for event in events], np.int32),
            np.array([processes[event.pid] for event in events], np.int32),
            np.array([threads[event.tid] for event in events], np.int32),
            np.zeros(count, np.int32) if plain else np.array([keys[event.id] for event in events], np.int32),
            np.array([addresses[args.pc_addr if (args := event.args) else None] for event in events], np.int32),
            np.array([groups[event.group_id] for event in events], np.int32),
        )

    def _aside(self, event: Event, kind: int) -> None:
        if kind == METADATA:
            self._metadata(event)
        elif kind == COUNTER:
            self._counter(event)
        else:
            self.ignored[event.ph[:8]] += 1

    def columns(self) -> Columns:
        """All that was gathered; it is given up."""
        made: list[Array] = []
        for parts, dtype in zip(self._parts, _DTYPES, strict=True):
            made.append(np.concatenate(parts) if parts else np.zeros(0, dtype))
            parts.clear()
        return Columns(*made)
