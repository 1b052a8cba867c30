"""Collects the events of a trace into columns, piece by piece, perhaps in another process
(``app/formats/json/stretches.py``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.clock import Growing, Moments, Sparse, Times, numbers, read_times, too_large
from app.formats.ascend_trace.columns import MARKS, CounterTrack, Gathered, addresses
from app.formats.ascend_trace.event import COUNTER, METADATA, SLICE, Event, EventDecoder, keys_of
from app.formats.ascend_trace.labels import MAX_LANES, Labels, Metadata, codes_of
from app.formats.ascend_trace.scan import Scan, Scanned
from app.formats.json import salvage
from app.formats.json.pieces import Piece, Records, collector_off
from app.formats.json.salvage import REFUSED, attempt
from app.formats.json.stretches import Mode, Passage, Stretch, StretchRecords, nothing, place_of
from app.formats.numbering import numbering
from app.formats.pool import Moved, Task
from app.formats.source import Source
from app.profile.arrays import F64, I32, I64, U8, Array, Bool


class Gatherer:
    """Collects pieces of events; ``gathered`` is what they contain."""

    def __init__(self, most_lanes: int = MAX_LANES) -> None:
        self.gathered = Gathered(most_lanes)
        self.decoder = EventDecoder()
        self._labels = Labels(self.gathered.places, self.gathered.categories, self.gathered.names)
        self._scan = Scan.of(self.gathered, self.decoder)

    @property
    def scan(self) -> Callable[[bytes], Scanned | None] | None:
        """What makes columns of a piece where a scanner is there; see ``Records``."""
        return None if self._scan is None else self._scan.piece

    def gather(self, records: Records[Event], piece: Piece[Event]) -> None:
        """Adds a piece of ``records``, which decode by ``decoder``."""
        made = piece.columns
        times = made.times if isinstance(made, Scanned) else read_times(piece.records, self.decoder.exact)
        if too_large(times):
            self.decoder.exact = True
            piece = records.again(piece)
            self.gathered.split_times()
            made = piece.columns
            times = made.times if isinstance(made, Scanned) else read_times(piece.records, exact=True)
        if isinstance(made, Scanned) and self._scan is not None:
            self._add_columns(self._scan.numbered(made, piece))
        elif piece.records:
            self._add_columns(self._columns(piece, times))
        self.gathered.pieces.append((piece.offset, piece.size, piece.first))
        self.gathered.count = piece.first + piece.count

    def _columns(self, piece: Piece[Event], times: Moments) -> _Columns:
        label, place, name = self._labels.of(piece.records)
        return _Columns(piece, piece.records, self._labels, label, place, name, times, piece.ordinals())

    def _add_columns(self, columns: _Columns | Scanned) -> None:
        self.gathered.words += columns.words()
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
            self._add_others(columns)

    def _add_slices(self, columns: _Columns | Scanned) -> None:
        made = self.gathered.slices
        if self.decoder.grouped:
            made.reach()
            made.group.extend(columns.groups(self.gathered))
        made.place.extend(columns.place)
        made.name.extend(columns.name)
        made.category.extend(columns.category)
        made.time.extend(columns.times)
        made.duration.extend(columns.durations())
        made.record.extend(columns.record)
        _extend(made.address, columns.addresses(), len(columns))

    def _add_points(self, columns: _Columns | Scanned) -> None:
        made = self.gathered.points
        made.kind.extend(columns.kind)
        made.phase.extend(columns.phase)
        made.place.extend(columns.place)
        made.name.extend(columns.name)
        made.category.extend(columns.category)
        made.time.extend(columns.times)
        made.record.extend(columns.record)
        _extend(made.address, columns.addresses(), len(columns))
        _extend(made.id, columns.ids(self.gathered), len(columns))
        _extend(made.mark, columns.marks(), len(columns))

    def _add_others(self, columns: _Columns | Scanned) -> None:
        """Adds metadata and counters."""
        counters = columns.kind == COUNTER
        if bool(np.any(counters)):
            some = columns.where(counters)
            self.gathered.counters.add(some.counters(), some.times, some.arguments())
        if not bool(np.any(columns.kind > COUNTER)):
            return
        self.gathered.metadata.add_all(*columns.where(columns.kind == METADATA).metadata())
        for phase in columns.where(columns.kind > METADATA).phases():
            self.gathered.ignored[phase[:8]] += 1


def _extend(column: Sparse, values: Array | None, count: int) -> None:
    """Appends ``values``, of which None stands for ``count`` missing ones."""
    if values is None:
        column.extend_blank(count)
    else:
        column.extend(values)


class _Marks(dict[Any, int]):
    """The mark of each value of ``bp`` or ``s``."""

    def __missing__(self, _: Any) -> int:
        return 0


_MARK_OF: Final = _Marks({**MARKS, None: 0, "t": 0})


class _Columns:
    """Columns of the events of one piece, or of some of them."""

    def __init__(
        self,
        piece: Piece[Event],
        events: Sequence[Event],
        labels: Labels,
        label: I32,
        place: I32,
        name: I32,
        times: Moments,
        record: I64,
    ) -> None:
        self.events = events
        self.place = place
        self.name = name
        self.times = times
        self.record = record
        self.kind: U8 = labels.kind[label]
        self._piece = piece
        self._keys = keys_of(piece.records)
        self._labels = labels
        self._label = label

    def __len__(self) -> int:
        return len(self.events)

    def _lacks(self, key: str) -> bool:
        """Whether no event has a value for ``key``, of which None is the default."""
        if key not in self._keys:
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
        return addresses(self.events) if "args" in self._keys else None

    def durations(self) -> F64:
        """float64[events], NaN for none."""
        if "dur" not in self._keys:
            return np.full(len(self), np.nan)
        return numbers([event.dur for event in self.events])

    def groups(self, gathered: Gathered) -> list[int]:
        """One more than the number of the group of each event; 0 for none."""
        ids, numbers = [event.group for event in self.events], gathered.groups
        return [0 if group is None else numbers[group] + 1 for group in ids]

    def ids(self, gathered: Gathered) -> I64 | None:
        """int64[events]: the code of the id of each event; None if none has any."""
        events, plain = self.events, self._lacks("id2")
        ids = [event.id for event in events] if "id" in self._keys else []
        if plain and ids.count(None) == len(ids):
            return None
        codes = codes_of(gathered.ids, ids) if plain and self._lacks("scope") else None
        return codes_of(gathered.ids, [event.key for event in events]) if codes is None else codes

    def marks(self) -> U8 | None:
        """uint8[events]: the mark of each; None if none has any."""
        if self._lacks("s"):
            values = [event.bp for event in self.events] if "bp" in self._keys else []
        else:
            values = [event.bp or event.s for event in self.events]
        if values.count(None) == len(values):
            return None
        return np.fromiter(map(_MARK_OF.__getitem__, values), np.uint8, len(values))

    def words(self) -> int:
        """How many events are made of words of the device."""
        if not self._labels.any_words:
            return 0
        return sum(event.is_word for event in compress(self.events, self._labels.word[self._label].tolist()))

    def counters(self) -> list[CounterTrack]:
        """Process, name and id of each event."""
        return [(event.pid, event.name, event.key) for event in self.events]

    def arguments(self) -> list[Any]:
        """The arguments of each event, None for those that cannot be decoded."""
        return _arguments(self._piece, (self.record - self._piece.first).tolist())

    def metadata(self) -> tuple[Sequence[Event], None]:
        """The events, each once for every time that it is there."""
        return self.events, None

    def phases(self) -> list[str]:
        return [event.ph for event in self.events]

    def where(self, which: Bool) -> _Columns:
        """The events for which ``which`` is set."""
        if bool(np.all(which)):
            return self
        return _Columns(
            self._piece,
            list(compress(self.events, which.tolist())),
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
        source, stretch, place, decode=decoder.decode, rescue=decoder.rescue, plain=decoder.plain, scan=gatherer.scan
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
