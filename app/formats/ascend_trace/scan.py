"""Pieces of a trace as columns that the compiled scanner makes, without a Python object for each event. They are those
that ``EventDecoder`` and ``gather`` would make, or the piece is left to these."""

from __future__ import annotations

import ctypes
import weakref
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, Final, Generic, TypeVar

import msgspec
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app import scanner
from app.formats.ascend_trace.clock import Moments, valid
from app.formats.ascend_trace.columns import Gathered
from app.formats.ascend_trace.event import Event, EventDecoder, Label, text
from app.formats.ascend_trace.labels import NO_ID, REMEMBERED, WHOLE_ID, Labels
from app.formats.json.pieces import Piece
from app.formats.json.salvage import REFUSED
from app.formats.numbering import numbers_of
from app.profile.arrays import F64, I32, I64, U8, Array, Bool

_ADDRESS, _WORD, _WHOLE_ID, _TEXT_ID, _MARK, _GROUP = (1 << bit for bit in range(6))
"""Bits of ``flags``, as in ``events.rs``."""
_ALWAYS: Final = {"label": 0, "name": 1, "duration": 4, "flags": 9}
_SELDOM: Final = {
    "address": (5, _ADDRESS),
    "group": (6, _GROUP),
    "id": (7, _WHOLE_ID | _TEXT_ID),
    "mark": (8, _MARK),
}
_TIME, _WHOLE, _METADATA, _COUNTERS, _LABELS, _TEXTS, _RECORDS = 2, 3, *range(10, 15)
"""Columns, as in ``lib.rs``, and the flags of events that have a value."""
_TYPES: Final = [
    np.dtype(kind)
    for kind in ("i4", "i4", "f8", "i8", "f8", "i8", "i4", "i8", "u1", "u1", "i4", "2i4", "5i4", "u1", "u1")
]
_MOST_MISSES: Final = 8
"""After so many pieces in a row that the scanner did not understand, it is not asked any more."""
_MOST_BYTES: Final = 16 << 20
"""Of texts that are remembered."""
_ANY: Final = msgspec.json.Decoder(list[Any])
_LABELS_OF: Final = msgspec.json.Decoder(list[Label])

T = TypeVar("T", bound=Hashable)


class Numbers(Generic[T]):
    """The numbers in ``numbers`` of what texts of the scanner stand for, which are ``values``. ``as_key``: makes their
    key in ``numbers``, where that is not the value itself."""

    def __init__(self, numbers: defaultdict[T, int], values: list[Any], as_key: Callable[[Any], T] | None) -> None:
        self._numbers = numbers
        self._values = values
        self._as_key = as_key
        self._known = np.empty(0, np.int32)

    def of(self, texts: Array) -> I32:
        """int32[n]: the number of each of ``texts``, which are indices of ``values``."""
        size = len(self._values)
        if len(self._known) < size:
            self._known = np.append(self._known, np.full(2 * size - len(self._known), -1, np.int32))
        result: I32 = self._known[texts]
        if len(result) and result.min() < 0:
            due = texts[result < 0]
            if not (due[1:] > due[:-1]).all():  # some occur again
                due = np.array(list(dict.fromkeys(due.tolist())))
            new = map(self._values.__getitem__, due.tolist())
            keys = new if self._as_key is None else map(self._as_key, new)
            self._known[due] = numbers_of(self._numbers, keys, len(due))
            result = self._known[texts]
        return result


