"""The texts of steps as numbers.

Each of the columns type, name and type of sync has numbers of its own, in order of first appearance, so that they do
not depend on how the steps are divided among processes. ``merged`` makes one table of those of all parts.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct

from app.formats.distinct_texts import distinct_texts
from app.formats.integers import Flat
from app.formats.numbering import numbering, numbers_of
from app.formats.packed import Texts, packed_sizes, sizes_of
from app.formats.poplar.step_types import spelled
from app.formats.poplar.timeline import PROCESS
from app.profile.arrays import I32, I64
from app.profile.strings import Strings, all_of, joined

COLUMNS: Final = ("type", "name", "sync_type")
TYPE, NAME, SYNC = range(len(COLUMNS))
_NONE: Final = (None, "")
"""Both mean that there is no text: they have the first numbers, which become -1."""
_DIFFERENT: Final = 8192
"""Combinations of texts that are remembered. If most are still new after so many, the columns are looked up apart."""
_GET: Final[tuple[Any, ...]] = tuple(map(attrgetter, COLUMNS))
_GET_ALL: Final[Any] = attrgetter(*COLUMNS)

Numbers: TypeAlias = defaultdict[str | None, int]


class StepTexts:
    """Collects the texts of records. In most files few combinations are different, and each is looked up once; where
    most names differ, every name gets a number of its own (``merged`` joins those that are the same), and the other
    columns are looked up one by one."""

    def __init__(self) -> None:
        self._numbers: list[Numbers] = [numbering(_NONE) for _ in COLUMNS]
        self._known: dict[Texts, int] = {}
        self._rows = array("q")
        self._apart = False
        self._names, self._lengths = Flat(), Flat()
        self._named = 0
        self._sizes: list[I64] = [np.empty(0, np.int64) for _ in COLUMNS]

    def of(self, records: Sequence[Any]) -> I64:
        """int64[4, records]: the numbers of type, name and type of sync (-1 for none), and the packed size of the
        texts."""
        if self._apart:
            return self._one_by_one(records)
        texts: list[Texts] = list(map(_GET_ALL, records))
        try:
            places = np.fromiter(map(self._known.__getitem__, texts), np.int64, len(texts))
        except KeyError:
            if not self._learn(texts):
                self._apart = True
                self._named = len(self._numbers[NAME]) - len(_NONE)
                return self.of(records)
            places = np.fromiter(map(self._known.__getitem__, texts), np.int64, len(texts))
        return np.array(self._rows, np.int64).reshape(-1, len(COLUMNS) + 1).T.take(places, axis=1)

    def types(self, since: int) -> list[str]:
        """The types from number ``since`` on."""
        return [text or "" for text in islice(self._numbers[TYPE], since + len(_NONE), None)]

    def tables(self) -> list[Strings]:
        """The texts of each column by number; some names may be there several times. The texts are released: nothing
        can be added afterwards."""
        tables = [Strings.of(text or "" for text in islice(self._taken(at), len(_NONE), None)) for at in range(3)]
        if self._names.count:
            ends = np.cumsum(self._lengths.done(), dtype=np.int64)
            tables[NAME] = joined(tables[NAME], Strings(self._names.done().astype(np.uint8, copy=False), ends))
        return tables

    def _taken(self, column: int) -> Numbers:
        self._known.clear()
        numbers, self._numbers[column] = self._numbers[column], numbering(_NONE)
        return numbers

    def _learn(self, texts: list[Texts]) -> bool:
        """Adds combinations, unless most of them are new; returns whether they were added."""
        known = self._known
        new = [each for each in dict.fromkeys(texts) if each not in known]
        if len(known) > _DIFFERENT:
            known.clear()
            self._rows = array("q")
            if 2 * len(new) > len(texts):
                return False
            new = list(dict.fromkeys(texts))
        known.update(zip(new, range(len(known), len(known) + len(new)), strict=True))
        self._rows.frombytes(self._looked_up([list(column) for column in zip(*new, strict=True)]).T.tobytes())
        return True

    def _one_by_one(self, records: Sequence[Any]) -> I64:
        """As ``of``, where most names differ."""
        count = len(records)
        rows = np.empty((len(COLUMNS) + 1, count), np.int64)
        names: list[str | None] = list(map(_GET[NAME], records))
        table = Strings.of([name or "" for name in names] if None in names else names)  # type: ignore[arg-type]
        sizes = np.diff(table.ends, prepend=0)
        named = sizes > 0
        rows[NAME] = np.where(named, self._named - 1 + np.cumsum(named), -1)
        rows[-1] = packed_sizes(sizes)
        for column in (TYPE, SYNC):
            ids = numbers_of(self._numbers[column], map(_GET[column], records), count)
            rows[-1] += self._sizes_of(column).take(ids)
            np.maximum(ids - len(_NONE), -1, out=rows[column])
        self._names.add(table.blob)
        self._lengths.add(sizes[named])
        self._named += int(np.count_nonzero(named))
        return rows

    def _sizes_of(self, column: int) -> I64:
        """int64: the packed size of each text of a column, by its number before those for none are taken off."""
        numbers, sizes = self._numbers[column], self._sizes[column]
        if len(sizes) < len(numbers):
            new = sizes_of(list(islice(numbers, len(sizes), None)))
            sizes = self._sizes[column] = np.concatenate((sizes, new))
        return sizes

    def _looked_up(self, columns: list[list[str | None]]) -> I64:
        rows = np.empty((len(COLUMNS) + 1, len(columns[0])), np.int64)
        for row, numbers, texts in zip(rows, self._numbers, columns, strict=False):
            row[:] = numbers_of(numbers, texts, len(texts))
        np.maximum(rows[:-1] - len(_NONE), -1, out=rows[:-1])
        rows[-1] = sum(map(sizes_of, columns))
        return rows


class Merged(Struct, frozen=True, eq=False):
    """``strings``: the texts of all parts; ``ids``: for each part and column int32[texts + 1], the id in ``strings`` of
    each number, at the end -1."""

    strings: Strings
    ids: list[tuple[I32, ...]]


def merged(parts: Sequence[list[Strings]]) -> Merged:
    """One table of the ``tables`` of all parts: all names, then types in the spelling that is shown, types of sync, and
    what a timeline of the steps needs. Takes the tables out of the parts, so that they need not be in memory twice."""
    types = [list(map(spelled, tables[TYPE])) for tables in parts]
    syncs = [tables[SYNC].tolist() for tables in parts]
    others = list(dict.fromkeys(chain(chain.from_iterable((*types, *syncs)), (PROCESS,))))
    every = [*(tables[NAME] for tables in parts), Strings.of(others)]
    for tables in parts:
        tables.clear()
    ends = np.cumsum(list(map(len, every)))
    strings, numbers = distinct_texts(all_of(every))
    *names, last = np.split(numbers, ends[:-1])
    places = dict(zip(others, last.tolist(), strict=True))

    def ids(texts: list[str]) -> I32:
        return np.array([*map(places.__getitem__, texts), -1], np.int32)

    return Merged(
        strings,
        [
            (ids(kind), np.append(name, np.int32(-1)), ids(sync))
            for kind, name, sync in zip(types, names, syncs, strict=True)
        ],
    )
