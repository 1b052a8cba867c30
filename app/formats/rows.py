"""Builds the columns of a frozen Struct row by row."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, Generic, Protocol, TypeVar, get_type_hints

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, Bool, Ragged, sealed

_TOGETHER: Final = 256

Columns = TypeVar("Columns", bound=Struct)


class Growing(Protocol):
    """A column under construction."""

    def extend(self, values: Sequence[Any]) -> None: ...

    def column(self) -> Any: ...


class Numbers:
    """A column of numbers of one type, stored as packed values (Python ints would take ten times as much)."""

    def __init__(self, code: str, dtype: type) -> None:
        self._values = array(code)
        self._dtype = dtype
        self.extend: Callable[[Sequence[Any]], None] = self._values.extend

    def column(self) -> Any:
        return sealed(np.array(self._values).astype(self._dtype, copy=False))


class Lists:
    """A column with a list of integers in each row."""

    def __init__(self) -> None:
        self._lengths = array("q")
        self._items = array("q")

    def extend(self, lists: Sequence[array[int]]) -> None:
        self._lengths.extend(map(len, lists))
        for numbers in lists:
            self._items.extend(numbers)

    def column(self) -> Ragged:
        return Ragged.of(np.array(self._lengths, np.int64), np.array(self._items, np.int64))


GROWING: dict[Any, Callable[[], Growing]] = {
    I32: lambda: Numbers("i", np.int32),
    I64: lambda: Numbers("q", np.int64),
    F64: lambda: Numbers("d", np.float64),
    Bool: lambda: Numbers("B", np.bool_),
    Ragged: Lists,
}


@cache
def _types(columns: type[Any]) -> dict[str, Any]:
    """The types of the fields of one of the few classes of columns, each of which is needed for every profile."""
    return get_type_hints(columns)


class Rows(Generic[Columns]):
    """Builds a Struct whose fields are int32, int64, float64, bool or ragged columns, row by row; its other fields
    are passed to ``finish``."""

    def __init__(self, columns: type[Columns]) -> None:
        self._type = columns
        hints = _types(columns)
        self._columns = {name: GROWING[hint]() for name, hint in hints.items() if hint in GROWING}
        self._waiting: list[tuple[Any, ...]] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, *values: Any) -> None:
        """Appends one row: a value for each column, in the order of the fields."""
        self._waiting.append(values)
        self._count += 1
        if len(self._waiting) == _TOGETHER:
            self._store()

    def finish(self, **others: Any) -> Columns:
        """The Struct with its columns sealed; ``others`` are its fields that are not columns."""
        self._store()
        return self._type(**others, **{name: column.column() for name, column in self._columns.items()})

    def _store(self) -> None:
        """Moves the rows that wait into the columns: many together take a quarter of the time."""
        for column, values in zip(self._columns.values(), zip(*self._waiting, strict=True), strict=bool(self._waiting)):
            column.extend(values)
        self._waiting.clear()
