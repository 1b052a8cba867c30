"""Arrays of integers decoded directly from JSON text, a block at a time."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import compress

import numpy as np
import orjson

from app.formats.errors import FormatError
from app.formats.integers import Flat, whole
from app.formats.source import Source
from app.formats.walk import Broken
from app.language import tr
from app.profile.arrays import I64, Integers
from app.profile.ragged import Ragged

BLOCK = 512 * 1024
FIRST_BLOCK = 512
"""Short arrays are frequent and long ones rare, so the read-ahead grows with the array."""
MAX_NUMBER = 1 << 20
COMMA, POINT, SPACE, ZERO = ord(","), ord("."), ord(" "), np.uint8(ord("0"))
TEN = 10

_BETWEEN_ROWS = re.compile(rb"\][ \t\r\n]*+,[ \t\r\n]*+\[")
_LAST_ROW = re.compile(rb"\][ \t\r\n]*+,?[ \t\r\n]*+\]")
_NEXT_ROW = re.compile(rb"[ \t\r\n]*+,?[ \t\r\n]*+([\[\]])")

_NO_ROW = b"-"
_WORTH = 9
"""The shortest row of zeros that is worth comparing with."""


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
        raise FormatError(tr("what stands here is not only whole numbers")) from error


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


class NumberReader:
    """Reads one array whose ``[`` ends at byte ``start``; afterwards ``end`` is the byte after its ``]``."""

    def __init__(self, source: Source, start: int, moved: Callable[[int], None]) -> None:
        self.end = start
        self._source = source
        self._read = start
        self._text = b""
        self._block = FIRST_BLOCK
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

    def rows(self) -> Ragged:
        """An array of flat arrays."""
        rows = _Rows(self._parse)
        while not rows.closed:
            self._more()
            self._use(rows.take(self._text))
        return rows.done()

    def _more(self) -> None:
        """Appends a block to the unused text."""
        if self._read >= self._source.size:
            raise Broken(tr("the file ends inside these numbers"), offset=self.end)
        if len(self._text) > MAX_NUMBER:
            raise FormatError(tr("what stands here is not only whole numbers"), offset=self.end)
        block = self._source.read(self._read, min(self._block, self._source.size - self._read))
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


def _count(row: bytes) -> int:
    """How many numbers the text of a row has."""
    return row.count(b",") + 1 if row and not row.isspace() else 0


def _row_of_zeros(rows: list[bytes], lengths: I64, values: I64) -> bytes:
    """The text of the first row of zeros that is not short; _NO_ROW without one."""
    begin = 0
    for row, length in zip(rows, lengths.tolist(), strict=True):
        if length >= _WORTH and not values[begin] and not values[begin : begin + length].any():
            return row
        begin += length
    return _NO_ROW


class _Rows:
    """Parses rows of numbers from text that arrives in parts, split anywhere."""

    def __init__(self, parse_text: Callable[[bytes], I64]) -> None:
        self.closed = False
        self._parse = parse_text
        self._items = Flat()
        self._lengths = Flat()
        self._open = False  # inside a row with _begun numbers in earlier parts
        self._begun = 0
        self._zeros = _NO_ROW  # the text of a row of zeros, which are so common that they are not parsed
        self._width = 0  # the number of these zeros

    def take(self, text: bytes) -> int:
        """Consumes the complete part of ``text``; returns its length."""
        begin = 0
        if not self._open:
            match = _NEXT_ROW.match(text)
            if match is None:
                if text.strip(b" \t\r\n,"):
                    raise FormatError(tr("what stands here is not only rows of whole numbers"))
                return 0
            self.closed = match[1] == b"]"
            begin = match.end()
            if self.closed:
                return begin
            self._open = True
        last = _LAST_ROW.search(text, begin)
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
        rows = _BETWEEN_ROWS.split(body)
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
