"""Collects the events of a trace into columns, piece by piece, perhaps in another process
(``app/formats/json/stretches.py``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.clock import Growing, Moments, Sparse, Times, numbers, read_times, too_large
from app.formats.ascend_trace.columns import MARKS, Gathered, addresses
from app.formats.ascend_trace.event import COUNTER, METADATA, SLICE, Event, EventDecoder, keys_of
from app.formats.ascend_trace.labels import MAX_LANES, Labels, Metadata, codes_of
from app.formats.json import salvage
from app.formats.json.pieces import Piece, Records, collector_off
from app.formats.json.salvage import REFUSED, attempt
from app.formats.json.stretches import Mode, Passage, Stretch, StretchRecords, nothing, place_of
from app.formats.numbering import numbering
from app.formats.pool import Moved, Task
from app.formats.source import Source
from app.profile.arrays import I32, I64, U8, Array, Bool


class Gatherer:
    """Collects pieces of events; ``gathered`` is what they contain."""

    def __init__(self, most_lanes: int = MAX_LANES) -> None:
        self.gathered = Gathered(most_lanes)
        self.decoder = EventDecoder()
        self._labels = Labels(self.gathered.places, self.gathered.categories, self.gathered.names)

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
        events, keys = piece.records, keys_of(piece.records)
        label, place, name = self._labels.of(events)
        columns = _Columns(events, keys, self._labels, label, place, name, times, piece.ordinals())
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
        if bool(np.any(kind >= COUNTER)):
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
        durations = [event.dur for event in columns.events] if "dur" in columns.keys else [np.nan] * len(columns)
        made.duration.extend(numbers(durations))
        made.record.extend(columns.record)
        _extend(made.address, columns.addresses(), len(columns))

    def _add_points(self, columns: _Columns) -> None:
        made = self.gathered.points
        made.kind.extend(columns.kind)
        made.phase.extend(columns.phase)
        made.place.extend(columns.place)
        made.name.extend(columns.name)
        made.category.extend(columns.category)
        made.time.extend(columns.times)
        made.record.extend(columns.record)
        _extend(made.address, columns.addresses(), len(columns))
        _extend(made.id, self._ids(columns), len(columns))
        _extend(made.mark, _marks(columns), len(columns))

    def _ids(self, columns: _Columns) -> I64 | None:
        """int64[events]: the code of the id of each event; None if none has any."""
        events, plain = columns.events, columns.lacks("id2")
        ids = [event.id for event in events] if "id" in columns.keys else []
        if plain and ids.count(None) == len(ids):
            return None
        codes = codes_of(self.gathered.ids, ids) if plain and columns.lacks("scope") else None
        return codes_of(self.gathered.ids, [event.key for event in events]) if codes is None else codes

    def _add_others(self, piece: Piece[Event], columns: _Columns) -> None:
        """Adds metadata and counters."""
        counters = columns.kind == COUNTER
        if bool(np.any(counters)):
            some = columns.where(counters)
            arguments = _arguments(piece, (some.record - piece.first).tolist())
            self.gathered.counters.add(some.events, some.keys, some.times, arguments)
        others = columns.kind > COUNTER
        if not bool(np.any(others)):
            return
        self.gathered.metadata.add_all(columns.where(columns.kind == METADATA).events)
        for event in columns.where(columns.kind > METADATA).events:
            self.gathered.ignored[event.ph[:8]] += 1


def _extend(column: Sparse, values: Array | None, count: int) -> None:
    """Appends ``values``, of which None stands for ``count`` missing ones."""
    if values is None:
        column.extend_blank(count)
    else:
        column.extend(values)


def _marks(columns: _Columns) -> U8 | None:
    """uint8[events]: the mark of each; None if none has any."""
    if columns.lacks("s"):
        values = [event.bp for event in columns.events] if "bp" in columns.keys else []
    else:
        values = [event.bp or event.s for event in columns.events]
    if values.count(None) == len(values):
        return None
    return np.fromiter(map(_MARK_OF.__getitem__, values), np.uint8, len(values))


class _Marks(dict[Any, int]):
    """The mark of each value of ``bp`` or ``s``."""

    def __missing__(self, _: Any) -> int:
        return 0


_MARK_OF: Final = _Marks({**MARKS, None: 0, "t": 0})


class _Columns:
    """Columns of the events of one piece, or of some of them."""

    def __init__(
        self,
        events: Sequence[Event],
        keys: Collection[str],
        labels: Labels,
        label: I32,
        place: I32,
        name: I32,
        times: Moments,
        record: I64,
    ) -> None:
        self.events = events
        self.keys = keys
        self.place = place
        self.name = name
        self.times = times
        self.record = record
        self.kind: U8 = labels.kind[label]
        self._labels = labels
        self._label = label

    def __len__(self) -> int:
        return len(self.events)

    def lacks(self, key: str) -> bool:
        """Whether no event has a value for ``key``, of which None is the default."""
        if key not in self.keys:
            return True
        values = list(map(attrgetter(key), self.events))
        return values.count(None) == len(values)

    @property
    def phase(self) -> U8:
        return self._labels.phase[self._label]

    @property
    def category(self) -> I32:
        return self._labels.category[self._label]

    def addresses(self) -> I64 | None:
        """int64[events]: the program counter of each; None if none has any."""
        return addresses(self.events) if "args" in self.keys else None

    def where(self, which: Bool) -> _Columns:
        """The events for which ``which`` is set."""
        if bool(np.all(which)):
            return self
        return _Columns(
            list(compress(self.events, which.tolist())),
            self.keys,
            self._labels,
            self._label[which],
            self.place[which],
            self.name[which],
            self.times[which],
            self.record[which],
        )


class _Arguments(msgspec.Struct, gc=False):
    """The arguments of an event, as text."""

    args: msgspec.Raw = msgspec.Raw(b"null")


_TEXTS: Final = msgspec.json.Decoder(list[_Arguments])
_VALUES: Final = msgspec.json.Decoder(list[Any])
_ENCODER: Final = msgspec.json.Encoder()


def _arguments(piece: Piece[Event], numbers: Sequence[int]) -> list[Any]:
    """The arguments of the records of ``piece`` with these numbers, None for those that cannot be decoded."""
    events = attempt(_TEXTS.decode, piece.text)
    if events is not None and len(events) == piece.count:
        wanted = [events[number].args for number in numbers]
        try:
            return _VALUES.decode(_ENCODER.encode(wanted))
        except REFUSED:
            return [_value_of(text) for text in wanted]
    values = salvage.values(piece.text)
    return [_arguments_of(values[number] if number < len(values) else None) for number in numbers]


def _value_of(text: msgspec.Raw) -> Any:
    try:
        return msgspec.json.decode(text)
    except REFUSED:
        return salvage.value(bytes(text))


def _arguments_of(value: Any) -> Any:
    return value.get("args") if isinstance(value, dict) else None


NO_LIMIT: Final = 1 << 62
"""Lanes are counted when parts are merged: which ones are too many depends on those before."""
EXACT: Final[Mode] = (1,)
WHOLE: Final = ".whole"
PIECES_SEEN: Final = (2, 16)
"""The numbers of pieces after which it is estimated how many events there are."""


class TracePart(Struct, frozen=True, eq=False):
    """The content of a ``Gathered`` in a form that can be sent. ``columns``: by the name of the attribute, for times
    also with ``.whole`` if they are exact, without those that are blank. Its mode is (whether times are exact,)."""

    passage: Passage
    names: list[str | float | None]
    categories: list[str]
    ids: list[str]
    groups: list[str]
    processes: list[str]
    thread_ids: list[str]
    places: I64
    threads: list[int]
    tracks: list[tuple[str, str, str]]
    slices: dict[str, Array]
    points: dict[str, Array]
    counters: dict[str, Array]
    bad: int
    metadata: Metadata
    ignored: dict[str, int]
    words: int

    def gathered(self) -> Gathered:
        """The content as it was collected."""
        made = Gathered()
        made.names, made.categories = numbering(self.names), numbering(self.categories)
        made.ids, made.groups = numbering(self.ids), numbering(self.groups)
        made.places.processes, made.places.thread_ids = numbering(self.processes), numbering(self.thread_ids)
        made.places.codes = {code: number for number, code in enumerate(self.places.tolist())}
        made.places.threads = set(self.threads)
        made.counters.tracks = numbering(self.tracks)
        made.counters.bad = self.bad
        for target, columns in (
            (made.slices, self.slices),
            (made.points, self.points),
            (made.counters, self.counters),
        ):
            _fill(target, columns)
        made.metadata = self.metadata
        made.ignored.update(self.ignored)
        made.pieces = [(offset, size, first) for offset, size, first in self.passage.pieces.tolist()]
        made.count = self.passage.count
        made.words = self.words
        return made


def decode(source: Source, stretch: Stretch, moved: Moved) -> TracePart:
    """The events of ``stretch``."""
    place = place_of(source, stretch)
    gatherer = Gatherer(NO_LIMIT)
    if place is None:
        return _part(gatherer.gathered, nothing(stretch))
    decoder = gatherer.decoder
    decoder.exact = stretch.mode == EXACT
    records: StretchRecords[Event] = StretchRecords(
        source, stretch, place, decode=decoder.decode, rescue=decoder.rescue, plain=decoder.plain
    )
    with collector_off():
        if decoder.exact:
            gatherer.gathered.split_times()
        for piece in records:
            gatherer.gather(records, piece)
            if len(gatherer.gathered.pieces) in PIECES_SEEN:
                gatherer.gathered.expect(piece.offset + piece.size - place.end, stretch.until - place.end)
            moved(piece.offset + piece.size)
    return _part(gatherer.gathered, records.passage(mode_of(decoder.exact)))


TASK: Final = Task("trace", decode, Stretch, TracePart)


def mode_of(exact: bool) -> Mode:
    """The mode of a reader whose times are exact or not."""
    return EXACT if exact else (0,)


def _part(gathered: Gathered, passage: Passage) -> TracePart:
    return TracePart(
        passage,
        list(gathered.names),
        list(gathered.categories),
        list(gathered.ids),
        list(gathered.groups),
        list(gathered.places.processes),
        list(gathered.places.thread_ids),
        np.fromiter(gathered.places.codes, np.int64, len(gathered.places)),
        sorted(gathered.places.threads),
        list(gathered.counters.tracks),
        _columns(gathered.slices),
        _columns(gathered.points),
        _columns(gathered.counters),
        gathered.counters.bad,
        gathered.metadata,
        dict(gathered.ignored),
        gathered.words,
    )


def _columns(columns: object) -> dict[str, Array]:
    """The growing columns of an object."""
    result: dict[str, Array] = {}
    for name, value in vars(columns).items():
        if isinstance(value, Sparse) and value.is_blank:
            continue
        if isinstance(value, Growing):
            result[name] = value.array()
        elif isinstance(value, Times):
            moments = value.moments()
            result[name] = moments.value
            if moments.whole is not None:
                result[name + WHOLE] = moments.whole
    return result


def _fill(target: object, columns: dict[str, Array]) -> None:
    """Sets the growing columns of an object."""
    count = max(map(len, columns.values()))
    for name, value in vars(target).items():
        if isinstance(value, Sparse) and name not in columns:
            value.extend_blank(count)
        elif isinstance(value, Growing):
            value.replace(columns[name])
        elif isinstance(value, Times):
            value.set(columns[name], columns.get(name + WHOLE))
