"""Records of a CBOR array (RFC 8949) translated into MessagePack, which msgspec decodes straight into structures.

Nearly every item of CBOR has a counterpart in MessagePack of the same size that differs in its first byte alone. So a
window of records is translated by changing the first bytes of its items; the few items whose counterpart is longer are
widened. Where items begin is followed in all records of the window side by side, each from where it seems to begin: a
map whose first key is known. These characters may also be part of a text or of a number, so a beginning counts only if
the record before it ends there.

Records with other items (tags, texts of bytes, containers that are ended by a break) have no translation: they are left
to a decoder of CBOR.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64, U8, Array, among, distinct

MOST_ITEMS: Final = 512
"""Items of a record; longer ones are not worth following side by side."""
_USUAL, _FEW = 64, 16
"""Items of a usual record; the share of longer ones that is worth following."""
MOST_KEYS: Final = 64
"""First keys of records that are looked for."""
_TEXT: Final = 3
_ONE: Final = np.uint8(1)
_ONE_PAIR: Final = 0xA1
_MOST_PAIRS: Final = 0x9F
_SMALL: Final = 24
"""The smallest argument that does not fit into the first byte."""
_HALF: Final = 0xF9
_NEGATIVE: Final = {0x38: ">u1", 0x39: ">u2", 0x3A: ">u4"}
"""Negative numbers by first byte, with the type of their argument: they become the next longer signed number."""
_ARRAY32: Final = b"\xdd"


class _Forms(Struct, frozen=True):
    """For each first byte: ``size``, the bytes up to the next item, without what a length that follows adds (0: no
    translation); ``more``: items to follow after this one, less one, as int8; ``first``: its counterpart; ``extra``:
    the bytes by which that is longer."""

    size: bytes
    more: bytes
    first: bytes
    extra: bytes


def _forms() -> _Forms:
    """The MessagePack specification's formats by those of CBOR."""
    size, more, first, extra = (np.zeros(256, np.uint8) for _ in range(4))
    more[:] = 0xFF
    small = np.arange(_SMALL, dtype=np.uint8)

    def put(begin: int, sizes: Iterable[int], bytes_: Iterable[int], wider: int = 0) -> None:
        for byte, (length, counterpart) in enumerate(zip(sizes, bytes_, strict=True), begin):
            size[byte], first[byte], extra[byte] = length, counterpart, wider

    numbers = (2, 3, 5, 9)
    put(0x00, [1] * _SMALL, small)
    put(0x18, numbers, (0xCC, 0xCD, 0xCE, 0xCF))
    put(0x20, [1] * _SMALL, 0xFF - small)
    for byte, (length, counterpart, wider) in zip(_NEGATIVE, ((2, 0xD1, 1), (3, 0xD2, 2), (5, 0xD3, 4)), strict=True):
        put(byte, [length], [counterpart], wider)
    put(0x60, 1 + small, 0xA0 + small)
    put(0x78, (2, 3), (0xD9, 0xDA))
    for begin, few, many, items in ((0x80, 0x90, 0xDC, 1), (0xA0, 0x80, 0xDE, 2)):
        put(begin, [1] * 16, few + small[:16])
        put(begin + 16, [1] * 8, [many] * 8, 2)
        put(begin + 24, [2], [many], 1)
        more[begin : begin + _SMALL] = items * small - 1
    put(0xF4, (1, 1, 1), (0xC2, 0xC3, 0xC0))
    put(_HALF, (3, 5, 9), (0xCA, 0xCA, 0xCB))
    extra[_HALF] = 2
    return _Forms(*(table.tobytes() for table in (size, more, first, extra)))


_FORMS: Final = _forms()
_LONG_TEXT, _LONGER_TEXT, _LONG_ARRAY, _LONG_MAP = 0x78, 0x79, 0x98, 0xB8


