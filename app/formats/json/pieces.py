"""An array of records, split at record boundaries into pieces that fit into the processor's cache, and decoded as
batches of typed records."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import numpy as np
import orjson
from msgspec import Struct
from msgspec.structs import replace

from app.formats.json.problems import Problems
from app.formats.json.salvage import (
    Decode,
    Rescue,
    attempt,
    item_end,
    next_record,
    opening,
    quick_cut,
    salvage,
    split,
    unfinished,
)
from app.formats.json.tolerant import has_repeated_key
from app.formats.pool import Moved
from app.formats.source import Source
from app.formats.walk import Batch
from app.language import plural, tr
from app.profile.arrays import I64

PIECE_BYTES = 512 * 1024
"""With its columns it fits into the cache of a core; smaller ones cost more steps in Python."""
MAX_RECORD = 16 << 20
MAX_RESYNCS = 100
CALM_PIECES = 16
_DOUBTS = 3

T = TypeVar("T")


class Piece(Struct, Generic[T], frozen=True):
    """``offset``: position of ``text`` in the source; ``first``: ordinal of its first record; ``lost``: numbers, within
    the piece, of records that are not in ``records`` (they keep their ordinals); ``columns``: what a scan made of all
    of them, then ``records`` is empty."""

    offset: int
    text: bytes
    first: int
    records: list[T]
    lost: tuple[int, ...] = ()
    columns: Sized | None = None

    @property
    def size(self) -> int:
        return len(self.text)

    @property
    def count(self) -> int:
        return len(self.records) + len(self.lost) if self.columns is None else len(self.columns)

    def ordinals(self) -> I64:
        """int64[records]: the ordinal of each record."""
        every = np.arange(self.first, self.first + self.count, dtype=np.int64)
        return np.delete(every, self.lost) if self.lost else every


class Place(Struct, frozen=True):
    """Where reading of an array stands between two pieces, so that it can continue elsewhere (``app.formats.json.
    stretches``). ``end``: the text before it is consumed; ``read``: the text before it was read; ``size``: bytes of the
    next piece; ``doubts``: guessed cuts that failed."""

    end: int
    read: int
    size: int
    doubts: int = 0


class Records(Generic[T]):
    """Iterates over the pieces of the array whose ``[`` ends at byte ``start`` of ``source``.

    ``decode`` turns the text of an array into its items (typed msgspec decoders fit); ``rescue`` makes an item of a
    plain value that such a decoder rejected. ``scan``, which is asked first, makes columns of the text of an array, or
    nothing. Afterwards ``end`` is the byte after the array (or where reading stopped), ``closed`` says whether its
    ``]`` was present, and ``count`` is the number of records, including ``first`` records before this array.

    The first piece has ``first_bytes``, and each following one is four times as long, up to ``piece_bytes``: if a file
    has very many arrays, a small one must not cost a whole piece. Memory is bounded by the largest record
    (``MAX_RECORD``), time is linear in the size. Raises only FormatError of the source (Performance notes, "Cutting
    pieces").

    Text is read up to multiples of ``piece_bytes`` in the file, so that a cut depends only on the text before it, and
    not on how the array began. With ``place``, reading continues there, after ``resyncs`` searches for a record; it
    pauses once the text before ``until`` was read. ``place`` is then where it stands, and ``over`` whether the array is
    over.
    """

    def __init__(
        self,
        source: Source,
        start: int,
        end: int | None = None,
        *,
        problems: Problems,
        decode: Decode[T] = orjson.loads,
        rescue: Rescue[T] | None = None,
        plain: Decode[Any] = orjson.loads,
        scan: Callable[[bytes], Sized | None] | None = None,
        first: int = 0,
        piece_bytes: int | None = None,
        first_bytes: int | None = None,
        max_record: int = MAX_RECORD,
        place: Place | None = None,
        resyncs: int = 0,
        until: int | None = None,
    ) -> None:
        piece_bytes = piece_bytes or PIECE_BYTES
        place = place or Place(start, start, min(first_bytes or piece_bytes, piece_bytes))
        self.end = place.end
        self.closed = False
        self.over = False
        self.count = first
        self.resyncs = resyncs
        self._source = source
        self._stop = source.size if end is None else end
        self._problems = problems
        self._decode = decode
        self._rescue = rescue
        self._plain = plain
        self._scan = scan
        self._piece_bytes = piece_bytes
        self._max_record = max_record
        self._until = self._stop if until is None else until
        self._read = place.read
        self._next_bytes = place.size
        self._doubts = place.doubts

    @property
    def place(self) -> Place:
        """Where reading stands. At every CALM_PIECES-th piece of the file it stands as at the first: what happened
        before does not matter there."""
        if self._read % (CALM_PIECES * self._piece_bytes) == 0:
            return Place(self.end, self._read, self._piece_bytes)
        return Place(self.end, self._read, self._next_bytes, self._doubts)

    def __iter__(self) -> Iterator[Piece[T]]:
        tail = self._source.read(self.end, self._read - self.end)
        while not self.closed and self.end < self._stop:
            if self._read >= self._until and self._read < self._stop:
                return
            place = self.place
            self._next_bytes, self._doubts = place.size, place.doubts
            more = self._more(len(tail))
            text = tail + self._source.read(self._read, more)
            self._read += more
            last = self._read >= self._stop
            cut = self._cut(text, last)
            self._next_bytes = min(4 * self._next_bytes, self._piece_bytes)
            if cut.piece is not None:
                self.count += cut.piece.count
                yield cut.piece
            self.end += cut.used
            tail = text[cut.used :]
            if cut.stuck or (not cut.used and (last or len(tail) > self._max_record)):
                if last and not cut.stuck and unfinished(tail):
                    break
                follows = self._pass_over(giant=not last and not cut.stuck)
                if follows < 0:
                    break
                self.end, self._read, tail = follows, follows, b""
        self.over = True

    def _more(self, tail: int) -> int:
        """How many bytes to read after a ``tail``."""
        more = max(self._next_bytes, tail)
        if more >= self._piece_bytes:
            more -= (self._read + more) % self._piece_bytes
        return min(more, self._stop - self._read)

    def again(self, piece: Piece[T]) -> Piece[T]:
        """The same piece, decoded again (by a decoder that has meanwhile learned something)."""
        again = self._whole(piece.offset, piece.text, piece.count)
        if again is not None:
            return replace(again, first=piece.first)
        spans = split(piece.text + b",").spans
        saved = salvage(piece.text, spans, self._decode, self._rescue, self._plain)
        return replace(piece, records=saved.items, lost=tuple(saved.lost), columns=None)

    def _whole(self, offset: int, part: bytes, count: int | None = None) -> Piece[T] | None:
        """The piece of all records in ``part``; None where they cannot be decoded together, or are not ``count``."""
        columns = self._scan(b"[%b]" % part) if self._scan is not None else None
        items = attempt(self._decode, part) if columns is None else []
        if items is None:
            return None
        piece = Piece(offset, part, self.count, items, columns=columns)
        return piece if count is None or piece.count == count else None

    def _cut(self, text: bytes, last: bool) -> _Cut[T]:
        if not last and self._doubts < _DOUBTS:
            place = quick_cut(text, opening(text))
            part = text[: max(place, 0)]
            piece = self._whole(self.end, part) if part else None
            if piece is not None:
                return _Cut(text.index(b",", place) + 1, piece)
            self._doubts += len(text) >= self._piece_bytes
        parts = split(text)
        self.closed = parts.rest > parts.close >= 0
        if parts.spans:
            return _Cut(parts.rest, self._piece(text, parts.spans), parts.rest == parts.close)
        if last and parts.close < 0 and text.rstrip()[-1:] in b"}]":  # complete, but the array is not closed
            piece = self._whole(self.end, text)
            if piece is not None:
                return _Cut(len(text), piece if piece.count else None)
        return _Cut(parts.rest, None, parts.rest == parts.close)

    def _piece(self, text: bytes, spans: list[tuple[int, int]]) -> Piece[T]:
        """The piece with the records at ``spans``; spans that are not records are reported."""
        begin, end = spans[0][0], spans[-1][1]
        part = text[begin:end]
        piece = self._whole(self.end + begin, part, len(spans))
        if piece is not None:
            return piece
        saved = salvage(part, [(a - begin, b - begin) for a, b in spans], self._decode, self._rescue, self._plain)
        for number in saved.lost:
            message = tr("this record cannot be decoded and is skipped")
            self._problems.add("warning", tr("records that cannot be decoded"), self.end + spans[number][0], message)
        if saved.repaired >= 0:
            message = tr(
                "values from here on are not valid JSON (NaN, a trailing comma, invalid characters); they count as no "
                "data"
            )
            self._problems.add(
                "info", tr("ranges with values that are not valid JSON"), self.end + spans[saved.repaired][0], message
            )
        return Piece(self.end + begin, part, self.count, saved.items, tuple(saved.lost))

    def _pass_over(self, giant: bool) -> int:
        """Where to resume after the record at ``end`` whose boundary is missing; -1 if nothing follows."""
        follows = item_end(self._source, self.end, self._stop) if giant else -1
        reason = tr("this record is larger than {max_record:,} bytes and is skipped", max_record=self._max_record)
        if follows < 0:
            self.resyncs += 1
            follows = next_record(self._source, self.end + 1, self._stop) if self.resyncs <= MAX_RESYNCS else -1
            reason = plural(
                "{count:,} byte here is not a record and is skipped",
                "{count:,} bytes here are not records and are skipped",
                count=follows - self.end,
            )
        if follows >= 0:
            self.count += 1
            self._problems.add("warning", tr("places without records"), self.end, reason)
        return follows


class _Cut(Struct, Generic[T], frozen=True):
    """``used`` bytes were consumed and produced ``piece``; ``stuck`` if a bracket closes something that was never
    opened."""

    used: int
    piece: Piece[T] | None
    stuck: bool = False


def batches(source: Source, records: Records[T], begin: int, problems: Problems, moved: Moved) -> Iterator[Batch[T]]:
    """The pieces of ``records``, an array whose bracket is at ``begin``, as batches."""
    for piece in records:
        moved(piece.offset + piece.size)
        early = piece.offset - begin < PIECE_BYTES
        text = source.read(piece.offset, piece.size) if early else b""
        keys = keys_of(piece.offset, text, problems) if early else frozenset[str]()
        yield Batch(piece.records, piece.ordinals(), keys)


def keys_of(begin: int, text: bytes, problems: Problems) -> frozenset[str]:
    """All keys of the records in ``text``, if it is valid JSON; duplicates are reported."""
    records = attempt(orjson.loads, text)
    if records is None:
        return frozenset()
    if has_repeated_key(text, records):
        problems.repeated(begin)
    return frozenset(key for record in records if isinstance(record, dict) for key in record)


@contextmanager
def collector_off() -> Iterator[None]:
    """Disables collection inside the block and restores it afterwards. Decoding runs twice as fast (Performance notes,
    finding 2)."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
