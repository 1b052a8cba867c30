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

from app.formats.numbering import numbering, numbers_of
from app.formats.packed import Texts, sizes_of
from app.formats.poplar.step_types import spelled
from app.profile.arrays import I32, I64
from app.profile.strings import Strings, joined

COLUMNS: Final = ("type", "name", "sync_type")
TYPE, NAME, SYNC = range(len(COLUMNS))
_NONE: Final = (None, "")
"""Both mean that there is no text: they have the first numbers, which become -1."""
_DIFFERENT: Final = 8192
"""Combinations of texts that are remembered. If most are still new after so many, the columns are looked up apart."""
_GET: Final[tuple[Any, ...]] = tuple(map(attrgetter, COLUMNS))
_GET_ALL: Final[Any] = attrgetter(*COLUMNS)
_FEW: Final = 256

Numbers: TypeAlias = defaultdict[str | None, int]


class StepTexts:
    """Collects the texts of records. In most files few combinations are different, and each is looked up once; where
    most names differ, the columns are looked up one by one."""

    def __init__(self) -> None:
        self._numbers: list[Numbers] = [numbering(_NONE) for _ in COLUMNS]
        self._known: dict[Texts, int] = {}
        self._rows = array("q")
        self._apart = False

    def of(self, records: Sequence[Any]) -> I64:
        """int64[4, records]: the numbers of type, name and type of sync (-1 for none), and the packed size of the
        texts."""
        if self._apart:
            return self._looked_up([list(map(get, records)) for get in _GET])
        texts: list[Texts] = list(map(_GET_ALL, records))
        try:
            places = np.fromiter(map(self._known.__getitem__, texts), np.int64, len(texts))
        except KeyError:
            if not self._learn(texts):
                self._apart = True
                return self.of(records)
            places = np.fromiter(map(self._known.__getitem__, texts), np.int64, len(texts))
        return np.array(self._rows, np.int64).reshape(-1, len(COLUMNS) + 1).T.take(places, axis=1)

    def types(self, since: int) -> list[str]:
        """The types from number ``since`` on."""
        return [text or "" for text in islice(self._numbers[TYPE], since + len(_NONE), None)]

    def tables(self) -> list[Strings]:
        """The texts of each column by number. The texts are released: nothing can be added afterwards."""
        return [Strings.of(text or "" for text in islice(self._taken(at), len(_NONE), None)) for at in range(3)]

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


def merged(parts: Sequence[Sequence[Strings]]) -> Merged:
    """One table of the ``tables`` of all parts: all names, then types in the spelling that is shown, and types of
    sync."""
    strings, names = _names([tables[NAME] for tables in parts])
    types = [list(map(spelled, tables[TYPE])) for tables in parts]
    syncs = [tables[SYNC].tolist() for tables in parts]
    places: dict[str, int] = {}
    others = list(dict.fromkeys(chain.from_iterable((*types, *syncs))))
    if len(others) > _FEW:
        places = {text: number for number, text in enumerate(strings)}
    else:
        places = {text: int(at[0]) for text in others if len(at := strings.find(text))}
    new = [text for text in others if text not in places]
    places.update(zip(new, range(len(strings), len(strings) + len(new)), strict=True))

    def ids(texts: list[str]) -> I32:
        return np.array([*map(places.__getitem__, texts), -1], np.int32)

    return Merged(
        joined(strings, Strings.of(new)) if new else strings,
        [(ids(kind), name, ids(sync)) for kind, name, sync in zip(types, names, syncs, strict=True)],
    )


def _names(tables: Sequence[Strings]) -> tuple[Strings, list[I32]]:
    """(the distinct texts of all tables in order, for each table the number of its texts among them and -1)."""
    if len(tables) == 1:
        return tables[0], [np.append(np.arange(len(tables[0]), dtype=np.int32), np.int32(-1))]
    numbers: defaultdict[str, int] = numbering()
    ids = [np.append(numbers_of(numbers, table.tolist(), len(table)), np.int32(-1)) for table in tables]
    return Strings.of(numbers), ids
