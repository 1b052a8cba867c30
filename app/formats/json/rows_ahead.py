"""Rows of numbers that other processes parse before the reader of a file arrives there.

A file has many arrays of rows, and where they are is known only to who reads it from the beginning. But at multiples of
a block, the reader of a long array stands after the last comma, inside a row or between two. So each process takes a
stretch of the file, assumes at such multiples that it is inside an array of rows, and parses as long as that is what
stands there. The reader takes these rows only if it arrives in exactly the place where they begin: then they are what
it would have parsed itself. Whatever has a fault is left to the reader, which reports it.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Final

from msgspec import Struct

from app.formats.json import numbers
from app.formats.json.number_rows import Place, Run
from app.formats.json.numbers import NumberReader
from app.formats.pool import Moved, Pool, Task
from app.formats.source import Source

WORTH_BYTES: Final = 96 << 20
"""In a smaller file, rows are parsed faster by one process than helpers are started and their results merged: numbers
are parsed at several hundred MB a second (measured: 54 MB take longer by two processes, 160 MB less)."""
BLOCKS: Final = 8
"""Blocks in a stretch."""
_SKIPPED: Final = 4
"""Stretches that the reader may pass over before those far ahead are given out anew."""
_LOOKED_AT: Final = 512
_BORDER: Final = re.compile(rb"([0-9\]])[ \t\r\n]*+,[ \t\r\n]*+[-0-9\[\]. \t\r\n+eE]*+\Z")
"""The end of the text before the reader: the last comma, and what it has not used yet."""


class Blocks(Struct, frozen=True):
    """The text ``begin`` .. ``until``, from a multiple of a block to another or to the end of the file."""

    begin: int
    until: int


class Runs(Struct, frozen=True, eq=False):
    """The rows that were parsed in a stretch."""

    runs: list[Run]


def decode(source: Source, blocks: Blocks, moved: Moved) -> Runs:
    """What looks like rows of numbers in the text of ``blocks``."""
    runs: list[Run] = []
    at = blocks.begin
    while at < blocks.until:
        place = _place(source, at)
        run = None if place is None else NumberReader(source, at, moved).run(place, blocks.until)
        if run is not None:
            runs.append(run)
            at = max(at, (run.stop.end if run.closed else run.stop.read) - 1)
        at += numbers.BLOCK - at % numbers.BLOCK
    return Runs(runs)


TASK: Final = Task("rows", decode, Blocks, Runs)


def _place(source: Source, read: int) -> Place | None:
    """Where a reader of rows stands that has read up to ``read``; None if there are no numbers."""
    begin = max(0, read - _LOOKED_AT)
    border = _BORDER.search(source.read(begin, read - begin))
    if border is None:
        return None
    comma = begin + source.read(begin, read - begin).rindex(b",")
    inside = border[1] != b"]"
    return Place(read, comma + inside, inside)


class RowsAhead:
    """The rows of ``source`` that ``pool`` parses, from where the reader first asks for some."""

    def __init__(self, pool: Pool, source: Source) -> None:
        self._pool = pool
        self._source = source
        self._results: Generator[Runs | None] | None = None
        self._runs: dict[Place, Run] = {}
        self._until = 0

    def run(self, place: Place) -> Run | None:
        """See ``RunsAhead``. Waits for the processes."""
        if self._results is None or place.read >= self._until + _SKIPPED * BLOCKS * numbers.BLOCK:
            self._begin(place.read)
        while self._results is not None and self._until <= place.read < self._source.size:
            self._runs.clear()
            result = next(self._results, None)
            self._until = min(self._until + BLOCKS * numbers.BLOCK, self._source.size)
            self._runs = {run.start: run for run in result.runs} if result is not None else {}
        return self._runs.pop(place, None)

    def close(self) -> None:
        """Drops what was parsed."""
        if self._results is not None:
            self._results.close()
        self._results = None
        self._runs.clear()

    def _begin(self, at: int) -> None:
        """Gives out the stretches from ``at`` on, if that is worth it."""
        self.close()
        if self._pool.workers < 2 or self._source.size - at < WORTH_BYTES:
            return
        size = BLOCKS * numbers.BLOCK
        stop = self._source.size
        self._until = at
        self._results = self._pool.map(
            TASK, self._source, [Blocks(begin, min(begin + size, stop)) for begin in range(at, stop, size)]
        )
