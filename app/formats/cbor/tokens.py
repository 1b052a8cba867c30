"""Numbers of CBOR arrays taken from the bytes in bulk (RFC 8949, section 3).

The place of an item follows from the size of the item before it. Instead of going from one to the next, the places
after 2, 4, 8 and 16 items are computed for every byte of a block at once, whether an item begins there or not; then
only each 16th item must be followed one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.profile.arrays import I64, U8, Array, Bool, Integers

WINDOW: Final = 256 * 1024
"""Bytes whose items are looked at together."""
_BLOCK: Final = 16 * 1024
"""Bytes of which the places after several items are computed; these arrays fit into the processor's cache."""
LONGEST: Final = 9
"""The most bytes of a number or of the header of an array."""
_SMALLEST: Final = 24
"""The smallest number that does not fit into the initial byte."""
_RUN: Final = 512
"""Bytes that are looked at together for a stretch of such numbers."""
_ARRAY, _OPEN, _BREAK = 4, 0x9F, 0xFF
_NEGATIVE: Final = 1
_FLOATS: Final[dict[int, tuple[int, str]]] = {0xF9: (2, ">f2"), 0xFA: (4, ">f4"), 0xFB: (8, ">f8")}
_LARGEST: Final = 2.0**62
_WIDTHS: Final = ((2, "u1"), (3, ">u2"), (5, ">u4"), (LONGEST, ">u8"))
"""The size of the largest item, and the type that holds the argument of each."""


def _sizes() -> I64:
    """int64[256]: bytes of the number or the header of an array that begins with each byte; 0 for other items."""
    sizes = np.zeros(256, np.int64)
    for major in (0, 1, _ARRAY):
        sizes[major << 5 : (major << 5) + 24] = 1
        sizes[(major << 5) + 24 : (major << 5) + 28] = (2, 3, 5, 9)
    sizes[[_OPEN, _BREAK]] = 1
    for first, (size, _) in _FLOATS.items():
        sizes[first] = 1 + size
    return sizes


_SIZES: Final = _sizes()
_SIZE_BYTES: Final = _SIZES.astype(np.uint8).tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Numbers and headers of arrays that follow one another. ``first``: uint8, the first byte of each; ``value``: the
    number, or the length of the array; ``end``: int64, the byte after each."""

    first: U8
    value: Integers
    end: I64

    @property
    def special(self) -> I64:
        """int64: the items that are no numbers."""
        return np.flatnonzero((self.first >> 5 == _ARRAY) | (self.first == _BREAK)).astype(np.int64)


def tokens(data: bytes) -> Tokens:
    """The numbers and headers of arrays at the beginning of ``data``, up to the first other item, one that is not
    complete, or a number that is no whole number of 63 bits."""
    raw = np.frombuffer(data, np.uint8)
    at = _places(raw)
    if len(at) and at[-1] + _SIZES[raw[at[-1]]] > len(raw):
        at = at[:-1]
    first = raw.take(at)
    size = np.frombuffer(first.tobytes().translate(_SIZE_BYTES), np.uint8)
    end = at + size
    value = _values(data, at, first, size)
    return Tokens(first[: len(value)], value, end[: len(value)])


def _places(raw: U8) -> I64:
    """int64: where the items begin, up to the first that is no number or header."""
    parts, begin = [np.empty(0, np.int64)], 0
    run_begins, run_ends = _runs(raw)
    while begin < len(raw):
        run = bisect_right(run_ends, begin)
        stop = begin + _BLOCK
        if run < len(run_ends):
            if run_begins[run] <= begin:
                parts.append(np.arange(begin, run_ends[run], dtype=np.int64))
                begin = run_ends[run]
                continue
            stop = min(stop, run_begins[run])
        block = raw[begin:stop]
        own = _places_in(block)
        last = int(own[-1])
        size = int(_SIZES[block[last]])
        if not size:
            parts.append(own[:-1] + begin)
            break
        parts.append(own + begin)
        begin += last + size
    return np.concatenate(parts)


def _runs(raw: U8) -> tuple[list[int], list[int]]:
    """(begins, ends) of long stretches of small numbers, each of which is one byte; most numbers of a profile are
    zero."""
    pieces = len(raw) // _RUN
    large = np.flatnonzero(raw[: pieces * _RUN].reshape(pieces, _RUN).max(axis=1, initial=0) >= _SMALLEST)
    borders = np.concatenate(([-1], large, [pieces]))
    long = np.flatnonzero(np.diff(borders) > 1)
    return ((borders[long] + 1) * _RUN).tolist(), (borders[long + 1] * _RUN).tolist()


def _places_in(block: U8) -> I64:
    """The same for a block that is not empty; the last place may be that of an item that is neither."""
    count = len(block)
    after = np.arange(count + LONGEST, dtype=np.int64)
    after[:count] += np.frombuffer(block.tobytes().translate(_SIZE_BYTES), np.uint8)
    jumps = [after]
    for _ in range(4):
        jumps.append(jumps[-1].take(jumps[-1]))
    far, place, each = jumps.pop().data, 0, []
    while place < count:
        each.append(place)
        following = far[place]
        if following == place:
            break
        place = following
    places = np.array(each, np.int64)
    while jumps:
        between = jumps.pop().take(places)
        both = np.empty(2 * len(places), np.int64)
        both[0::2], both[1::2] = places, between
        places = both
    stop = int(np.searchsorted(places, count))
    stuck = np.flatnonzero(places[1:stop] == places[: stop - 1]) if stop > 1 else places[:0]
    return places[: int(stuck[0]) + 1] if len(stuck) else places[:stop]


def _values(data: bytes, at: I64, first: U8, size: U8) -> Integers:
    """The number or length of each item, up to the first that is not whole, or too large."""
    small = first & 31
    largest = int(size.max(initial=1))
    if largest == 1:
        value: Array = small
    else:
        width, kind = next((width, kind) for width, kind in _WIDTHS if largest <= width)
        value = _arguments(data, at, kind, (width - size) * np.uint8(8))
        np.copyto(value, small, where=size == 1)
    stop = len(value)
    if value.dtype == np.uint64:
        stop = _first(value >= 2**63)
        value = value.view(np.int64)
    if not bool((first >= 0x20).any()):
        return value[:stop]
    negative = first >> 5 == _NEGATIVE
    if bool(negative.any()):
        value = np.where(negative, -1 - value.astype(np.int64), value)
    for byte, (_, kind) in _FLOATS.items():
        floats = np.flatnonzero(first == byte)
        if len(floats):
            own = _window(data, kind)[at[floats] + 1].astype(np.float64)
            good = (np.abs(own) < _LARGEST) & (own == np.rint(own))
            wrong = _first(~good)
            if wrong < len(floats):
                stop = min(stop, int(floats[wrong]))
                own[~good] = 0
            value = value.astype(np.int64)
            value[floats] = own.astype(np.int64)
    return value[:stop]


def _first(wrong: Bool) -> int:
    """The place of the first that is true; the length where there is none."""
    return int(np.argmax(wrong)) if bool(wrong.any()) else len(wrong)


def _arguments(data: bytes, at: I64, kind: str, shift: U8) -> Array:
    """The bytes after the first of each item as a number of ``kind``, without the last ``shift`` bits."""
    wide = _window(data, kind)[at + 1]
    value: Array = wide.astype(wide.dtype.newbyteorder("="))
    value >>= np.minimum(shift, np.uint8(value.itemsize * 8 - 1))
    return value


def _window(data: bytes, kind: str) -> Array:
    """``data`` as numbers of ``kind`` that begin at every byte."""
    padded = data + bytes(LONGEST)
    size = np.dtype(kind).itemsize
    return np.ndarray((len(padded) - size + 1,), kind, padded, strides=(1,))


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Complete rows. ``lengths``: int64[rows]; ``numbers``: those of all rows; ``size``: the bytes they take, with the
    break after them if ``closed``: the array of rows ends there."""

    lengths: I64
    numbers: Integers
    size: int
    closed: bool


