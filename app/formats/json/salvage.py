"""Recovers what cannot be decoded as a whole: the boundaries of the items of an array, bad records of a piece isolated
by bisection, the next complete record after a place where brackets are no longer reliable, and single records of a
piece."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np
import orjson
from msgspec import Struct, field

from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.json.tolerant import BRACKETS, CLOSE_ARRAY, COMMA, Scanner, clean
from app.formats.source import Source
from app.language import tr
from app.profile.timeline import Pieces

_GAP = 64
_STEP = 256 * 1024  # bytes scanned at a time; the scanner needs about 40 bytes per bracket
_SPACE = b" \t\r\n"
_LONG = 64 * 1024
_OPENING = re.compile(rb'[ \t\r\n]{0,64}\{[ \t\r\n]{0,64}"[^"\\]{0,64}"')


class Split(Struct, frozen=True):
    """Offsets in a text that begins inside an array, between two items.

    ``spans`` are the items that end in the text, as (begin, end), possibly with whitespace around them but never blank;
    ``rest`` is the beginning of the unfinished item; ``close`` is the array's closing bracket, -1 if it is not in the
    text.
    """

    spans: list[tuple[int, int]]
    rest: int
    close: int


def split(text: bytes) -> Split:
    """The items of ``text``, split by brackets alone (so that a broken item does not hide the next)."""
    borders: list[int] = []
    scanner = Scanner(wanted=BRACKETS + b",")
    close = rest = -1
    for begin in range(0, len(text), _STEP):
        marks = scanner.feed(text[begin : begin + _STEP])
        closers = np.flatnonzero(marks.depth < 0)
        known = int(closers[0]) if len(closers) else len(marks)
        commas = (marks.depth[:known] == 0) & (marks.byte[:known] == COMMA)
        borders += marks.at[:known][commas].tolist()
        rest = borders[-1] + 1 if borders else 0
        if len(closers):
            close = int(marks.at[known])
            rest = close + int(marks.byte[known] == CLOSE_ARRAY)
            borders.append(close)
            break
    begins = [0, *(border + 1 for border in borders)]
    spans = [(a, b) for a, b in zip(begins, borders, strict=False) if not text[a:b].isspace() and a < b]
    return Split(spans, max(rest, 0), close)


def opening(text: bytes) -> bytes:
    """How the record that ``text`` begins with begins: whitespace, ``{``, its first key; empty if it does not."""
    match = _OPENING.match(text)
    return match[0] if match else b""


def quick_cut(text: bytes, begins: bytes = b"") -> int:
    """The position after the last ``}`` that is followed by whitespace, a comma, whitespace and ``{``; -1 if there is
    none. ``begins``: the ``opening`` of another record; if what stands between the last such border before a record
    that begins so and the position is no sequence of records, the former is returned.

    This is a guess: the position may be in a string or in a nested array. ``[`` + text[:cut] + ``]`` can be decoded
    only if it is not.
    """
    last = _last_border(text)
    comma = text.rfind(b"," + begins) if begins else -1
    before = text[max(0, comma - _GAP) : max(comma, 0)].rstrip(_SPACE)
    if not before.endswith(b"}"):
        return last
    alike = text.rindex(b"}", 0, comma) + 1
    between = text[comma + 1 : last]
    return last if last == alike or (last > alike and _are_records(between)) else alike


def _are_records(text: bytes) -> bool:
    """Whether ``text``, which is usually one record, consists of records. Long texts are assumed to."""
    if len(text) > _LONG:
        return True
    try:
        orjson.loads(b"[%b]" % text)
    except orjson.JSONDecodeError:
        return False
    return True


def _last_border(text: bytes) -> int:
    brace = len(text)
    for _ in range(64):
        brace = text.rfind(b"{", 0, brace)
        if brace < 0:
            return -1
        before = text[max(0, brace - _GAP) : brace].rstrip(_SPACE)
        if before.endswith(b","):
            before = before[:-1].rstrip(_SPACE)
            if before.endswith(b"}"):
                return text.rindex(b"}", 0, brace) + 1
    return -1


T = TypeVar("T")

Decode = Callable[[bytes], list[T]]
"""Decodes the text of an array, including its brackets, into its items; raises ValueError or a msgspec error."""
Rescue = Callable[[Any], T]
"""Makes an item of a plain decoded value that ``Decode`` rejected; raises ValueError if it cannot."""

REFUSED = (ValueError, msgspec.MsgspecError, RecursionError)


Spans = list[tuple[int, int]]
"""Begin and end of each item in a text."""


class Salvage(Struct, Generic[T]):
    """``lost``: numbers, among all items of the piece, of those that are not in ``items``; ``repaired``: number of the
    first item whose text had to be cleaned, -1 if none."""

    items: list[T] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    repaired: int = -1


def attempt(decode: Decode[T], text: bytes) -> list[T] | None:
    """The items of ``text``, which has no brackets around it; None if decoding fails."""
    try:
        return decode(b"[%b]" % text)
    except REFUSED:
        return None


def salvage(
    text: bytes, spans: Spans, decode: Decode[T], rescue: Rescue[T] | None, plain: Decode[Any] = orjson.loads
) -> Salvage[T]:
    """Cleans ``text``, then bisects its ``spans`` until the bad ones are isolated: a bad record costs about two
    decodings of its piece, and never one of the whole file. ``plain`` makes the values that ``rescue`` accepts."""
    result: Salvage[T] = Salvage()
    cleaned = clean(text)
    if cleaned != text:
        again = split(cleaned + b",").spans
        if len(again) == len(spans):
            differ = (text[a:b] if text[a:b] != cleaned[slice(*again[n])] else b"" for n, (a, b) in enumerate(spans))
            # Cleaning also replaces line breaks between values, which are no fault.
            refused = (n for n, part in enumerate(differ) if part and attempt(plain, part) is None)
            result.repaired = next(refused, -1)
            text, spans = cleaned, again
    stack = [(0, len(spans))]
    while stack:
        low, high = stack.pop()
        part = text[spans[low][0] : spans[high - 1][1]]
        items = attempt(decode, part)
        if items is not None and len(items) == high - low:
            result.items += items
        elif not (rescue and _rescued(result, attempt(plain, part), (low, high), rescue)):
            middle = (low + high) // 2
            stack += [(middle, high), (low, middle)] if high - low > 1 else []
            result.lost += [low] if high - low == 1 else []
    return result


def _rescued(result: Salvage[T], values: list[Any] | None, run: tuple[int, int], rescue: Rescue[T]) -> bool:
    """Adds items made of ``values`` one by one, if a plain decoder accepted them."""
    if values is None or len(values) != run[1] - run[0]:
        return False
    for number, value in enumerate(values, run[0]):
        try:
            result.items.append(rescue(value))
        except REFUSED:
            result.lost.append(number)
    return True


WINDOW = 1 << 20
LONGEST = 64 * 1024
"""The longest record that is recovered this way, which bounds the cost of an attempt."""

_BORDER = re.compile(rb"\}[ \t\r\n]{0,64},[ \t\r\n]{0,64}(?=\{)")


def item_end(source: Source, begin: int, stop: int) -> int:
    """Where the array continues after the item at ``begin`` (after its comma, or at the closing bracket), by its
    brackets alone and without storing it; -1 if that is not before ``stop``."""
    scanner = Scanner(begin, wanted=BRACKETS + b",")
    for _, chunk in source.chunks(WINDOW, begin, stop):
        marks = scanner.feed(chunk)
        borders = np.flatnonzero((marks.depth < 0) | ((marks.depth == 0) & (marks.byte == COMMA)))
        if len(borders):
            first = borders[0]
            return int(marks.at[first]) + int(marks.depth[first] == 0)
    return -1


def unfinished(text: bytes) -> bool:
    """Whether ``text`` is a valid beginning of a record that only lacks its end. Records inside it are then part of it
    (the file was cut off), not records after a lost bracket."""
    sound = "[" + text.decode("utf-8", "ignore")  # the cut may split a character
    try:
        orjson.loads(sound)
    except orjson.JSONDecodeError as error:
        return error.pos >= len(sound)
    return False


def next_record(source: Source, begin: int, stop: int) -> int:
    """The start of the first record after ``begin`` that is delimited on both sides (or ends the text) and can be
    decoded; -1 if there is none. Every byte is examined a bounded number of times."""
    at, text = begin, b""
    while at < stop:
        chunk = source.read(at, min(WINDOW, stop - at))
        base, text = at - len(text), text + chunk
        at += len(chunk)
        borders = list(_BORDER.finditer(text))
        for here, following in pairwise(borders):
            if _whole(text[here.end() : following.start() + 1]):
                return base + here.end()
        keep = borders[-1].start() if borders else max(0, len(text) - LONGEST)
        if at >= stop and borders and _ends_well(text[borders[-1].end() :]):
            return base + borders[-1].end()
        text = text[max(keep, len(text) - LONGEST) :]
    return -1


def _whole(record: bytes) -> bool:
    return len(record) <= LONGEST and attempt(orjson.loads, record) is not None


def _ends_well(text: bytes) -> bool:
    spans = split(text[:LONGEST]).spans
    return bool(spans) and _whole(text[slice(*spans[0])])


def values(text: bytes) -> list[Any]:
    """All records of a piece as plain values, None for those that cannot be decoded."""
    whole = attempt(orjson.loads, text)
    if whole is not None:
        return whole
    return [value(text[begin:end]) for begin, end in split(text + b",").spans]


def value(text: bytes) -> Any:
    """The value of one record as a plain value, None if it cannot be decoded."""
    try:
        return tolerant.loads(text)[0]
    except FormatError:
        return None


def record_at(source: Source, pieces: Pieces, ordinal: int) -> Any:
    """The value of record ``ordinal``, which takes about a millisecond. FormatError if there is none, or if the file
    changed."""
    place = int(np.searchsorted(pieces.first, ordinal, side="right")) - 1
    if not ordinal >= 0 or place < 0:
        raise FormatError(tr("there is no record {ordinal:,}", ordinal=ordinal), path=str(source.path))
    offset = int(pieces.offset[place])
    text = source.read(offset, int(pieces.size[place]))
    spans = split(text + b",").spans
    number = ordinal - int(pieces.first[place])
    if number >= len(spans):
        raise FormatError(tr("the file changed since it was read"), path=str(source.path), offset=offset)
    begin, end = spans[number]
    return _faithful(text[begin:end])


def _faithful(text: bytes) -> Any:
    """The value of one record; numbers with more digits than a double can represent remain texts."""
    try:
        return _FAITHFUL.decode(text)
    except REFUSED:
        return tolerant.loads(text)[0]


def _number(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) and Decimal(repr(value)) == Decimal(text) else text


_FAITHFUL = msgspec.json.Decoder(float_hook=_number)
