"""Tables without rows: the default of what a section may hold and a source may lack."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from msgspec import Struct

from app.profile.arrays import Ragged, sealed
from app.profile.strings import Strings

Table = TypeVar("Table", bound=Struct)
_types = cache(get_type_hints)
"""Of the few classes of tables, each of which is needed for every profile."""


def no_rows(table: type[Table], **columns: Any) -> Table:
    """A ``table`` (a Struct of columns) whose columns have their own types and no entries, but for those that are
    given. TypeError where a field is no column and has no default."""
    kinds = _types(table)
    made = {name: kinds[name] for name in table.__struct_fields__ if name not in columns}
    return table(**{name: _nothing(kind) for name, kind in made.items()}, **columns)


def _nothing(kind: Any) -> Any:
    if kind is Strings:
        return Strings.of(())
    if kind is Ragged:
        return Ragged.of(np.empty(0, np.int64), np.empty(0, np.int64))
    if get_origin(kind) is tuple:
        return ()
    if type(None) in get_args(kind):
        return None
    array = without_alias(kind)
    if get_origin(array) is np.ndarray:
        (number,) = get_args(get_args(array)[1])
        return sealed(np.empty(0, np.int64 if get_origin(number) is np.integer else number))
    raise TypeError(f"{kind} is no column")


def without_alias(kind: Any) -> Any:
    """What an alias of Python 3.12 (``type NDArray[T] = ...``, as in numpy from 2.5) stands for; other types as they
    are."""
    value = getattr(get_origin(kind), "__value__", None)
    return kind if value is None else value[get_args(kind)]
