"""Decodes lists of variables in ``memory.liveness``: those of program steps, of always-live memory, and the id table.

The vendor's documentation specifies no layout. Accepted are: ids (indices into ``liveness.variables``, or without it
the file's own numbers), records with a name and a size (as in the vendor's library ``libpva``), names alone, sizes by
name, and parallel arrays of names and sizes (as the file has them for vertex types).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, Final

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64
from app.profile.strings import Interner, Strings

LIST_KEYS: Final = ("variables", "vars", "bytesByVariable")
"""Keys under which a node, or always-live memory, may list its variables."""
_NUMBERS: Final = ("id", "var", "variable", "ids")
_NAMES: Final = ("name", "names")
_SIZES: Final = ("size", "bytes", "sizeBytes", "sizes")
_LARGEST: Final = 1 << 45
"""More bytes than a variable can have; sums of smaller values never overflow."""
_INT: Final = {int}

Entry = tuple[Any, Any, Any]
"""Number, name and size as in the file; None where absent."""


class Described(Struct, frozen=True, eq=False):
    """Variables by index: int64 columns, -1 where the file has no value; ``name``: text ids."""

    number: I64
    name: I64
    size: I64


class VariableLists:
    """Decodes lists of one kind. Described variables are numbered in the order of first appearance: equal entries of
    different lists are one variable, equal entries within a list are different variables. ``keep_places``: invalid
    entries take a number too, so that ids are indices into the list."""

    def __init__(self, *, keep_places: bool = False) -> None:
        self.wrong = 0
        self.twice = 0
        self._keep_places = keep_places
        self._texts = Interner()
        self._known: dict[tuple[int, int, int, int], int] = {}
        self._quick: dict[tuple[str, int], int] = {}

    def __len__(self) -> int:
        return len(self._known)

    def read(self, value: Any) -> tuple[I64, bool]:
        """(int64: variables, whether they are ids). Invalid entries are counted and left out."""
        if isinstance(value, list):
            if value and type(value[0]) is int:
                return self._plain_ids(value), True
            plain = self._plain_records(value)
            return (self._entries(map(_record, value)) if plain is None else plain), False
        if isinstance(value, dict):
            return self._object(value)
        self.wrong += 1
        return np.empty(0, np.int64), False

    def strings(self) -> Strings:
        return self._texts.strings()

    def described(self) -> Described:
        """All described variables."""
        columns = np.array([key[:3] for key in self._known], np.int64).reshape(-1, 3).T
        return Described(*(np.ascontiguousarray(column) for column in columns))

    def _plain_records(self, value: list[Any]) -> I64 | None:
        """int64: the variables of records that are all distinct and have only a name and a size, as nearly all do; None
        for other lists."""
        quick, out = self._quick, []
        for record in value:
            if type(record) is not dict or len(record) != 2:
                return None
            name, size = record.get("name"), record.get("size")
            if type(name) is not str or type(size) is not int or not 0 <= size <= _LARGEST:
                return None
            variable = quick.get((name, size))
            if variable is None:
                key = (-1, self._texts(name) if name else -1, size, 0)
                variable = quick[name, size] = self._known.setdefault(key, len(self._known))
            out.append(variable)
        return np.array(out, np.int64) if len(set(out)) == len(out) else None

    def _plain_ids(self, value: list[Any]) -> I64:
        if set(map(type, value)) != _INT:
            good = [item for item in value if type(item) is int]
            self.wrong += len(value) - len(good)
            value = good
        try:
            ids = np.array(value, np.int64)
        except OverflowError:
            small = [item for item in value if abs(item) < 2**62]
            self.wrong += len(value) - len(small)
            ids = np.array(small, np.int64)
        if not bool(np.all(ids[1:] > ids[:-1])):
            once = np.array(list(dict.fromkeys(ids.tolist())), np.int64)
            self.twice += len(ids) - len(once)
            ids = once
        return ids

    def _object(self, value: dict[str, Any]) -> tuple[I64, bool]:
        """Decodes parallel arrays, or sizes by name; the result is that of ``read``."""
        columns = [_first(value, keys) for keys in (_NUMBERS, _NAMES, _SIZES)]
        lists = [column for column in columns if isinstance(column, list)]
        if not lists:
            return self._entries((None, name, size) for name, size in value.items()), False
        if columns[1:] == [None, None]:
            return self.read(lists[0])
        if len({len(column) for column in lists}) > 1:
            self.wrong += max(map(len, lists))
            return np.empty(0, np.int64), False
        numbers, names, sizes = (
            column if isinstance(column, list) else repeat(None, len(lists[0])) for column in columns
        )
        return self._entries(zip(numbers, names, sizes, strict=True)), False

    def _entries(self, entries: Iterable[Entry]) -> I64:
        """int64: the variable of each valid entry."""
        known, texts = self._known, self._texts
        seen: dict[tuple[int, int, int], int] = {}
        out: list[int] = []
        for number, name, size in entries:
            numbered = number is not None and type(number) is int and 0 <= number < 2**62
            if type(name) is not str and (name is not None or not numbered):
                self.wrong += 1
                if not self._keep_places:
                    continue
                name = None
            key = (number if numbered else -1, texts(name) if name else -1, self._size(size))
            before = seen.get(key, 0)
            seen[key] = before + 1
            out.append(known.setdefault((*key, before), len(known)))
        return np.array(out, np.int64)

    def _size(self, value: Any) -> int:
        if type(value) in (int, float) and 0 <= value <= _LARGEST and value == int(value):
            return int(value)
        self.wrong += value is not None
        return -1


def _record(value: Any) -> Entry:
    if type(value) is dict:
        return _first(value, _NUMBERS), _first(value, _NAMES), _first(value, _SIZES)
    return (None, value, None) if type(value) is str else (None, None, None)


def _first(value: dict[str, Any], keys: tuple[str, ...]) -> Any:
    for key in keys:
        if key in value:
            return value[key]
    return None