class Scanned(Struct, frozen=True, eq=False):
    """The events of a piece, or some of them. ``columns``: those of ``events.rs``, without what no event has, and where
    they are ``numbered`` also ``place``, ``called`` (as of ``Labels``) and ``record``; ``described``: different ``M``
    events in the order in which each is there for the last time, with how often; ``series``: the arguments of the
    counters."""

    scan: Scan
    columns: dict[str, Array]
    times: Moments
    described: tuple[list[Event], list[int]]
    series: list[Any]

    def __len__(self) -> int:
        return len(self.columns["label"])

    @property
    def place(self) -> I32:
        return self.columns["place"]

    @property
    def name(self) -> I32:
        return self.columns["called"]

    @property
    def record(self) -> I64:
        return self.columns["record"]

    @property
    def kind(self) -> U8:
        return self.scan.labels.kind[self.columns["label"]]

    @property
    def phase(self) -> U8:
        return self.scan.labels.phase[self.columns["label"]]

    @property
    def category(self) -> I32:
        return self.scan.labels.category[self.columns["label"]]

    def where(self, which: Bool) -> Scanned:
        """The events for which ``which`` is set."""
        if which.all():
            return self
        some = {name: column[which] for name, column in self.columns.items()}
        return replace(self, columns=some, times=self.times[which])

    def words(self) -> int:
        """How many events are made of words of the device."""
        labels = self.scan.labels
        if not labels.any_words:
            return 0
        return int(np.count_nonzero(labels.word[self.columns["label"]] & self._has(_WORD)))

    def durations(self) -> F64:
        return self.columns["duration"]

    def addresses(self) -> I64 | None:
        return self._given("address", _ADDRESS)

    def groups(self, _: Gathered) -> I32:
        """int32[events]: one more than the number of the group of each event; 0 for none."""
        result = np.zeros(len(self), np.int32)
        group = self._given("group", _GROUP)
        if group is not None:
            which = self._has(_GROUP)
            result[which] = self.scan.groups.of(group[which]) + 1
        return result

    def ids(self, _: Gathered) -> I64 | None:
        """int64[events]: the code of the id of each event; None if none has any."""
        ids = self._given("id", _WHOLE_ID | _TEXT_ID)
        if ids is None:
            return None
        codes = np.where(self._has(_WHOLE_ID), WHOLE_ID - ids, np.int64(NO_ID))
        by_text = self._has(_TEXT_ID)
        codes[by_text] = self.scan.ids.of(ids[by_text])
        return codes

    def marks(self) -> U8 | None:
        return self._given("mark", _MARK)

    def counters(self) -> list[tuple[Any, Any, str | None]]:
        """Process, name and id of each event."""
        values, rows = self.scan.values, self.scan.rows
        owners = [rows[label][3] for label in self.columns["label"].tolist()]
        names = [values[name] for name in self.columns["name"].tolist()]
        if "id" not in self.columns:
            return [(owner, name, None) for owner, name in zip(owners, names, strict=True)]
        ids = [
            str(plain) if flags & _WHOLE_ID else text(values[plain]) if flags & _TEXT_ID else None
            for plain, flags in zip(self.columns["id"].tolist(), self.columns["flags"].tolist(), strict=True)
        ]
        return list(zip(owners, names, ids, strict=True))

    def arguments(self) -> list[Any]:
        return self.series

    def metadata(self) -> tuple[list[Event], list[int]]:
        return self.described

    def phases(self) -> list[str]:
        return [self.scan.rows[label][0] for label in self.columns["label"].tolist()]

    def _has(self, flag: int) -> Bool:
        having: Bool = (self.columns["flags"] & flag) != 0
        return having

    def _given(self, name: str, flag: int) -> Array | None:
        """The column; None if no event has the flag of its values."""
        return self.columns[name] if name in self.columns and self._has(flag).any() else None


