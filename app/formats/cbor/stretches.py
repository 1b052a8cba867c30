"""Decoding a long CBOR array of records in stretches that several processes read at the same time.

Nothing in CBOR says where a record begins, so each process takes a part of the file and guesses: where a map with a
known key begins, and another one where it ends. Such bytes may also be part of a text, or be after the end of the
array. So the guess is never trusted: ``chained`` goes through the results in order and accepts one only if it begins in
exactly the byte where the one before it ended, and has no more records than the array. The reader of the file decodes
all others, and whatever is irregular, before which the other processes stop. The results are therefore those of one
reader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct

from app.formats.cbor import records
from app.formats.cbor.records import Records
from app.formats.cbor.translation import Openings, beginning
from app.formats.json.problems import Problems
from app.formats.json.stretches import MOST_MISFITS, boundaries
from app.formats.pool import Moved, Pool, Task
from app.formats.source import Source

FIRST_BYTES: Final = 1 << 18
"""What is read before the rest is divided: the keys of the first records are needed."""

T = TypeVar("T")


class Stretch(Struct, frozen=True):
    """The records that begin in ``begin`` .. ``until``; ``keys``: the first ones of records before."""

    begin: int
    until: int
    keys: tuple[str, ...]


class Passage(Struct, frozen=True):
    """What every result says: its ``count`` records, lost ones included, are at ``begin`` .. ``end``. -1: no beginning
    was found."""

    begin: int
    end: int
    count: int


class Result(Protocol):
    """What a task for stretches returns."""

    @property
    def passage(self) -> Passage: ...


R = TypeVar("R", bound=Result)


def records_of(
    source: Source, stretch: Stretch, shape: type[T], rescue: Callable[[Any], T], moved: Moved
) -> Records[T] | None:
    """The records of ``stretch``, up to what is irregular; None if no beginning can be guessed."""
    size = min(records.WINDOW, source.size - stretch.begin)
    openings = Openings(stretch.keys)
    at = beginning(source.read(stretch.begin, size), openings)
    if at < 0:
        return None
    return Records(
        source,
        stretch.begin + at,
        -1,
        shape,
        rescue,
        Problems(lambda _: None, ""),
        moved,
        None,
        openings,
        stretch.until,
    )


def chained(
    pool: Pool, task: Task[Stretch, R], source: Source, own: Records[T], decode: Callable[[Records[T]], R]
) -> Iterator[R]:
    """The results for all records of ``own``, in order and as one reader would have made them. ``decode`` makes the
    result of what ``own`` reads until it pauses. Raises Broken after those before the place where the file is."""
    own.until = own.end + FIRST_BYTES
    yield from _here(own, decode)
    cuts = boundaries(own.end, source.size, pool.workers, records.WINDOW // 4)
    stretches = [Stretch(begin, until, own.openings.keys) for begin, until in pairwise((own.end, *cuts))]
    misfits = 0
    results = pool.map(task, source, stretches)
    with closing(results):
        for stretch, result in zip(stretches, results, strict=True):
            if own.left == 0 or misfits >= MOST_MISFITS:
                break
            if result is not None and _fits(result.passage, own):
                own.advance(result.passage.end, result.passage.count)
                yield result
            else:
                misfits += result is not None
            own.until = stretch.until if stretch.until < source.size else None
            if own.left and (own.until is None or own.end < own.until):
                yield from _here(own, decode)
    own.until = None
    if own.left:
        yield from _here(own, decode)


def _here(own: Records[T], decode: Callable[[Records[T]], R]) -> Iterator[R]:
    """The result of what ``own`` reads until it pauses. Raises Broken where it cannot continue."""
    yield decode(own)
    if own.broken is not None:
        raise own.broken


def _fits(passage: Passage, own: Records[Any]) -> bool:
    """Whether one reader would have continued in this way."""
    return passage.begin == own.end and (own.left < 0 or passage.count <= own.left)
