"""Tables without rows: the default of what a section may hold and a source may lack."""

from __future__ import annotations

from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from msgspec import Struct

from app.profile.arrays import sealed
from app.profile.ragged import Ragged
from app.profile.strings import Strings

Table = TypeVar("Table", bound=Struct)


def no_rows(table: type[Table], **columns: Any) -> Table:
    """A ``table`` (a Struct of columns) whose columns have their own types and no entries, but for those that are
    given. TypeError where a field is no column and has no default."""
    kinds = get_type_hints(table)
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
    if get_origin(kind) is np.ndarray:
        (number,) = get_args(get_args(kind)[1])
        return sealed(np.empty(0, np.int64 if get_origin(number) is np.integer else number))
    raise TypeError(f"{kind} is no column")
