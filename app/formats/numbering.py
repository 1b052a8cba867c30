"""Numbers for values in the order of first appearance, distinct texts, and sort orders in linear time."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count, islice
from typing import Final, TypeVar

import numpy as np

from app.profile.arrays import F64, I32, I64, U8, Array, Bool, Integers, numbered, sealed
from app.profile.strings import Strings

T = TypeVar("T", bound=Hashable)


def numbering(values: Iterable[T] = ()) -> defaultdict[T, int]:
    """A dictionary in which looking up a new value gives it the next number, without running Python code. It contains
    ``values`` (without duplicates)."""
    known = {value: number for number, value in enumerate(values)}
    return defaultdict(count(len(known)).__next__, known)


def numbers_of(numbers: defaultdict[T, int], values: Iterable[T], size: int) -> I32:
    """int32[size]: the number of each value."""
    return np.fromiter(map(numbers.__getitem__, values), np.int32, size)


def latest(numbers: dict[T, int], count: int) -> list[T]:
    """The last ``count`` values that got a number, in their order."""
    return [*islice(reversed(numbers), count)][::-1]


def translation(numbers: defaultdict[T, int], others: defaultdict[T, int]) -> I32:
    """int32[len(others) + 1]: the number in ``numbers`` of each value of ``others``; the last is -1 and stands for the
    absence of a value."""
    return np.append(numbers_of(numbers, others, len(others)), np.int32(-1))


_WORD: Final = 8
_LONG: Final = 512
"""Bytes of a text from which on it is looked at by itself."""
_TOGETHER: Final = 1 << 14
"""Texts whose hashes are computed together, within the processor's cache."""
_FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)
_ALL: Final = np.uint64(2**64 - 1)


def distinct_texts(strings: Strings) -> tuple[Strings, I32]:
    """(the distinct texts in order of first appearance, int32[texts]: the number of each text among them). Texts with
    one hash are compared, so that the result does not depend on it."""
    begins = np.concatenate((np.zeros(1, np.int64), strings.ends[:-1])) if len(strings) else strings.ends
    sizes = strings.ends - begins
    first = _first_alike(_hashes(strings.blob, begins, sizes))
    again = np.flatnonzero(first != np.arange(len(first)))
    if not len(again):
        return strings, np.arange(len(strings), dtype=np.int32)
    if not _same(strings.blob, begins, sizes, again, first[again]).all():  # texts that were made to have one hash
        numbers: defaultdict[str, int] = numbering()
        ids = numbers_of(numbers, strings.tolist(), len(strings))
        return Strings.of(numbers), ids
    new = np.ones(len(first), np.bool_)
    new[again] = False
    number = np.cumsum(new, dtype=np.int32) - np.int32(1)
    blob = strings.blob[np.repeat(new, sizes)]
    return Strings(sealed(blob), sealed(np.cumsum(sizes[new], dtype=np.int64))), number[first]


def _first_alike(hashes: Array) -> I64:
    """int64: for each hash, the place where it appears first."""
    order = np.argsort(hashes, kind="stable")
    ranked = hashes[order]
    begins = np.flatnonzero(np.concatenate((np.ones(min(1, len(order)), np.bool_), ranked[1:] != ranked[:-1])))
    first = np.empty(len(order), np.int64)
    first[order] = np.repeat(order[begins], np.diff(np.append(begins, len(order))))
    return first


def _hashes(blob: U8, begins: I64, sizes: I64) -> Array:
    """uint64[texts]."""
    words = _words_of(blob)
    hashes = sizes.astype(np.uint64) * _FACTOR
    for block in range(0, len(sizes), _TOGETHER):
        some = slice(block, block + _TOGETHER)
        own = hashes[some]
        for which, at, left in _by_words(begins[some], sizes[some]):
            mixed = (own[which] ^ _word(words, at, left)) * _FACTOR
            own[which] = mixed ^ mixed >> _SHIFT
    for number in np.flatnonzero(sizes > _LONG).tolist():
        text = blob[begins[number] : begins[number] + sizes[number]]
        hashes[number] = int.from_bytes(hashlib.blake2b(text.data, digest_size=_WORD).digest(), "little")
    return hashes


