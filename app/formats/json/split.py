"""Boundaries of the items of an array, and where a piece of it may be split."""

from __future__ import annotations

import re

import numpy as np
import orjson
from msgspec import Struct

from app.formats.json.lexical import BRACKETS, CLOSE_ARRAY, COMMA, Scanner

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
