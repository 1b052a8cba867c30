"""Decoding a long array of records in stretches that several processes read at the same time.

The columns must not depend on how many processes there are, so every stretch has to begin exactly where the reader that
comes from the beginning of the file would stand. ``Records`` makes that possible: it reads up to multiples of a piece,
and at every CALM_PIECES-th of them its state is only the place of the last cut, which follows from the text just before
(the last ``}`` ``,`` ``{``). So each process finds the beginning of its stretch itself, from some bytes, as a *guess*:
these characters may also be inside a text or a nested array. The guess is never trusted. ``chained`` goes through the
results in order and accepts one only if it begins in the ``Place`` where the one before it ended; any other is decoded
again from the right place, in this process. By induction all results are those of one reader: the same pieces, issues
and ordinals, in damaged files too, where the reader may arrive at a boundary in another state, or end before it.

Readers have a state of their own as well (a trace finds out that its times need more digits than a number has). This
``mode`` is a tuple of numbers that is passed to every stretch. When a stretch ends in another mode than it began, the
following ones are given to the pool again with the new one. The first piece is decoded before all others, because it
nearly always sets the mode.

Ordinals within a stretch count from 0, and its problems are collected in a ``ProblemLog``: both are moved to their
place in the file when the results are merged.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.json import pieces
from app.formats.json.pieces import CALM_PIECES, MAX_RESYNCS, Piece, Place, Records
from app.formats.json.problems import Noted, ProblemLog
from app.formats.json.salvage import opening, quick_cut
from app.formats.pool import Moved, Pool, Task, ignore
from app.formats.source import Source
from app.profile.arrays import I64

MOST_BYTES: Final = 32 << 20
"""The longest stretch."""
SHARES: Final = 2
"""A stretch is this part of what each process has left to do: the last ones are short, so that all end together. More
would be worse than an end that is a little apart: what texts, keys and places there are is learned in each."""
LEAST_UNITS: Final = 2
"""The shortest stretch, in CALM_PIECES pieces."""
MOST_MISFITS: Final = 4
"""After as many wrong guesses, the rest is decoded in this process: the file is not what guesses are good for."""
_HEAD: Final = 256
"""Bytes in which the first record has its first key."""

Mode = tuple[int, ...]


class Stretch(Struct, frozen=True):
    """The part of the array ``start`` .. ``stop`` whose text is read from ``begin`` to ``until``. Reading begins
    in ``place``, or if that is None, in the one that a guess gives; ``resyncs``, ``piece_bytes``: as of ``Records``.
    ``first``: the number of records before it, as far as that is known."""

    start: int
    stop: int
    begin: int
    until: int
    place: Place | None = None
    resyncs: int = 0
    mode: Mode = ()
    piece_bytes: int = pieces.PIECE_BYTES
    first: int = 0


class Passage(Struct, frozen=True, eq=False):
    """What every result of a stretch says. ``begin``, ``end``: the states in which its reading began and ended, None if
    no beginning could be guessed; ``over``, ``closed``, ``count``, ``resyncs``: as of ``Records``; ``mode``: that at
    its end; ``pieces``: int64[pieces, 3], offset, size and first ordinal of each; ``problems``: its issues."""

    begin: Place | None
    end: Place
    over: bool
    closed: bool
    count: int
    resyncs: int
    mode: Mode
    pieces: I64
    problems: list[Noted]


class Result(Protocol):
    """What a task for stretches returns."""

    @property
    def passage(self) -> Passage: ...


R = TypeVar("R", bound=Result)
T = TypeVar("T")


class StretchRecords(Records[T]):
    """The records of ``stretch``, which begins in ``place`` (from ``place_of``). ``decoding``: as of ``Records``."""

    def __init__(self, source: Source, stretch: Stretch, place: Place, **decoding: Any) -> None:
        self.log = ProblemLog()
        super().__init__(
            source,
            stretch.start,
            stretch.stop,
            problems=self.log,
            place=place,
            resyncs=stretch.resyncs,
            until=stretch.until,
            piece_bytes=stretch.piece_bytes,
            **decoding,
        )
        self._begin = place
        self._before = stretch.resyncs
        self._pieces: list[tuple[int, int, int]] = []

    def __iter__(self) -> Iterator[Piece[T]]:
        for piece in super().__iter__():
            self._pieces.append((piece.offset, piece.size, piece.first))
            yield piece

    def passage(self, mode: Mode = ()) -> Passage:
        """What was read. ``mode``: that of the reader now."""
        return Passage(
            self._begin,
            self.place,
            self.over,
            self.closed,
            self.count,
            self.resyncs - self._before,
            mode,
            np.array(self._pieces, np.int64).reshape(-1, 3),
            self.log.noted(),
        )


def beginning(start: int, stop: int, size: int) -> Stretch:
    """The first ``size`` bytes of the array ``start`` .. ``stop``."""
    place = Place(start, start, pieces.PIECE_BYTES)
    return Stretch(start, stop, start, min(start + size, stop), place)


def nothing(stretch: Stretch) -> Passage:
    """The passage of a stretch that has no place to begin."""
    place = Place(stretch.begin, stretch.begin, stretch.piece_bytes)
    return Passage(None, place, False, False, 0, 0, stretch.mode, np.empty((0, 3), np.int64), [])


def boundaries(begin: int, stop: int, workers: int, piece_bytes: int = pieces.PIECE_BYTES) -> list[int]:
    """Where to divide the text ``begin`` .. ``stop`` for ``workers`` processes, ending with ``stop``: at multiples of
    CALM_PIECES pieces. Results do not depend on it."""
    cuts: list[int] = []
    at, unit = begin, CALM_PIECES * piece_bytes
    while at < stop:
        size = min((stop - at) // (SHARES * workers), MOST_BYTES)
        at = (at + max(size, LEAST_UNITS * unit)) // unit * unit
        cuts.append(min(at, stop))
    return cuts


def place_of(source: Source, stretch: Stretch) -> Place | None:
    """The state in which reading ``stretch`` begins: as it says, or a guess. None if there is no border nearby that is
    followed by a first key. Inside a text, no quotation mark can be there: a long text that looks like records is not
    decoded by all processes in vain."""
    if stretch.place is not None:
        return stretch.place
    begin = max(stretch.start, stretch.begin - stretch.piece_bytes)
    text = source.read(begin, stretch.begin - begin)
    begins = opening(source.read(stretch.start, min(_HEAD, stretch.stop - stretch.start)))
    cut = quick_cut(text, begins)
    if cut < 0:
        return None
    end = begin + text.index(b",", cut) + 1
    record = source.read(end, min(_HEAD, stretch.stop - end))
    return Place(end, stretch.begin, stretch.piece_bytes) if opening(record) else None


def chained(
    pool: Pool,
    task: Task[Stretch, R],
    source: Source,
    start: int,
    stop: int,
    mode: Mode = (),
    moved: Moved = ignore,
    piece_bytes: int | None = None,
    first_bytes: int | None = None,
    most: int | None = None,
) -> Iterator[R]:
    """The results of all stretches of the array whose ``[`` ends at ``start``, in order and as one reader would have
    made them; the last is ``over``. ``moved`` is called in between, and by stretches that are decoded here.
    ``first_bytes``: as of ``Records``; ``most``: more records are refused by the task, so that decoding ahead would be
    in vain where they are so dense."""
    piece_bytes = piece_bytes or pieces.PIECE_BYTES
    whole = Stretch(
        start,
        stop,
        start,
        stop,
        Place(start, start, min(first_bytes or piece_bytes, piece_bytes)),
        0,
        mode,
        piece_bytes,
    )
    chain = _Chain(task, source, whole, moved)
    yield chain.here(min(start + piece_bytes, stop))
    misfits = 0
    while not chain.over:
        worth = misfits < MOST_MISFITS and not chain.crowded(most)
        stretches = _divided(chain.rest, pool.workers if worth else 0)
        if len(stretches) == 1:
            yield chain.here(stop)
            continue
        assumed = chain.rest.mode
        results = pool.map(task, source, stretches)
        with closing(results):
            for stretch, result in zip(stretches, results, strict=True):
                if chain.over or chain.rest.mode != assumed or misfits >= MOST_MISFITS or chain.crowded(most):
                    break
                if result is not None and chain.fits(result.passage):
                    yield chain.accepted(result)
                else:
                    misfits += result is not None and result.passage.begin is not None
                    yield chain.here(stretch.until)
        misfits += chain.rest.mode != assumed


class _Chain(Generic[R]):
    """The state of the reader between two stretches: ``rest`` is what follows, ``over`` whether that is nothing."""

    def __init__(self, task: Task[Stretch, R], source: Source, rest: Stretch, moved: Moved) -> None:
        self.rest = rest
        self.over = False
        self._task = task
        self._source = source
        self._moved = moved

    def crowded(self, most: int | None) -> bool:
        """Whether there are more than ``most`` records, if the rest is like what was read so far."""
        rest = self.rest
        done, size = rest.begin - rest.start, rest.stop - rest.start
        return most is not None and done > 0 and rest.first * size > most * done

    def fits(self, passage: Passage) -> bool:
        """Whether one reader would have continued in this way."""
        return passage.begin == self.rest.place and self.rest.resyncs + passage.resyncs <= MAX_RESYNCS

    def accepted(self, result: R) -> R:
        passage = result.passage
        self.over = passage.over
        resyncs = self.rest.resyncs + passage.resyncs
        end = passage.end
        first = self.rest.first + passage.count
        self.rest = replace(self.rest, begin=end.read, place=end, resyncs=resyncs, mode=passage.mode, first=first)
        self._moved(end.end)
        return result

    def here(self, until: int) -> R:
        """The next result, up to ``until``, decoded in this process."""
        return self.accepted(self._task.run(self._source, replace(self.rest, until=until), self._moved))


def _divided(rest: Stretch, workers: int) -> list[Stretch]:
    """The stretches of ``rest``; only the first has a known place."""
    if not workers:
        return [rest]
    cuts = boundaries(rest.begin, rest.stop, workers, rest.piece_bytes)
    others = [replace(rest, begin=a, until=b, place=None, resyncs=0) for a, b in pairwise(cuts)]
    return [replace(rest, until=cuts[0]) if cuts else rest, *others]
