"""Collects the events of a trace into columns, piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import attrgetter
from types import NoneType
from typing import Any, Final

import msgspec
import numpy as np

from app.formats.ascend_trace.addresses import NO_ADDRESS, addresses
from app.formats.ascend_trace.clock import numbers, read_times, too_large
from app.formats.ascend_trace.columns import MARKS, Gathered
from app.formats.ascend_trace.event import Event, EventDecoder
from app.formats.ascend_trace.labels import COUNTER, MAX_LANES, METADATA, SLICE, Labels
from app.formats.ascend_trace.times import Moments
from app.formats.json import again
from app.formats.json.pieces import Piece, Records
from app.formats.json.salvage import REFUSED, attempt
from app.formats.numbering import numbers_of
from app.profile.arrays import I32, I64, U8, Bool, Integers

_DURATION = attrgetter("dur")


class Gatherer:
    """Collects pieces of events; ``gathered`` is what they contain."""

    def __init__(self, most_lanes: int = MAX_LANES) -> None:
        self.gathered = Gathered(most_lanes)
        self.decoder = EventDecoder()
        self._labels = Labels(self.gathered.places, self.gathered.categories)

    def gather(self, records: Records[Event], piece: Piece[Event]) -> None:
        """Adds a piece of ``records``, which decode by ``decoder``."""
        times = read_times(piece.records, self.decoder.exact)
        if too_large(times):
            self.decoder.exact = True
            piece = records.again(piece)
            self.gathered.split_times()
            times = read_times(piece.records, exact=True)
        if piece.records:
            self._add(piece, times)
        self.gathered.pieces.append((piece.offset, piece.size, piece.first))
        self.gathered.count = piece.first + piece.count

    def _add(self, piece: Piece[Event], times: Moments) -> None:
        events = piece.records
        label, place = self._labels.of(events)
        name = numbers_of(self.gathered.names, [event.name for event in events], len(events))
        columns = _Columns(events, self._labels, label, place, name, times, piece.ordinals(), addresses(events))
        if self._labels.any_words:
            self.gathered.words += sum(event.is_word for event in compress(events, self._labels.word[label].tolist()))
        kind = columns.kind
        if not bool(np.any(kind)):
            self._add_slices(columns)
            return
        slices = kind == SLICE
        points = ~slices & (kind < COUNTER)
        for which, add in ((slices, self._add_slices), (points, self._add_points)):
            if bool(np.any(which)):
                add(columns.where(which))
        self._add_others(piece, columns)

    def _add_slices(self, columns: _Columns) -> None:
        made = self.gathered.slices
        if self.decoder.grouped:
            made.reach()
            ids, groups = [event.group for event in columns.events], self.gathered.groups
            made.group.extend([0 if group is None else groups[group] + 1 for group in ids])
        made.place.extend(columns.place)
        made.name.extend(columns.name)
        made.category.extend(columns.category)
        made.time.extend(columns.times)
        made.duration.extend(numbers(_DURATION, columns.events))
        made.record.extend(columns.record)
        made.address.extend(columns.address)

    def _add_points(self, columns: _Columns) -> None:
        made = self.gathered.points
        made.kind.extend(columns.kind)
        made.phase.extend(columns.phase)
        made.place.extend(columns.place)
        made.name.extend(columns.name)
        made.category.extend(columns.category)
        made.time.extend(columns.times)
        made.record.extend(columns.record)
        made.address.extend(columns.address)
        made.key.extend(self._keys(columns.events))
        made.mark.extend(_marks(columns.events))

    def _keys(self, events: Sequence[Event]) -> Integers | list[int]:
        """The number of the id of each event, -1 without one."""
        keys = self.gathered.keys
        ids = [event.id for event in events]
        if _all_none([event.scope for event in events]) and _all_none([event.id2 for event in events]):
            if _all_none(ids):
                return np.full(len(ids), -1, np.int32)
            kinds = set(map(type, ids))
            if kinds <= {str, int}:
                return numbers_of(keys, map(str, ids), len(ids))
            if kinds <= {str, int, NoneType}:
                return [-1 if plain is None else keys[str(plain)] for plain in ids]
        texts = [event.key for event in events]
        return [-1 if key is None else keys[key] for key in texts]

    def _add_others(self, piece: Piece[Event], columns: _Columns) -> None:
        """Adds metadata and counters."""
        counters = columns.kind == COUNTER
        if bool(np.any(counters)):
            some = columns.where(counters)
            arguments = _arguments(piece, (some.record - piece.first).tolist())
            self.gathered.counters.add(some.events, some.times, arguments)
        others = columns.kind > COUNTER
        for event, kind in zip(columns.where(others).events, columns.kind[others].tolist(), strict=True):
            if kind == METADATA:
                self.gathered.metadata.add(event)
            else:
                self.gathered.ignored[event.ph[:8]] += 1


def _marks(events: Sequence[Event]) -> U8:
    """uint8[events]: the mark of each."""
    if _all_none([event.bp for event in events]) and _all_none([event.s for event in events]):
        return np.zeros(len(events), np.uint8)
    return np.array([MARKS.get(event.bp or event.s or "", 0) for event in events], np.uint8)


def _all_none(values: list[Any]) -> bool:
    return values.count(None) == len(values)


class _Columns:
    """Columns of the events of one piece, or of some of them."""

    def __init__(
        self,
        events: Sequence[Event],
        labels: Labels,
        label: I32,
        place: I32,
        name: I32,
        times: Moments,
        record: I64,
        address: I64 | None,
    ) -> None:
        self.events = events
        self.place = place
        self.name = name
        self.times = times
        self.record = record
        self.kind: U8 = labels.kind[label]
        self._labels = labels
        self._label = label
        self._address = address

    @property
    def phase(self) -> U8:
        return self._labels.phase[self._label]

    @property
    def category(self) -> I32:
        return self._labels.category[self._label]

    @property
    def address(self) -> I64:
        return np.full(len(self.events), NO_ADDRESS) if self._address is None else self._address

    def where(self, which: Bool) -> _Columns:
        """The events for which ``which`` is set."""
        return _Columns(
            list(compress(self.events, which.tolist())),
            self._labels,
            self._label[which],
            self.place[which],
            self.name[which],
            self.times[which],
            self.record[which],
            None if self._address is None else self._address[which],
        )


class _Arguments(msgspec.Struct, gc=False):
    """The arguments of an event, as plain values."""

    args: Any = None


_EACH: Final = msgspec.json.Decoder(list[msgspec.Raw])
_ONE: Final = msgspec.json.Decoder(_Arguments)


def _arguments(piece: Piece[Event], numbers: Sequence[int]) -> list[Any]:
    """The arguments of the records of ``piece`` with these numbers, None for those that cannot be decoded."""
    texts = attempt(_EACH.decode, piece.text)
    if texts is not None and len(texts) == piece.count:
        return [_arguments_in(texts[number]) for number in numbers]
    values = again.values(piece.text)
    return [_arguments_of(values[number] if number < len(values) else None) for number in numbers]


def _arguments_in(text: msgspec.Raw) -> Any:
    try:
        return _ONE.decode(text).args
    except REFUSED:
        return _arguments_of(again.value(bytes(text)))


def _arguments_of(value: Any) -> Any:
    return value.get("args") if isinstance(value, dict) else None