class Openings:
    """Where records seem to begin: maps whose first key is one of ``keys``."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = tuple(keys)
        self._pairs = np.zeros(1 << 16, np.bool_)
        for key in self.keys:
            text = key.encode("utf-8", "replace")
            if 0 < len(text) < _SMALL:
                self._pairs[(_TEXT << 5 | len(text)) << 8 | text[0]] = True

    def with_those_of(self, values: Iterable[object]) -> Openings:
        """The same with the first keys of ``values``, as far as there are not too many."""
        if len(self.keys) >= MOST_KEYS:
            return self
        first = (next(iter(value)) for value in values if isinstance(value, dict) and value)
        new = [key for key in dict.fromkeys(first) if isinstance(key, str) and key not in self.keys]
        return Openings((*self.keys, *new)) if new else self

    def places(self, raw: U8) -> I64:
        """int64: the places in ``raw`` that look so, ascending."""
        maps = raw[: max(len(raw) - 3, 0)] - np.uint8(_ONE_PAIR) <= _LONG_MAP - _ONE_PAIR
        at = np.flatnonzero(maps).astype(np.int64, copy=False)
        long = raw.take(at) == _LONG_MAP
        if long.any():  # so many pairs are the header of the record after a byte that is no header
            keep = ~long | (raw.take(at + 1) - _ONE < _MOST_PAIRS)
            at, long = at[keep], long[keep]
        key = at + 1 + long
        head = raw.take(key).astype(np.uint16) << np.uint16(8)
        places: I64 = at[self._pairs.take(head | raw.take(key + 1))]
        return places


class Translation(Struct, frozen=True, eq=False):
    """Consecutive records. ``begins``: int64[records + 1], the byte at which each begins in the CBOR, and the end;
    ``packed``: the records in MessagePack; ``places``: int64[records + 1], as ``begins`` in it."""

    begins: I64
    packed: bytes
    places: I64

    def __len__(self) -> int:
        return len(self.begins) - 1

    def groups(self, most: int) -> Iterator[tuple[bytes, int, int]]:
        """(an array of at most ``most`` records in MessagePack, their number, the byte of the CBOR after them)."""
        for first, last in pairwise([*range(0, len(self), most), len(self)]):
            body = self.packed[int(self.places[first]) : int(self.places[last])]
            yield _ARRAY32 + (last - first).to_bytes(4, "big") + body, last - first, int(self.begins[last])


def translated(data: bytes, openings: Openings, most: int, until: int) -> Translation | None:
    """The records at the beginning of ``data``, at most ``most`` that begin before ``until``. None if the first one has
    no translation, or is not complete."""
    raw = np.frombuffer(data, np.uint8)
    begins = openings.places(raw)
    begins = begins[: int(np.searchsorted(begins, until))]
    if not len(begins) or begins[0] != 0:
        return None
    followed = _followed(raw, begins)
    chain = _chained(begins, followed.ends)[:most]
    if not len(chain):
        return None
    end = int(followed.ends[np.searchsorted(begins, chain[-1])])
    at = np.concatenate(followed.items)
    if np.searchsorted(begins, end) > len(chain):  # there is what only looks like a record
        real = np.zeros(len(begins), np.bool_)
        real[np.searchsorted(begins, chain)] = True
        at = at[real.take(np.concatenate(followed.owners))]
    elif end < len(raw):
        at = at[at < end]
    return _translation(data, np.append(chain, end), at)


def beginning(data: bytes, openings: Openings) -> int:
    """The place in ``data`` from which on there are records as far as can be seen; -1 if there is none."""
    raw = np.frombuffer(data, np.uint8)
    begins = openings.places(raw)
    ends = _followed(raw, begins).ends
    likely = np.flatnonzero((ends == len(raw)) | among(ends, begins))
    return int(begins[likely[0]]) if len(likely) else -1


def _chained(begins: I64, ends: I64) -> I64:
    """Where the records begin that follow one another from the first on, by where they seem to begin and where they
    would end (0: nowhere)."""
    good = ends > 0
    good[1:] &= begins[1:] == ends[:-1]
    stop = len(good) if good.all() else int(np.argmin(good))
    if stop == len(begins) or stop == 0 or begins[stop] == ends[stop - 1]:
        return begins[:stop]
    end_of = dict(zip(begins.tolist(), ends.tolist(), strict=True))
    at, chain = 0, []
    while end_of.get(at):
        chain.append(at)
        at = end_of[at]
    return np.array(chain, np.int64)


class _Followed(Struct, frozen=True, eq=False):
    """``ends``: int64[records], the byte after each, 0 where it has no translation or is not complete; ``items``: the
    places of items, first of those of all records that are first; ``owners``: the records of these."""

    ends: I64
    items: list[I64]
    owners: list[I64]


def _followed(raw: U8, begins: I64) -> _Followed:
    """The items of the records that begin at ``begins``. One that has another one as an item is none: it begins inside
    a number, and goes on beyond the end of its record. What is much longer than the others is not followed to its end
    either."""
    other = np.zeros(len(raw) + 1, np.bool_)
    other[begins] = True
    ends = np.zeros(len(begins), np.int64)
    number, at, left = np.arange(len(begins)), begins, np.ones(len(begins), np.int32)
    items: list[I64] = []
    owners: list[I64] = []
    for step in range(MOST_ITEMS):
        if not len(at) or (step > _USUAL and len(at) < len(begins) // _FEW):
            break
        first = raw.take(at).tobytes()
        items.append(at)
        owners.append(number)
        following = at + np.frombuffer(first.translate(_FORMS.size), np.uint8)
        left = left + np.frombuffer(first.translate(_FORMS.more), np.int8)
        _lengths(raw, first, at, following, left)
        going = (following > at) & (following < len(raw)) & (left > 0)
        going &= ~other.take(np.minimum(following, len(raw)))
        if not going.all():
            done = (left == 0) & (following > at) & (following <= len(raw))
            ends[number[done]] = following[done]
            number, following, left = number[going], following[going], left[going]
        at = following
    return _Followed(ends, items, owners)


def _lengths(raw: U8, first: bytes, at: I64, following: I64, left: Array) -> None:
    """Adds the lengths of texts and containers that do not fit into the first byte."""
    kinds = np.frombuffer(first, np.uint8)
    last = len(raw) - 1
    for byte in (_LONG_TEXT, _LONGER_TEXT, _LONG_ARRAY, _LONG_MAP):
        if byte in first:
            those = np.flatnonzero(kinds == byte)
            count = raw.take(np.minimum(at[those] + 1, last)).astype(np.int64)
            if byte == _LONGER_TEXT:
                count = count << 8 | raw.take(np.minimum(at[those] + 2, last))
            if byte in (_LONG_TEXT, _LONGER_TEXT):
                following[those] += count
            else:
                left[those] += count if byte == _LONG_ARRAY else 2 * count


def _translation(data: bytes, begins: I64, at: I64) -> Translation:
    """The translation of records that begin at ``begins``, whose items are at ``at``."""
    end = int(begins[-1])
    raw = np.frombuffer(data, np.uint8, end)
    first = raw.take(at).tobytes()
    out = raw.copy()
    out[at] = np.frombuffer(first.translate(_FORMS.first), np.uint8)
    extra = np.frombuffer(first.translate(_FORMS.extra), np.uint8)
    wider = np.flatnonzero(extra)
    if not len(wider):
        return Translation(begins, out.tobytes(), begins)
    shift = np.zeros(end + 1, np.int64)
    shift[at[wider] + 1] = extra[wider]
    place = np.arange(end + 1) + np.cumsum(shift)
    packed = np.zeros(int(place[-1]), np.uint8)
    packed[place[:-1]] = out
    _widen(raw, at[wider], place, packed)
    return Translation(begins, packed.tobytes(), place[begins])


def _widen(raw: U8, at: I64, place: I64, packed: U8) -> None:
    """Writes the counterparts of the items at ``at`` that are longer, without their first bytes. ``place``: where each
    byte of ``raw`` is in ``packed``."""
    first = raw.take(at)
    for byte in distinct(first).tolist():
        those = at[first == byte]
        if byte == _HALF:
            values: Array = _arguments(raw, those, ">f2").astype(">f4")
        elif byte in _NEGATIVE:
            unsigned = _arguments(raw, those, _NEGATIVE[byte]).astype(np.int64)
            values = (-1 - unsigned).astype({0x38: ">i2", 0x39: ">i4", 0x3A: ">i8"}[byte])
        else:
            long = byte in (_LONG_ARRAY, _LONG_MAP)
            values = (raw.take(those + 1) if long else raw.take(those) & 31).astype(">u2")
        width = values.dtype.itemsize
        target = place[those][:, None] + np.arange(1, width + 1)
        packed[target] = values.view(np.uint8).reshape(-1, width)


def _arguments(raw: U8, at: I64, kind: str) -> Array:
    """What follows the first byte of each item."""
    width = np.dtype(kind).itemsize
    values: Array = raw[at[:, None] + np.arange(1, width + 1)].view(kind).reshape(-1)
    return values