class Scan:
    """Scans pieces for what is ``gathered``. ``rows``: phase, colour, category, process and thread of each label;
    ``values``: what the numbers of texts stand for."""

    @classmethod
    def of(cls, gathered: Gathered, decoder: EventDecoder) -> Scan | None:
        """A scan, where this process has a scanner."""
        library = scanner.library()
        return None if library is None else cls(library, gathered, decoder)

    def __init__(self, library: ctypes.CDLL, gathered: Gathered, decoder: EventDecoder) -> None:
        self._library = library
        self._scanner = library.scan_new()
        weakref.finalize(self, library.scan_free, self._scanner)
        self._gathered = gathered
        self._decoder = decoder
        self._misses = 0
        self._forget()

    def _forget(self) -> None:
        gathered = self._gathered
        self.labels = Labels(gathered.places, gathered.categories, gathered.names, with_names=False)
        self.rows: list[tuple[Any, ...]] = []
        self.values: list[Any] = []
        self.names = Numbers(gathered.names, self.values, None)
        self.groups = Numbers(gathered.groups, self.values, text)
        self.ids = Numbers(gathered.ids, self.values, None)
        self._records: list[Event] = []
        self._read = {_TEXTS: 0, _RECORDS: 0}

    def piece(self, piece: bytes) -> Scanned | None:
        """The events of ``piece``, the text of an array; None if they are to be decoded otherwise."""
        if self._misses >= _MOST_MISSES:
            return None
        if max(len(self.values), len(self.rows)) >= REMEMBERED or sum(self._read.values()) >= _MOST_BYTES:
            self._library.scan_forget(self._scanner)
            self._forget()
        exact = self._decoder.exact
        count = self._library.scan_piece(self._scanner, piece, len(piece), exact)
        try:
            made = self._made(piece, exact) if count >= 0 else None
        except REFUSED:
            self._library.scan_forget(self._scanner)
            made = None
        self._misses = 0 if made is not None else self._misses + 1
        if made is None:
            self._forget()
        return made

    def _made(self, piece: bytes, exact: bool) -> Scanned:
        self.values += self._new(_TEXTS, _LABELS_OF)
        self._records += self._new(_RECORDS, self._decoder.plainly)
        columns = {name: self._column(number) for name, number in _ALWAYS.items()}
        seen = int(np.bitwise_or.reduce(columns["flags"]))
        columns |= {name: self._column(number) for name, (number, flags) in _SELDOM.items() if seen & flags}
        times = Moments(self._column(_TIME), self._column(_WHOLE)) if exact else valid(self._column(_TIME))
        arguments = b",".join(piece[begin:end] or b"null" for begin, end in self._column(_COUNTERS).tolist())
        return Scanned(self, columns, times, self._described(), _ANY.decode(b"[%b]" % arguments))

    def _described(self) -> tuple[list[Event], list[int]]:
        which = self._column(_METADATA)
        if not len(which):
            return [], []
        last, count = np.zeros(len(self._records), np.int64), np.bincount(which)
        last[which] = np.arange(1, len(which) + 1)  # of equal indices the last one counts
        order = np.argsort(last)[np.count_nonzero(last == 0) :].tolist()
        return [self._records[one] for one in order], count[order].tolist()

    def numbered(self, made: Scanned, piece: Piece[Event]) -> Scanned:
        """``made`` with its labels described, now that its events are known to be those of ``piece``."""
        new = self._column(_LABELS, len(self.rows))
        rows = [tuple(map(self.values.__getitem__, row)) for row in new.tolist()]
        self.rows += rows
        self.labels.describe(rows)
        if not self._decoder.grouped:
            self._decoder.grouped = "group" in made.columns
        place, called = self.labels.place[made.columns["label"]], self.names.of(made.columns["name"])
        return replace(made, columns={**made.columns, "place": place, "called": called, "record": piece.ordinals()})

    def _new(self, column: int, decoder: msgspec.json.Decoder[list[T]]) -> list[T]:
        """What a column of texts has got since the last time."""
        before = self._read[column]
        joined = self._column(column, before).tobytes()
        self._read[column] = before + len(joined)
        return decoder.decode(b"[%b]" % joined[:-1])

    def _column(self, column: int, first: int = 0) -> Array:
        """A copy of a column, without the ``first`` rows."""
        count = ctypes.c_size_t()
        begin = self._library.scan_column(self._scanner, column, count)
        kind = _TYPES[column]
        rows = count.value - first
        if not rows:
            return np.empty((0, *kind.shape), kind.base)
        return np.frombuffer(ctypes.string_at(begin + first * kind.itemsize, rows * kind.itemsize), kind)
