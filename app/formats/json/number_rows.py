"""Rows of numbers collected from parts of their text."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import compress
from typing import Final

import numpy as np
import orjson
from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.integers import Flat
from app.language import tr
from app.profile.arrays import I64, Array, Ragged

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
        rows = _divided(body)
        zeros, width = self._zeros, self._width
        lengths = np.array([width if row == zeros else _count(row) for row in rows], np.int64)
        self._check_blank(lengths, ends=ends)
        self._items.add(self._numbers(rows, lengths))
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