def _same(blob: U8, begins: I64, sizes: I64, some: I64, others: I64) -> Bool:
    """bool: whether each of ``some`` texts is the same as that of ``others``."""
    words = _words_of(blob)
    same: Bool = sizes[some] == sizes[others]
    pairs = np.flatnonzero(same)
    for which, at, left in _by_words(begins[some[pairs]], sizes[some[pairs]]):
        here = pairs[which]
        beside = begins[others[here]] + at - begins[some[here]]
        same[here] &= _word(words, at, left) == _word(words, beside, left)
    for pair in pairs[sizes[some[pairs]] > _LONG].tolist():
        one, other, size = int(begins[some[pair]]), int(begins[others[pair]]), int(sizes[some[pair]])
        same[pair] = np.array_equal(blob[one : one + size], blob[other : other + size])
    return same


def _by_words(begins: I64, sizes: I64) -> Iterator[tuple[I64, I64, I64]]:
    """For each number of words: (the texts that have so many, where the last of them begins, the bytes from there to
    the end of the text). Long texts are left out."""
    which = np.flatnonzero((sizes > 0) & (sizes <= _LONG))
    done = 0
    while len(which):
        yield which, begins[which] + done, sizes[which] - done
        done += _WORD
        which = which[sizes[which] > done]


def _words_of(blob: U8) -> Array:
    """uint64[bytes]: the eight bytes from each byte on, with zeros after the end."""
    padded = np.concatenate((blob, np.zeros(_WORD, np.uint8)))
    return np.ndarray(len(blob) + 1, "<u8", padded, strides=(1,))


def _word(words: Array, at: I64, left: I64) -> Array:
    """uint64: the word at each place, of which ``left`` bytes count."""
    unused = np.uint64(_WORD) * (np.uint64(_WORD) - np.minimum(left, _WORD).astype(np.uint64))
    taken: Array = words[at] & (_ALL >> unused)
    return taken


_DIGIT: Final = 16
"""Bits that numpy sorts by counting."""
_IN_A_BATCH: Final = 1 << 17
"""Items of which the columns fit into the cache of a processor."""


def stable_order(keys: Integers, count: int) -> I64:
    """int64[n]: the stable sort order of ``keys`` in 0..count-1."""
    if count > 1 << 2 * _DIGIT:
        return np.argsort(keys, kind="stable")
    order = np.argsort(keys.astype(np.uint16), kind="stable")  # numpy wraps: these are the lowest bits
    if count > 1 << _DIGIT:
        highest = (keys >> _DIGIT).astype(np.uint16)
        order = order[np.argsort(highest[order], kind="stable")]
    return order


def by_lane_and_time(lane: Integers, time: F64) -> I64:
    """int64[n]: the stable order by lane (0 or above), then time. Only lanes that are out of order are sorted; in most
    files few are."""
    lanes = int(lane.max()) + 1 if len(lane) else 0
    order = stable_order(lane, lanes)
    in_order, times = lane[order], time[order]
    falls = np.flatnonzero((times[1:] < times[:-1]) & (in_order[1:] == in_order[:-1]))
    if len(falls):
        unsorted = np.zeros(lanes, np.bool_)
        unsorted[in_order[falls]] = True
        places = np.flatnonzero(unsorted[in_order])
        some = order[places]
        some = some[np.argsort(time[some], kind="stable")]
        order[places] = some[stable_order(lane[some], lanes)]
    return order


def by_times(first: F64, second: F64) -> I64:
    """int64[n]: the stable order by ``first``, then ``second``."""
    order = np.argsort(first, kind="stable")
    equal = np.flatnonzero(first[order[1:]] == first[order[:-1]])
    if len(equal):
        tied = with_next(equal, len(order))
        some = order[tied]
        order[tied] = some[np.lexsort((second[some], first[some]))]
    return order


def with_next(places: I64, count: int) -> I64:
    """int64, ascending: those of 0..count-1 that are in ``places``, or the next after one."""
    either = np.zeros(count, np.bool_)
    either[places] = True
    either[places + 1] = True
    return np.flatnonzero(either)


def ranks(values: Integers) -> I64:
    """int64[n]: the rank of each value (0 or above) among all different ones."""
    return numbered(values)[1]


def batches(sizes: Integers, most: int = _IN_A_BATCH) -> Iterator[slice]:
    """Consecutive groups with these ``sizes``, together: as many as have at most ``most`` items, or one."""
    ends = np.cumsum(sizes, dtype=np.int64)
    first = 0
    while first < len(sizes):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + most, "right")))
        yield slice(first, last)
        first = last
