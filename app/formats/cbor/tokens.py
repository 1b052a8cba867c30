"""Numbers of CBOR arrays taken from the bytes in bulk (RFC 8949, section 3).

Where an item begins follows from the size of the item before it. Instead of going from one to the next, many stretches
of the bytes are followed side by side, each from every state in which it may begin.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, U8, Array, Bool, Integers

WINDOW: Final = 256 * 1024
"""Bytes whose items are looked at together."""
_STRETCH: Final = 256
_SMALLEST: Final = 24
"""The smallest number that does not fit into the initial byte."""
_SHORT: Final = 3
_MIDDLE: Final = 5
_ALIKE: Final = 128
"""Items that begin with the same byte from which on they are worth following by themselves."""
_MIXED: Final = 4
"""Shorter runs of such items, one after another, after which items count as mixed."""
LONGEST: Final = 9
"""The most bytes of a number or of the header of an array."""
_ARRAY, _OPEN, _BREAK = 4, 0x9F, 0xFF
_NEGATIVE: Final = 1
_FLOATS: Final[dict[int, tuple[int, str]]] = {0xF9: (2, ">f2"), 0xFA: (4, ">f4"), 0xFB: (8, ">f8")}
_LEAST_FLOAT: Final = min(_FLOATS)
_LARGEST: Final = 2.0**62
_WIDER: Final = ((5, ">u4"), (LONGEST, ">u8"))
"""Sizes of items whose arguments take more than two bytes, and their types."""


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
_STEP_BYTES: Final = np.maximum(_SIZES, 1).astype(np.uint8).tobytes()
_ONE: Final = np.uint8(1)


class Tokens(Struct, frozen=True, eq=False):
    """Numbers and headers of arrays that follow one another. ``first``: uint8, the first byte of each; ``value``: the
    number, or the length of the array; ``at``: int64, the byte at which each begins."""

    first: U8
    value: Integers
    at: I64

    @property
    def special(self) -> I64:
        """int64: the items that are no numbers."""
        most = np.flatnonzero(self.first >= _ARRAY << 5)
        first = self.first[most]
        special: I64 = most[(first >> 5 == _ARRAY) | (first == _BREAK)]
        return special

    def end(self, number: int) -> int:
        """The byte after item ``number``."""
        return int(self.at[number]) + int(_SIZES[self.first[number]])


def tokens(data: bytes) -> Tokens:
    """The numbers and headers of arrays at the beginning of ``data``, up to the first other item, one that is not
    complete, or a number that is no whole number of 63 bits."""
    raw = np.frombuffer(data, np.uint8)
    at = np.flatnonzero(_begins(raw)).astype(np.int64, copy=False)
    first = raw.take(at)
    size = np.frombuffer(first.tobytes().translate(_SIZE_BYTES), np.uint8)
    stop = _first(size == 0)
    if stop and at[stop - 1] + size[stop - 1] > len(raw):
        stop -= 1
    at, first = at[:stop], first[:stop]
    value = _values(data, at, first, size[:stop])
    return Tokens(first[: len(value)], value, at[: len(value)])


def _begins(raw: U8) -> Bool:
    """bool[bytes]: whether an item begins there, as far as all items before are numbers or headers. Long stretches of
    small numbers, which are a byte each, are not followed: most numbers of a profile are zero."""
    pieces = len(raw) // _STRETCH
    small = raw[: pieces * _STRETCH].reshape(pieces, _STRETCH).max(axis=1, initial=0) < _SMALLEST
    alone = np.zeros(pieces, np.bool_)
    alone[1:] = small[1:] & small[:-1]  # what began before the stretch has ended in its first piece
    if not bool(alone.any()):
        return _followed(raw)
    begins = np.ones(len(raw), np.bool_)
    others = np.concatenate((np.repeat(~alone, _STRETCH), np.ones(len(raw) - pieces * _STRETCH, np.bool_)))
    begins[others] = _followed(raw[others])
    return begins


def _followed(raw: U8) -> Bool:
    """The same without that. Items that begin with the same byte, such as floats, stand at equal distances; where they
    are mixed, the rest is followed in columns."""
    begins = np.zeros(len(raw), np.bool_)
    at = mixed = 0
    while at < len(raw) and mixed < _MIXED:
        count, size = _alike(raw, at)
        begins[at : at + count * size : size] = True
        at += count * size
        mixed = 0 if count >= _ALIKE else mixed + 1
    if at < len(raw):
        begins[at:] = _followed_in_columns(raw[at:])
    return begins


def _alike(raw: U8, at: int) -> tuple[int, int]:
    """(how many items from ``at`` on begin with the same byte, the size of each)."""
    first = raw[at]
    size = max(1, int(_SIZES[first]))
    count, most = 1, _ALIKE
    while True:
        others = raw[at + count * size : at + most * size : size]
        same = _first(others != first)
        count += same
        if same < len(others) or count < most:
            return count, size
        most *= 8


def _followed_in_columns(raw: U8) -> Bool:
    """``_begins`` by ``_columns``. Most items take up to three bytes, which is tried first."""
    steps = np.frombuffer(raw.tobytes().translate(_STEP_BYTES), np.uint8)
    for longest in (_SHORT, _MIDDLE):
        begins = _columns(np.minimum(steps, longest), longest)
        if not bool(((steps > longest) & begins).any()):
            return begins
    return _columns(steps, LONGEST)


def _columns(steps: U8, longest: int) -> Bool:
    """bool[bytes]: whether an item begins at each byte, from which it would take ``steps``, at most ``longest``.

    The bytes are written into columns of equal height. Row by row, for all columns and all states in which a column can
    begin (the bytes of an item that are missing), it is computed how many bytes are missing after the row. Following
    the columns from left to right then tells the state in which each does begin.
    """
    count = len(steps)
    height = max(8, round(math.sqrt(count) / 8))
    columns = -(-count // height) | 1  # rows that are a power of two apart get into each other's way in the cache
    padded = np.ones(height * columns, np.uint8)
    padded[:count] = steps
    rows_ = np.ascontiguousarray(padded.reshape(columns, height).T)
    missing = np.repeat(np.arange(longest, dtype=np.uint8)[:, None], columns, axis=1)
    _follow(missing, rows_, np.empty((1, *missing.shape), np.bool_))
    after, state, entered = np.ascontiguousarray(missing.T).tobytes(), 0, bytearray()
    for column in range(0, columns * longest, longest):
        entered.append(state)
        state = after[column + state]
    begins = np.empty((height, columns), np.bool_)
    _follow(np.frombuffer(entered, np.uint8), rows_, begins)
    return np.ascontiguousarray(begins.T).reshape(-1)[:count]


def _follow(missing: U8, steps: U8, begins: Bool) -> None:
    """Changes ``missing`` (uint8[..., columns]) from what it is before the first row to what it is after the last.
    ``begins``: set for each row, or for one that all share, to where an item begins."""
    added = np.empty(missing.shape, np.uint8)
    for row in range(len(steps)):
        here = begins[row if len(begins) > 1 else 0]
        np.equal(missing, 0, out=here)
        np.multiply(here.view(np.uint8), steps[row], out=added)
        np.add(missing, added, out=missing)
        np.subtract(missing, _ONE, out=missing)


def _values(data: bytes, at: I64, first: U8, size: U8) -> Integers:
    """The number or length of each item, up to the first that is not whole, or too large."""
    is_float = (first >= _LEAST_FLOAT) & (first != _BREAK)
    floats = np.flatnonzero(is_float)
    value, stop = _wholes(data, at, first, np.where(is_float, _ONE, size) if len(floats) else size)
    for byte, (_, kind) in _FLOATS.items() if len(floats) else ():
        those = floats[first[floats] == byte]
        if len(those):
            own = _following(data, at[those], kind).astype(np.float64)
            good = (np.abs(own) < _LARGEST) & (own == np.rint(own))
            wrong = _first(~good)
            if wrong < len(those):
                stop = min(stop, int(those[wrong]))
                own[~good] = 0
            value = value.astype(np.int64, copy=False)
            value[those] = own.astype(np.int64)
    return value[:stop]


def _wholes(data: bytes, at: I64, first: U8, size: U8) -> tuple[Array, int]:
    """(the number or length of each item, how many of them do not take more than 63 bits)."""
    value: Array = first & 31
    there = np.bincount(size, minlength=LONGEST + 1)
    if there[2] or there[_SHORT]:
        raw = np.frombuffer(data + bytes(LONGEST), np.uint8)
        np.copyto(value, raw.take(at + 1), where=size > 1)
        if there[_SHORT]:
            value = value.astype(np.uint16)
            two = value << 8
            two |= raw.take(at + 2)
            np.copyto(value, two, where=size > 2)
    for width, kind in _WIDER:
        if there[width]:
            wider = np.flatnonzero(size == width)
            value = value.astype(np.dtype(kind).newbyteorder("="))
            value[wider] = _following(data, at[wider], kind)
    stop = len(value)
    if value.dtype == np.uint64:
        stop = _first(value >= 2**63)
        value = value.view(np.int64)
    negative = (first >> 5) == _NEGATIVE
    if bool(negative.any()):
        value = np.where(negative, -1 - value.astype(np.int64), value)
    return value, stop


def _following(data: bytes, at: I64, kind: str) -> Array:
    """The numbers of ``kind`` after the bytes ``at``. Most stand at equal distances, which are taken together."""
    step = np.dtype(kind).itemsize + 1
    begins = np.flatnonzero(np.diff(at, prepend=at[0] - step - 1) != step)
    if _ALIKE * len(begins) > len(at):
        return _window(data, kind)[at + 1]
    out = np.empty(len(at), np.dtype(kind).newbyteorder("="))
    for begin, end in pairwise((*begins.tolist(), len(at))):
        out[begin:end] = np.ndarray((end - begin,), kind, data, int(at[begin]) + 1, (step,))
    return out


def _first(wrong: Bool) -> int:
    """The place of the first that is true; the length where there is none."""
    return int(np.argmax(wrong)) if bool(wrong.any()) else len(wrong)


def _window(data: bytes, kind: str) -> Array:
    """``data`` as numbers of ``kind`` that begin at every byte."""
    padded = data + bytes(LONGEST)
    size = np.dtype(kind).itemsize
    return np.ndarray((len(padded) - size + 1,), kind, padded, strides=(1,))


class Rows(Struct, frozen=True, eq=False):
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
    size = tokens_.end(stop if closed else stop - 1)
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


class Run(Struct, frozen=True, eq=False):
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
    return Run(tokens_.value[:stop], tokens_.end(last) if last >= 0 else 0, closed)
