"""Builds the columns of a frozen Struct row by row."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar, get_type_hints

import numpy as np

from app.profile.arrays import F64, I32, I64, Bool, sealed
from app.profile.ragged import Ragged

Columns = TypeVar("Columns")


class Growing(Protocol):
    """A column under construction."""

    def add(self, value: Any) -> None: ...

    def column(self) -> Any: ...


class Numbers:
    """A column of numbers of one type, stored as packed values (Python ints would take ten times as much)."""

    def __init__(self, code: str, dtype: type) -> None:
        self._values = array(code)
        self._dtype = dtype
        self.add: Callable[[Any], None] = self._values.append

    def column(self) -> Any:
        return sealed(np.array(self._values).astype(self._dtype, copy=False))


class Lists:
    """A column with a list of integers in each row."""

    def __init__(self) -> None:
        self._lengths = array("q")
        self._items = array("q")

    def add(self, numbers: array[int]) -> None:
        self._lengths.append(len(numbers))
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


class Rows(Generic[Columns]):
    """Builds a Struct whose fields are int32, int64, float64, bool or ragged columns, row by row; its other fields
    are passed to ``finish``."""

    def __init__(self, columns: type[Columns]) -> None:
        self._type = columns
        hints = get_type_hints(columns)
        self._columns = {name: GROWING[hint]() for name, hint in hints.items() if hint in GROWING}
        self._adders = [column.add for column in self._columns.values()]
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, *values: Any) -> None:
        """Appends one row: a value for each column, in the order of the fields."""
        for add, value in zip(self._adders, values, strict=True):
            add(value)
        self._count += 1

    def finish(self, **others: Any) -> Columns:
        """The Struct with its columns sealed; ``others`` are its fields that are not columns."""
        return self._type(**others, **{name: column.column() for name, column in self._columns.items()})
