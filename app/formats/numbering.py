"""Numbers for values in the order of first appearance, and distinct texts."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count, islice
from typing import Final, TypeVar

import numpy as np

from app.profile.arrays import I32, I64, U8, U64, Bool, Integers, numbered, sealed
from app.profile.strings import Strings

T = TypeVar("T", bound=Hashable)


def numbering(values: Iterable[T] = ()) -> defaultdict[T, int]:
    """A dictionary in which looking up a new value gives it the next number, without running Python code. It contains
    ``values`` (without duplicates)."""
    known: defaultdict[T, int] = defaultdict(None, zip(values, count()))
    known.default_factory = count(len(known)).__next__
    return known


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
FACTOR: Final = np.uint64(0x9E3779B97F4A7C15)
_SHIFT: Final = np.uint64(29)
_FIRST: Final[U64] = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], np.uint64)
"""The first n bytes of a word."""


def distinct_texts(strings: Strings) -> tuple[Strings, I32]:
    """(the distinct texts in order of first appearance, int32[texts]: the number of each text among them). Texts with
    one hash are compared, so that the result does not depend on it."""
    begins = np.concatenate((np.zeros(1, np.int64), strings.ends[:-1])) if len(strings) else strings.ends
    sizes = strings.ends - begins
    words = words_of(strings.blob)
    first = _first_alike(hashes_of(words, begins, sizes))
    again = np.flatnonzero(first != np.arange(len(first)))
    if not len(again):
        return strings, np.arange(len(strings), dtype=np.int32)
    earlier = first[again]
    alike = sizes[again] == sizes[earlier]
    if not (alike.all() and same_texts(words, begins[again], words, begins[earlier], sizes[again]).all()):
        # texts that were made to have one hash
        numbers: defaultdict[str, int] = numbering()
        ids = numbers_of(numbers, strings.tolist(), len(strings))
        return Strings.of(numbers), ids
    new = np.ones(len(first), np.bool_)
    new[again] = False
    number = np.cumsum(new, dtype=np.int32) - np.int32(1)
    blob = strings.blob[np.repeat(new, sizes)]
    return Strings(sealed(blob), sealed(np.cumsum(sizes[new], dtype=np.int64))), number[first]


def _first_alike(hashes: U64) -> I64:
    """int64: for each hash, the place where it appears first."""
    order = np.argsort(hashes, kind="stable")
    ranked = hashes[order]
    begins = np.flatnonzero(np.concatenate((np.ones(min(1, len(order)), np.bool_), ranked[1:] != ranked[:-1])))
    first = np.empty(len(order), np.int64)
    first[order] = np.repeat(order[begins], np.diff(np.append(begins, len(order))))
    return first


def hashes_of(words: U64, begins: I64, sizes: I64) -> U64:
    """uint64[texts]: of the texts of ``sizes`` bytes from ``begins`` on, in the ``words_of`` some bytes."""
    hashes = sizes.astype(np.uint64) * FACTOR
    for block in range(0, len(sizes), _TOGETHER):
        some = slice(block, block + _TOGETHER)
        own = hashes[some]
        for which, at, left in _by_words(begins[some], sizes[some]):
            mixed = (own[which] ^ _word(words, at, left)) * FACTOR
            own[which] = mixed ^ mixed >> _SHIFT
    for number in np.flatnonzero(sizes > _LONG).tolist():
        text = _text(words, begins[number], sizes[number])
        hashes[number] = int.from_bytes(hashlib.blake2b(text, digest_size=_WORD).digest(), "little")
    return hashes


def same_texts(words: U64, begins: I64, others: U64, other_begins: I64, sizes: I64) -> Bool:
    """bool[texts]: whether each text is the same as the other of the same size, in the ``words_of`` other bytes."""
    same = np.ones(len(sizes), np.bool_)
    for which, at, left in _by_words(begins, sizes):
        beside = other_begins[which] + at - begins[which]
        same[which] &= _word(words, at, left) == _word(others, beside, left)
    for pair in np.flatnonzero(sizes > _LONG).tolist():
        size = sizes[pair]
        same[pair] = _text(words, begins[pair], size) == _text(others, other_begins[pair], size)
    return same


def _text(words: U64, begin: np.int64, size: np.int64) -> bytes:
    """The bytes of one text, which are the lowest of the words."""
    return words[begin : begin + size].astype(np.uint8).tobytes()


def _by_words(begins: I64, sizes: I64) -> Iterator[tuple[I64, I64, I64]]:
    """For each number of words: (the texts that have so many, where the last of them begins, the bytes from there to
    the end of the text). Long texts are left out."""
    which = np.flatnonzero((sizes > 0) & (sizes <= _LONG))
    done = 0
    while len(which):
        yield which, begins[which] + done, sizes[which] - done
        done += _WORD
        which = which[sizes[which] > done]


def words_of(blob: U8) -> U64:
    """uint64[bytes + 1]: the eight bytes from each byte on, with zeros after the end."""
    padded = np.concatenate((blob, np.zeros(_WORD, np.uint8)))
    return np.ndarray(len(blob) + 1, "<u8", padded, strides=(1,))


def _word(words: U64, at: I64, left: I64) -> U64:
    """uint64: the word at each place, of which ``left`` bytes count."""
    return words[at] & _FIRST[np.minimum(left, _WORD)]


_IN_A_BATCH: Final = 1 << 17
"""Items of which the columns fit into the cache of a processor."""


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
