"""Arrays of integers decoded directly from JSON text, a block at a time; and rows of numbers that other processes
parse before the reader of a file arrives there.

A file has many arrays of rows, and where they are is known only to who reads it from the beginning. But at multiples of
a block, the reader of a long array stands after the last comma, inside a row or between two. So each process takes a
stretch of the file, assumes at such multiples that it is inside an array of rows, and parses as long as that is what
stands there. The reader takes these rows only if it arrives in exactly the place where they begin: then they are what
it would have parsed itself. Whatever has a fault is left to the reader, which reports it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from itertools import compress
from typing import Final, Protocol

import numpy as np
import orjson
from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.integers import Flat, whole
from app.formats.pool import Moved, Pool, Task
from app.formats.source import Source
from app.formats.walk import Broken
from app.language import tr
from app.profile.arrays import I64, Array, Integers, Ragged

_BETWEEN_ROWS: Final = re.compile(rb"\][ \t\r\n]*+,[ \t\r\n]*+\[")
_LAST_ROW: Final = re.compile(rb"\][ \t\r\n]*+,?[ \t\r\n]*+\]")
_NEXT_ROW: Final = re.compile(rb"[ \t\r\n]*+,?[ \t\r\n]*+([\[\]])")

_FOLLOWS: Final = re.compile(rb"[ \t\r\n]*+,[ \t\r\n]*+\[")

_NO_ROW: Final = b"-"
_WORTH: Final = 9
"""The shortest row of zeros that is worth comparing with."""
_ZEROS: Final = b"0, \t\r\n"
_LONG: Final = 2048
"""Bytes of a row from which on numpy counts its commas faster."""
_FEW: Final = 64
"""Brackets that are looked at one by one: for long rows, that takes a tenth of the time of a regular expression."""
_COMMA: Final = ord(",")
_CLOSE, _NOUGHT = ord("]"), ord("0")
_SHORT: Final = 64
"""Bytes of rows, on average, up to which numpy finds them all faster than each is looked at."""


class Place(Struct, frozen=True):
    """Where the reader of an array of rows stands: the text before ``read`` was read, and that before ``end`` was used;
    ``open``: inside a row of which there were numbers."""

    read: int
    end: int
    open: bool


class Run(Struct, frozen=True, eq=False):
    """The rows of the text from ``start`` to ``stop``. ``lengths``: int64[rows], of the complete ones; ``begun``: the
    numbers of the row that is open at its end; ``items``: the numbers of all; ``closed``: the array ends at ``stop``.
    A row that is open at its start counts as having had one number before."""

    start: Place
    stop: Place
    closed: bool
    lengths: I64
    begun: int
    items: Array


def _count(row: bytes) -> int:
    """How many numbers the text of a row has."""
    if len(row) >= _LONG and not row.isspace():
        return int(np.count_nonzero(np.frombuffer(row, np.uint8) == _COMMA)) + 1
    return row.count(b",") + 1 if row and not row.isspace() else 0


def _divided(body: bytes) -> list[bytes]:
    """The texts of the rows in ``body``."""
    first, *others = body.split(b"]", _FEW)
    follows = list(map(_FOLLOWS.match, others))
    if len(others) == _FEW or None in follows:
        return _BETWEEN_ROWS.split(body)
    return [first, *(other[match.end() :] for other, match in zip(others, follows, strict=True) if match)]


def _short_rows(body: bytes) -> tuple[I64, bytes] | None:
    """(int64[rows], the numbers of each row; the text of all numbers) of many short rows, none of them blank, which
    are written alike; None for any other text."""
    between = b"],[" if b"],[" in body else b"], ["
    body = body.lstrip()
    ends = body.count(b"]")
    if not ends or len(body) > _SHORT * ends or not ends == body.count(b"[") == body.count(between):
        return None
    text = np.frombuffer(body, np.uint8)
    end = np.append(np.flatnonzero(text == _CLOSE), len(body))
    begin = np.append(0, end[:-1] + len(between))
    first = text[np.minimum(begin, len(body) - 1)]
    if not ((first >= _NOUGHT) & (first <= _NOUGHT + 9)).all():
        return None
    commas = np.flatnonzero(text == _COMMA)
    lengths = np.searchsorted(commas, end) - np.searchsorted(commas, begin) + 1
    return lengths.astype(np.int64), body.replace(between, b",")


def _last_row(text: bytes, begin: int) -> re.Match[bytes] | None:
    """The end of the last row and of the array, if it is in ``text`` from ``begin`` on."""
    for _ in range(_FEW):
        begin = text.find(b"]", begin)
        if begin < 0:
            return None
        match = _LAST_ROW.match(text, begin)
        if match:
            return match
        begin += 1
    return _LAST_ROW.search(text, begin)


def _row_of_zeros(rows: list[bytes], lengths: I64, values: I64) -> bytes:
    """The text of the first row of zeros that is not short; _NO_ROW without one."""
    begin = 0
    for row, length in zip(rows, lengths.tolist(), strict=True):
        if length >= _WORTH and not values[begin] and not values[begin : begin + length].any() and _is_plain(row):
            return row
        begin += length
    return _NO_ROW


def _is_plain(row: bytes) -> bool:
    """Whether a row of zeros is parsed in any company: what is accepted must not depend on the rows around it."""
    if row.replace(b"0.0", b"0").strip(_ZEROS):
        return False
    try:
        orjson.loads(b"[%b]" % row)
    except orjson.JSONDecodeError:
        return False
    return True


class Rows:
    """Parses rows of numbers from text that arrives in parts, split anywhere."""

    def __init__(self, parse_text: Callable[[bytes], I64], *, inside: bool = False) -> None:
        """``inside``: the text begins in a row, after its first number."""
        self.closed = False
        self._parse = parse_text
        self._items = Flat()
        self._lengths = Flat()
        self._open = inside  # inside a row with _begun numbers in earlier parts
        self._begun = int(inside)
        self._zeros = _NO_ROW  # the text of a row of zeros, which are so common that they are not parsed
        self._width = 0  # the number of these zeros

    @property
    def open(self) -> bool:
        """Whether the text stopped inside a row."""
        return self._open

    @property
    def begun(self) -> int:
        """The numbers in the row that is open."""
        return self._begun

    def join(self, run: Run) -> None:
        """Adds rows that were parsed elsewhere, and begin where the text stopped."""
        lengths, begun = run.lengths, run.begun
        before = self._begun - 1 if run.start.open else 0
        if not len(lengths):
            begun += before
        elif before:
            lengths = lengths.copy()
            lengths[0] += before
        self._lengths.add(lengths)
        self._items.add(run.items)
        self._open, self._begun, self.closed = run.stop.open, begun, run.closed

    def take(self, text: bytes) -> int:
        """Consumes the complete part of ``text``; returns its length."""
        begin = 0
        if not self._open:
            match = _NEXT_ROW.match(text)
            if match is None:
                if text.strip(b" \t\r\n,"):
                    raise FormatError(tr("expected only rows of whole numbers here"))
                return 0
            self.closed = match[1] == b"]"
            begin = match.end()
            if self.closed:
                return begin
            self._open = True
        last = _last_row(text, begin)
        if last:
            self._add(text[begin : last.start()], ends=True)
            self.closed = True
            return last.end()
        cut = text.rfind(b",", begin)
        if cut < 0:
            return begin
        body = text[begin:cut].rstrip()
        if body.endswith(b"]"):
            self._add(body[:-1], ends=True)
            return cut
        self._add(body, ends=False)
        return cut + 1

    def _add(self, body: bytes, *, ends: bool) -> None:
        short = _short_rows(body) if self._zeros is _NO_ROW else None
        if short is not None:
            lengths, text = short
            self._items.add(self._parse(text))
            self._finish(lengths, ends=ends)
            return
        rows = _divided(body)
        zeros, width = self._zeros, self._width
        lengths = np.array([width if row == zeros else _count(row) for row in rows], np.int64)
        self._check_blank(lengths, ends=ends)
        self._items.add(self._numbers(rows, lengths))
        self._finish(lengths, ends=ends)

    def _finish(self, lengths: I64, *, ends: bool) -> None:
        lengths[0] += self._begun
        self._open = not ends
        self._begun = 0 if ends else int(lengths[-1])
        self._lengths.add(lengths if ends else lengths[:-1])

    def _check_blank(self, lengths: I64, *, ends: bool) -> None:
        """An incomplete row without numbers means that there is a comma too many."""
        if (not lengths[0] and self._begun) or (not ends and not lengths[-1]):
            raise FormatError(tr("a number is missing here"))

    def _numbers(self, rows: list[bytes], lengths: I64) -> I64:
        zeros = self._zeros
        busy = [count > 0 and row != zeros for row, count in zip(rows, lengths.tolist(), strict=True)]
        if all(busy):
            values = self._parse(b",".join(rows))
            if zeros is _NO_ROW:
                self._zeros = _row_of_zeros(rows, lengths, values)
                self._width = _count(self._zeros)
            return values
        out = np.zeros(int(lengths.sum()), np.int64)
        if any(busy):
            out[np.repeat(busy, lengths)] = self._parse(b",".join(compress(rows, busy)))
        return out

    def done(self) -> Ragged:
        return Ragged.of(self._lengths.done().astype(np.int64), self._items.done())

    def run(self, start: Place, stop: Place, begun: int) -> Run:
        """The rows so far. ``begun``: the numbers in the row that is open at ``stop``."""
        lengths = self._lengths.done().astype(np.int64)
        return Run(start, stop, self.closed, lengths, begun, self._items.done())


BLOCK = 512 * 1024
FIRST_BLOCK = 512
"""Short arrays are frequent and long ones rare, so the read-ahead grows with the array."""
MAX_NUMBER = 1 << 20
COMMA, POINT, SPACE, ZERO = ord(","), ord("."), ord(" "), np.uint8(ord("0"))
TEN = 10


def parse(text: bytes) -> I64:
    """The comma-separated numbers of ``text`` as int64, none if it is blank; FormatError for anything else.

    numpy parses them without the interpreter's lock, but pads, clamps or stops at unexpected input. So the count and
    the range are checked, and text that fails is decoded as JSON (Performance notes, section F).
    """
    if not text or text.isspace():
        return np.empty(0, np.int64)
    if b"." in text:
        text = _without_zero_fractions(text)
    try:
        values = np.fromstring(text.rstrip(), np.int64, sep=",")
        commas = np.count_nonzero(np.frombuffer(text, np.uint8) == COMMA)  # bytes.count takes seven times as long
        if len(values) == commas + 1 and values.min() > -(2**62) and values.max() < 2**62:
            return values
    except (ValueError, DeprecationWarning):
        pass
    try:
        return whole(orjson.loads(b"[%b]" % text))
    except orjson.JSONDecodeError as error:
        raise FormatError(tr("expected only whole numbers here")) from error


def _without_zero_fractions(text: bytes) -> bytes:
    """``text`` with 12 for 12.0, if it has no other fractions; else unchanged."""
    padded = np.frombuffer(text + b",,", np.uint8)
    points = padded == POINT
    at = np.flatnonzero(points)
    following = padded[at + 2]
    ends = (following == COMMA) | (following <= SPACE)
    if at[0] == 0 or not bool(np.all(ends & (padded[at + 1] == ZERO) & (padded[at - 1] - ZERO < TEN))):
        return text
    keep = ~points
    keep[1:] &= ~points[:-1]
    return bytes(padded[keep][: -len(b",,")])


class RunsAhead(Protocol):
    """Rows that were parsed before the reader arrives there."""

    def run(self, place: Place) -> Run | None:
        """The rows from ``place`` on; None if there are none."""


class NumberReader:
    """Reads one array whose ``[`` ends at byte ``start``; afterwards ``end`` is the byte after its ``]``.

    Text is read up to multiples of BLOCK in the file, and used up to the last comma: where the reader of a long array
    stands there depends only on the text just before. So another process can begin there as well (``RowsAhead``).
    """

    def __init__(self, source: Source, start: int, moved: Callable[[int], None]) -> None:
        self.end = start
        self._source = source
        self._read = start
        self._text = b""
        self._block = min(FIRST_BLOCK, BLOCK)
        self._moved = moved

    def numbers(self) -> Integers:
        """A flat array."""
        flat = Flat()
        while True:
            self._more()
            close = self._text.find(b"]")
            cut = close if close >= 0 else self._text.rfind(b",")
            if cut < 0:
                continue
            part = self._parse(self._text[:cut])
            if not len(part) and (close < 0 or flat.count):
                raise FormatError(tr("a number is missing here"), offset=self.end)
            flat.add(part)
            self._use(cut + 1)
            if close >= 0:
                return flat.done()

    def rows(self, ahead: RunsAhead | None = None) -> Ragged:
        """An array of flat arrays. ``ahead`` may have parsed some of them."""
        rows = Rows(self._parse)
        while not rows.closed:
            here = ahead is not None and self._read % BLOCK == 0
            run = ahead.run(Place(self._read, self.end, rows.open)) if ahead is not None and here else None
            if run is None:
                self._more()
                self._use(rows.take(self._text))
            else:
                rows.join(run)
                self._go(run.stop)
        return rows.done()

    def run(self, start: Place, until: int) -> Run | None:
        """The rows from ``start`` on, which is at a multiple of BLOCK, as far as the text before ``until`` has them
        without a fault; None if it has none."""
        rows = Rows(self._parse, inside=start.open)
        self._go(start)
        place, begun = start, rows.begun
        while not rows.closed and place.read < until:
            try:
                self._more()
                self._use(rows.take(self._text))
            except FormatError:
                break
            place, begun = Place(self._read, self.end, rows.open), rows.begun
        return None if place == start else rows.run(start, place, begun)

    def _go(self, place: Place) -> None:
        """Continues at ``place``, which is at a multiple of BLOCK or at the end."""
        self.end, self._read, self._block = place.end, place.read, BLOCK
        self._text = self._source.read(place.end, place.read - place.end)
        self._moved(place.end)

    def _more(self) -> None:
        """Appends a block to the unused text."""
        if self._read >= self._source.size:
            raise Broken(tr("the file ends inside these numbers"), offset=self.end)
        if len(self._text) > MAX_NUMBER:
            raise FormatError(tr("expected only whole numbers here"), offset=self.end)
        more = self._block if self._block < BLOCK else BLOCK - self._read % BLOCK
        block = self._source.read(self._read, min(more, self._source.size - self._read))
        self._block = min(4 * self._block, BLOCK)
        self._read += len(block)
        self._text += block
        self._moved(self._read)

    def _use(self, count: int) -> None:
        self._text = self._text[count:]
        self.end += count

    def _parse(self, text: bytes) -> I64:
        try:
            return parse(text)
        except FormatError as error:
            raise FormatError(error.text, offset=self.end) from error


WORTH_BYTES: Final = 96 << 20
"""In a smaller file, rows are parsed faster by one process than helpers are started and their results merged: numbers
are parsed at several hundred MB a second (measured: 54 MB take longer by two processes, 160 MB less)."""
BLOCKS: Final = 8
"""Blocks in a stretch."""
_SKIPPED: Final = 4
"""Stretches that the reader may pass over before those far ahead are given out anew."""
_LOOKED_AT: Final = 512
_BORDER: Final = re.compile(rb"([0-9\]])[ \t\r\n]*+,[ \t\r\n]*+[-0-9\[\]. \t\r\n+eE]*+\Z")
"""The end of the text before the reader: the last comma, and what it has not used yet."""


class Blocks(Struct, frozen=True):
    """The text ``begin`` .. ``until``, from a multiple of a block to another or to the end of the file."""

    begin: int
    until: int


class Runs(Struct, frozen=True, eq=False):
    """The rows that were parsed in a stretch."""

    runs: list[Run]


def decode(source: Source, blocks: Blocks, moved: Moved) -> Runs:
    """What looks like rows of numbers in the text of ``blocks``."""
    runs: list[Run] = []
    at = blocks.begin
    while at < blocks.until:
        place = _place(source, at)
        run = None if place is None else NumberReader(source, at, moved).run(place, blocks.until)
        if run is not None:
            runs.append(run)
            at = max(at, (run.stop.end if run.closed else run.stop.read) - 1)
        at += BLOCK - at % BLOCK
    return Runs(runs)


TASK: Final = Task("rows", decode, Blocks, Runs)


def _place(source: Source, read: int) -> Place | None:
    """Where a reader of rows stands that has read up to ``read``; None if there are no numbers."""
    begin = max(0, read - _LOOKED_AT)
    border = _BORDER.search(source.read(begin, read - begin))
    if border is None:
        return None
    comma = begin + source.read(begin, read - begin).rindex(b",")
    inside = border[1] != b"]"
    return Place(read, comma + inside, inside)


class RowsAhead:
    """The rows of ``source`` that ``pool`` parses, from where the reader first asks for some."""

    def __init__(self, pool: Pool, source: Source) -> None:
        self._pool = pool
        self._source = source
        self._results: Generator[Runs | None] | None = None
        self._runs: dict[Place, Run] = {}
        self._until = 0

    def run(self, place: Place) -> Run | None:
        """See ``RunsAhead``. Waits for the processes."""
        if self._results is None or place.read >= self._until + _SKIPPED * BLOCKS * BLOCK:
            self._begin(place.read)
        while self._results is not None and self._until <= place.read < self._source.size:
            self._runs.clear()
            result = next(self._results, None)
            self._until = min(self._until + BLOCKS * BLOCK, self._source.size)
            self._runs = {run.start: run for run in result.runs} if result is not None else {}
        return self._runs.pop(place, None)

    def close(self) -> None:
        """Drops what was parsed."""
        if self._results is not None:
            self._results.close()
        self._results = None
        self._runs.clear()

    def _begin(self, at: int) -> None:
        """Gives out the stretches from ``at`` on, if that is worth it."""
        self.close()
        if self._pool.workers < 2 or self._source.size - at < WORTH_BYTES:
            return
        size = BLOCKS * BLOCK
        stop = self._source.size
        self._until = at
        self._results = self._pool.map(
            TASK, self._source, [Blocks(begin, min(begin + size, stop)) for begin in range(at, stop, size)]
        )
