"""Pieces of a trace as columns that the compiled scanner makes, without a Python object for each event. They are those
that ``EventDecoder`` and ``gather`` would make, or the piece is left to these."""

from __future__ import annotations

import ctypes
import weakref
from collections import Counter, defaultdict
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
from app.formats.ascend_trace.labels import REMEMBERED, WHOLE_ID, Labels
from app.formats.json.pieces import Piece
from app.formats.json.salvage import REFUSED
from app.profile.arrays import F64, I32, I64, U8, Array, Bool

_ADDRESS, _WORD, _WHOLE_ID, _TEXT_ID, _MARK, _GROUP = (1 << bit for bit in range(6))
"""Bits of ``flags``, as in ``events.rs``."""
_LABEL, _NAME, _TIME, _WHOLE, _DURATION, _PLACE, _GROUPS, _ID, _MARKS, _FLAGS = range(10)
_METADATA, _COUNTERS, _LABELS, _TEXTS, _RECORDS = range(10, 15)
"""Columns, as in ``lib.rs``."""
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
    """The numbers in ``numbers`` of what texts of the scanner stand for, which are ``values``."""

    def __init__(self, numbers: defaultdict[T, int], values: list[Any], as_key: Callable[[Any], T]) -> None:
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
            due = dict.fromkeys(texts[result < 0].tolist())
            self._known[list(due)] = [self._numbers[self._as_key(self._values[one])] for one in due]
            result = self._known[texts]
        return result


class Scanned(Struct, frozen=True, eq=False):
    """The events of a piece, or some of them, by columns: as of ``events.rs``, but ``label``, ``place`` and ``name``
    are numbers as of ``Labels``. ``described``: different ``M`` events in the order in which each is there for the last
    time, with how often; ``series``: the arguments of the counters."""

    scan: Scan
    label: I32
    place: I32
    name: I32
    texts: I32
    times: Moments
    duration: F64
    address: I64
    group: I32
    id: I64
    mark: U8
    flags: U8
    described: tuple[list[Event], list[int]]
    series: list[Any]
    record: I64

    def __len__(self) -> int:
        return len(self.label)

    @property
    def kind(self) -> U8:
        return self.scan.labels.kind[self.label]

    @property
    def phase(self) -> U8:
        return self.scan.labels.phase[self.label]

    @property
    def category(self) -> I32:
        return self.scan.labels.category[self.label]

    def where(self, which: Bool) -> Scanned:
        """The events for which ``which`` is set."""
        columns = (
            "label",
            "place",
            "name",
            "texts",
            "times",
            "duration",
            "address",
            "group",
            "id",
            "mark",
            "flags",
            "record",
        )
        return self if which.all() else replace(self, **{name: getattr(self, name)[which] for name in columns})

    def words(self) -> int:
        """How many events are made of words of the device."""
        return int(np.count_nonzero(self.scan.labels.word[self.label] & self._has(_WORD)))

    def durations(self) -> F64:
        return self.duration

    def addresses(self) -> I64 | None:
        return self.address if self._has(_ADDRESS).any() else None

    def groups(self, _: Gathered) -> I32:
        """int32[events]: one more than the number of the group of each event; 0 for none."""
        result = np.zeros(len(self), np.int32)
        which = self._has(_GROUP)
        result[which] = self.scan.groups.of(self.group[which]) + 1
        return result

    def ids(self, _: Gathered) -> I64 | None:
        """int64[events]: the code of the id of each event; None if none has any."""
        if not self._has(_WHOLE_ID | _TEXT_ID).any():
            return None
        codes = np.where(self._has(_WHOLE_ID), WHOLE_ID - self.id, np.int64(-1))
        by_text = self._has(_TEXT_ID)
        codes[by_text] = self.scan.ids.of(self.id[by_text])
        return codes

    def marks(self) -> U8 | None:
        return self.mark if self._has(_MARK).any() else None

    def counters(self) -> list[tuple[Any, Any, str | None]]:
        """Process, name and id of each event."""
        values, rows = self.scan.values, self.scan.rows
        ids = [
            str(plain) if flags & _WHOLE_ID else text(values[plain]) if flags & _TEXT_ID else None
            for plain, flags in zip(self.id.tolist(), self.flags.tolist(), strict=True)
        ]
        owners = [rows[label][3] for label in self.label.tolist()]
        return list(zip(owners, [values[name] for name in self.texts.tolist()], ids, strict=True))

    def arguments(self) -> list[Any]:
        return self.series

    def metadata(self) -> tuple[list[Event], list[int]]:
        return self.described

    def phases(self) -> list[str]:
        return [self.scan.rows[label][0] for label in self.label.tolist()]

    def _has(self, flag: int) -> Bool:
        return (self.flags & flag) != 0


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
        self.names = Numbers(gathered.names, self.values, _itself)
        self.groups = Numbers(gathered.groups, self.values, text)
        self.ids = Numbers(gathered.ids, self.values, _itself)
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
        grouped = self._column(_GROUPS)
        times = Moments(self._column(_TIME), self._column(_WHOLE)) if exact else valid(self._column(_TIME))
        arguments = b",".join(piece[begin:end] or b"null" for begin, end in self._column(_COUNTERS).tolist())
        last = Counter(reversed(self._column(_METADATA).tolist()))
        metadata = [self._records[one] for one in reversed(last)], [*last.values()][::-1]
        texts, empty = self._column(_NAME), np.empty(0, np.int32)
        return Scanned(
            self,
            self._column(_LABEL),
            empty,
            empty,
            texts,
            times,
            self._column(_DURATION),
            self._column(_PLACE),
            grouped,
            self._column(_ID),
            self._column(_MARKS),
            self._column(_FLAGS),
            metadata,
            _ANY.decode(b"[%b]" % arguments),
            np.empty(0, np.int64),
        )

    def numbered(self, made: Scanned, piece: Piece[Event]) -> Scanned:
        """``made`` with its labels described, now that its events are known to be those of ``piece``."""
        new = self._column(_LABELS, len(self.rows))
        rows = [tuple(map(self.values.__getitem__, row)) for row in new.tolist()]
        self.rows += rows
        self.labels.describe(rows)
        if not self._decoder.grouped:
            self._decoder.grouped = bool((made.flags & _GROUP).any())
        return replace(
            made,
            place=self.labels.place[made.label],
            name=self.names.of(made.texts),
            record=piece.ordinals(),
        )

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


def _itself(value: Any) -> Any:
    return value
