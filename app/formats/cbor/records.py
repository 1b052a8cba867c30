"""The records of a CBOR array, as structures: by way of MessagePack where possible, else by a decoder of CBOR; and a
long array in stretches that several processes read at the same time.

Nothing in CBOR says where a record begins, so each process takes a part of the file and guesses: where a map with a
known key begins, and another one where it ends. Such bytes may also be part of a text, or be after the end of the
array. So the guess is never trusted: ``chained`` goes through the results in order and accepts one only if it begins in
exactly the byte where the one before it ended, and has no more records than the array. The reader of the file decodes
all others, and whatever is irregular, before which the other processes stop. The results are therefore those of one
reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import pairwise
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec
import numpy as np
from msgspec import Struct

from app.formats.cbor.decode import Decoder
from app.formats.cbor.translation import Openings, beginning, translated
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.stretches import MOST_MISFITS, boundaries
from app.formats.pool import Moved, Pool, Task
from app.formats.source import Source
from app.formats.walk import SMALL, Batch, Broken
from app.language import tr

BREAK: Final = 0xFF
WINDOW: Final = 1 << 20
"""The most bytes that are translated together."""
_LEAST: Final = 4096
_ALIKE: Final = 64
"""Records that are decoded together by a decoder of CBOR: few, so that they are in the processor's cache when they are
converted. Of the first ones, duplicate keys are reported."""
_TOGETHER: Final = 1024
"""Records that are passed on together."""
_PIECE: Final = 1 << 20
"""The most bytes of items that are decoded together."""

NONE: Final = Openings(())
"""Nothing was read before."""

T = TypeVar("T")
Skip = Callable[[int], int]
"""The byte after the item at some byte."""


class Records(Generic[T]):
    """Iterates over batches of the records of an array from byte ``end`` of ``source`` on: ``left`` of them, or if that
    is -1, those up to a break. Afterwards ``end`` is the byte after them, ``left`` the number that was not read, and
    ``count`` that of all records so far.

    ``rescue`` makes a record of a value that does not fit ``shape``. Without ``skip``, which passes over an item that
    cannot be decoded (``problems`` get a note), reading stops before such an item, as before one that is no map, and
    before a break. ``openings``: how records that were read before begin.
    ``until``: reading pauses before the first record that begins there or later, if it is not None. ``broken``: why
    nothing can be read behind ``end``.
    """

    def __init__(
        self,
        source: Source,
        at: int,
        left: int,
        shape: type[T],
        rescue: Callable[[Any], T],
        problems: Problems,
        moved: Callable[[int], None],
        skip: Skip | None,
        openings: Openings = NONE,
        until: int | None = None,
    ) -> None:
        self.end = at
        self.left = left
        self.count = 0
        self.openings = openings
        self.until = until
        self.broken: Broken | None = None
        self._start = at
        self._source = source
        self._shape = shape
        self._rescue = rescue
        self._problems = problems
        self._moved = moved
        self._skip = skip
        self._typed = msgspec.msgpack.Decoder(list[shape])  # type: ignore[valid-type]
        self._decoder = Decoder(source, moved)
        self._doubted = 0
        self._most = _ALIKE
        self._stopped = False

    def __iter__(self) -> Iterator[Batch[T]]:
        waiting: list[T] = []
        ordinals: list[int] = []
        try:
            if self.openings is NONE:
                yield from self._first()
            while not self._over():
                for batch in self._translated() if self.end >= self._doubted else ():
                    if waiting:
                        yield Batch(waiting, np.array(ordinals, np.int64))
                        waiting, ordinals = [], []
                    yield batch
                if self.end >= self._doubted or self._over():
                    continue
                for ordinal, record in self._decoded():
                    waiting.append(record)
                    ordinals.append(ordinal)
                if len(waiting) >= _TOGETHER:
                    yield Batch(waiting, np.array(ordinals, np.int64))
                    waiting, ordinals = [], []
        except Broken as error:
            self.broken = error
        if waiting:
            yield Batch(waiting, np.array(ordinals, np.int64))

    def advance(self, end: int, count: int) -> None:
        """Continues at byte ``end``, ``count`` records further."""
        self.end = end
        self.count += count
        self.left -= count if self.left > 0 else 0

    def _over(self) -> bool:
        """Whether nothing more is read. Moves past a break."""
        if not self.left or self._stopped or (self.until is not None and self.end >= self.until):
            return True
        if self.left > 0 or self.end >= self._source.size or self._source.read(self.end, 1)[0] != BREAK:
            return False
        if self._skip is not None:
            self.end, self.left = self.end + 1, 0
        return True

    def _first(self) -> Iterator[Batch[T]]:
        """The first records, with their keys; duplicates among them are reported."""
        self._decoder = Decoder(self._source, self._moved, self._problems.repeated)
        if not self._over():
            until, self.until = self.until, None  # which are the first does not depend on it
            values = self._values()
            self.until = until
            keys = dict.fromkeys(str(key) for value in values if isinstance(value, dict) for key in value)
            records = list(self._records(values))
            ordinals = np.array([ordinal for ordinal, _ in records], np.int64)
            yield Batch([record for _, record in records], ordinals, frozenset(keys))
        self._decoder = Decoder(self._source, self._moved)
        if self.openings is NONE:
            self.openings = Openings(())

    def _translated(self) -> Iterator[Batch[T]]:
        """The records of a window, as far as they can be translated. Those after them are left to the decoder up to the
        end of the window, so that no text is followed twice; windows are not larger than what was read before."""
        size = min(WINDOW, max(_LEAST, 4 * (self.end - self._start)), self._source.size - self.end)
        begin = self.end
        most = self.left if self.left > 0 else size
        until = size if self.until is None else self.until - begin
        part = translated(self._source.read(begin, size), self.openings, most, until)
        if part is None:
            self._doubted = begin + max(size, 1)
            return
        for packed, count, end in part.groups(_TOGETHER):
            try:
                records = self._typed.decode(packed)
            except (msgspec.MsgspecError, ValueError, RecursionError):
                self._doubted = begin + end
                return
            self.advance(begin + end, count)
            self._moved(self.end)
            yield Batch(records, np.arange(self.count - count, self.count, dtype=np.int64))

    def _decoded(self) -> Iterator[tuple[int, T]]:
        """(ordinal, record) of some records by the decoder of CBOR."""
        yield from self._records(self._values())

    def _records(self, values: list[Any]) -> Iterator[tuple[int, T]]:
        for ordinal, record in enumerate(_converted(values, self._shape, self._rescue), self.count - len(values)):
            if record is not None:
                yield ordinal, record

    def _values(self) -> list[Any]:
        """Some of the next items; None for one that cannot be decoded. None at all where reading stops."""
        count = min(self.left, self._most) if self.left > 0 else self._most
        while True:
            try:
                values, end = self._decoder.items(count, self.end, _PIECE if count > 1 else SMALL)
            except FormatError as error:
                if count == 1:
                    return self._lost(error)
            else:
                if count == 1 or self.until is None or end <= self.until:
                    break
            count = max(1, count // 4)
        if self._skip is None and not all(isinstance(value, Mapping) for value in values):
            self._stopped = True
            return []
        self._most = min(_ALIKE if any(type(value) is dict for value in values) else _TOGETHER, 4 * count)
        self.openings = self.openings.with_those_of(values)
        self.advance(end, count)
        return values

    def _lost(self, error: FormatError) -> list[Any]:
        """Passes over an item that cannot be decoded, if that is wanted."""
        if self._skip is None:
            self._stopped = True
            return []
        self._problems.add(
            "warning",
            tr("records that cannot be decoded"),
            self.end,
            tr("this record is skipped: {error}", error=error.text),
        )
        self.advance(self._skip(self.end), 1)
        self._most = 1
        return [None]


def _converted(values: list[Any], shape: type[T], rescue: Callable[[Any], T]) -> Sequence[T | None]:
    """The records of ``values``, None for those that are none."""
    try:
        records: list[T] = msgspec.convert(values, list[shape])  # type: ignore[valid-type]
    except msgspec.ValidationError:
        return [_record(value, shape, rescue) if isinstance(value, dict) else None for value in values]
    return records


def _record(value: Any, shape: type[T], rescue: Callable[[Any], T]) -> T | None:
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError:
        try:
            return rescue(value)
        except (ValueError, TypeError):
            return None


FIRST_BYTES: Final = 1 << 18
"""What is read before the rest is divided: the keys of the first records are needed."""


class Stretch(Struct, frozen=True):
    """The records that begin in ``begin`` .. ``until``; ``keys``: the first ones of records before."""

    begin: int
    until: int
    keys: tuple[str, ...]


class Passage(Struct, frozen=True):
    """What every result says: its ``count`` records, lost ones included, are at ``begin`` .. ``end``. -1: no beginning
    was found."""

    begin: int
    end: int
    count: int


class Result(Protocol):
    """What a task for stretches returns."""

    @property
    def passage(self) -> Passage: ...


R = TypeVar("R", bound=Result)


def records_of(
    source: Source, stretch: Stretch, shape: type[T], rescue: Callable[[Any], T], moved: Moved
) -> Records[T] | None:
    """The records of ``stretch``, up to what is irregular; None if no beginning can be guessed."""
    size = min(WINDOW, source.size - stretch.begin)
    openings = Openings(stretch.keys)
    at = beginning(source.read(stretch.begin, size), openings)
    if at < 0:
        return None
    return Records(
        source,
        stretch.begin + at,
        -1,
        shape,
        rescue,
        Problems(lambda _: None, ""),
        moved,
        None,
        openings,
        stretch.until,
    )


def chained(
    pool: Pool, task: Task[Stretch, R], source: Source, own: Records[T], decode: Callable[[Records[T]], R]
) -> Iterator[R]:
    """The results for all records of ``own``, in order and as one reader would have made them. ``decode`` makes the
    result of what ``own`` reads until it pauses. Raises Broken after those before the place where the file is."""
    own.until = own.end + FIRST_BYTES
    yield from _here(own, decode)
    cuts = boundaries(own.end, source.size, pool.workers, WINDOW // 4)
    stretches = [Stretch(begin, until, own.openings.keys) for begin, until in pairwise((own.end, *cuts))]
    misfits = 0
    results = pool.map(task, source, stretches)
    with closing(results):
        for stretch, result in zip(stretches, results, strict=True):
            if own.left == 0 or misfits >= MOST_MISFITS:
                break
            if result is not None and _fits(result.passage, own):
                own.advance(result.passage.end, result.passage.count)
                yield result
            else:
                misfits += result is not None
            own.until = stretch.until if stretch.until < source.size else None
            if own.left and (own.until is None or own.end < own.until):
                yield from _here(own, decode)
    own.until = None
    if own.left:
        yield from _here(own, decode)


def _here(own: Records[T], decode: Callable[[Records[T]], R]) -> Iterator[R]:
    """The result of what ``own`` reads until it pauses. Raises Broken where it cannot continue."""
    yield decode(own)
    if own.broken is not None:
        raise own.broken


def _fits(passage: Passage, own: Records[Any]) -> bool:
    """Whether one reader would have continued in this way."""
    return passage.begin == own.end and (own.left < 0 or passage.count <= own.left)