def rows(tokens_: Tokens, left: int) -> Rows | None:
    """The rows at the beginning, at most ``left`` (-1: those up to a break). None where no complete row is there."""
    special = tokens_.special
    if not len(special) or special[0] != 0:
        return None
    begins, ends, opened = _row_borders(tokens_, special)
    if left > 0:
        begins, ends, opened = begins[:left], ends[:left], opened[:left]
    if not len(ends):
        return None
    stop = int(ends[-1])
    keep = np.ones(stop, np.bool_)
    keep[special[: int(np.searchsorted(special, stop))]] = False
    closed = left < 0 and stop < len(tokens_.first) and int(tokens_.first[stop]) == _BREAK
    size = int(tokens_.end[stop if closed else stop - 1])
    return Rows(ends - begins - 1 - opened, tokens_.value[:stop][keep], size, closed)


def _row_borders(tokens_: Tokens, special: I64) -> tuple[I64, I64, Bool]:
    """(the items at which rows begin, those after them, whether they end with a break): the complete ones that follow
    one another from the first item on."""
    most = len(tokens_.first)
    first = tokens_.first[special]
    rows_ = np.flatnonzero(first != _BREAK)
    begins, opened = special[rows_], first[rows_] == _OPEN
    beyond = np.concatenate((special, [most]))[rows_ + 1]
    broken = np.concatenate((first == _BREAK, [False]))[rows_ + 1]
    count = np.minimum(tokens_.value[begins].astype(np.int64), most)
    ends = np.where(opened, beyond + 1, begins + 1 + count)
    good = np.where(opened, broken, ends <= beyond)
    good[1:] &= begins[1:] == ends[:-1]
    stop = _first(~good)
    return begins[:stop], ends[:stop], opened[:stop]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Numbers of one array. ``size``: the bytes they take, with the break after them if ``closed``."""

    numbers: Integers
    size: int
    closed: bool


def numbers(tokens_: Tokens, left: int) -> Run:
    """The numbers before the first other item, at most ``left`` unless that is -1 (up to a break)."""
    special = tokens_.special
    stop = int(special[0]) if len(special) else len(tokens_.first)
    stop = min(stop, left) if left > 0 else stop
    closed = left < 0 and stop < len(tokens_.first) and int(tokens_.first[stop]) == _BREAK
    last = stop if closed else stop - 1
    return Run(tokens_.value[:stop], int(tokens_.end[last]) if last >= 0 else 0, closed)
