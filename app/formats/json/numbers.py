"""Arrays of integers decoded directly from JSON text, a block at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
import orjson

from app.formats.errors import FormatError
from app.formats.integers import Flat, whole
from app.formats.json.number_rows import Place, Rows, Run
from app.formats.source import Source
from app.formats.walk import Broken
from app.language import tr
from app.profile.arrays import I64, Integers, Ragged

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
    stands there depends only on the text just before. So another process can begin there as well (``rows_ahead``).
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
