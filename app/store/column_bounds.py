"""Checks that sections from the cache are what readers make: columns have their types and lengths, and indices lie
within what they index, as the fields of the records declare (``app/profile/bounds.py``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
from msgspec import Struct

from app.profile.arrays import Array, Ragged
from app.profile.bounds import Bound, Index, Offsets, Rows, TextEnds
from app.profile.empty import without_alias
from app.profile.profile import Section
from app.profile.strings import Strings


def wrong_column(sections: Mapping[str, Section], files: int) -> str:
    """The name of the first column of a profile's ``sections`` (by name) that is not what readers make ("Slices.name");
    "" if all are. ``files``: how many paths the profile's origin has."""
    profile = SimpleNamespace(**sections, files=range(files))
    return next((wrong for section in sections.values() for wrong in _wrong(section, (profile,))), "")


class Field(Struct, frozen=True):
    """A field as declared. ``number``: the type of its numbers, None if it is no array; ``rows``: as in Rows, None if
    its length is not checked."""

    name: str
    number: Any
    bound: Bound | None
    rows: str | None


@cache
def fields_of(kind: type[Struct]) -> tuple[Field, ...]:
    """The fields of a record as they are declared; columns without Rows are as long as the first of them."""
    first = None
    fields = []
    for name in kind.__struct_fields__:
        types, notes = _taken_apart(_hints(kind)[name])
        bound = next((note for note in notes if isinstance(note, Bound)), None)
        rows = next((note.table for note in notes if isinstance(note, Rows)), None)
        number = next((_number(one) for one in types if get_origin(one) is np.ndarray), None)
        if rows is None and (number or Ragged in types) and not isinstance(bound, Offsets | TextEnds):
            rows = first = first or name
        fields.append(Field(name, number, bound, rows))
    return tuple(fields)


def _hints(kind: type[Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _number(array: Any) -> Any:
    """The type of the numbers of an array type."""
    (number,) = get_args(get_args(array)[1])
    return np.generic if number is Any else get_origin(number) or number


def _taken_apart(hint: Any) -> tuple[list[Any], list[Any]]:
    """The types of a union, and what all of them are annotated with."""
    hint = without_alias(hint)
    if get_origin(hint) is Annotated:
        types, notes = _taken_apart(get_args(hint)[0])
        return types, [*notes, *hint.__metadata__]
    if type(None) in get_args(hint):
        parts = [_taken_apart(part) for part in get_args(hint)]
        return [one for types, _ in parts for one in types], [note for _, notes in parts for note in notes]
    return [hint], []


def _wrong(record: Any, around: tuple[object, ...]) -> Iterator[str]:
    """Names of the columns of ``record`` that are wrong. ``around``: what contains it, inside out."""
    scope = (record, *around)
    kind: type[Struct] = type(record)
    for field in fields_of(kind):
        value = getattr(record, field.name)
        if value is not None and not (_as_long(value, field, scope) and _holds(value, field, scope)):
            yield f"{type(record).__name__}.{field.name}"
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Struct):
                yield from _wrong(part, scope)
    if not getattr(record, "sound", True):
        yield kind.__name__


def _as_long(value: Any, field: Field, scope: tuple[object, ...]) -> bool:
    count = None if field.rows is None else _count(field.rows, scope)
    if count is None:
        return True
    if isinstance(field.bound, Offsets):
        count += 1
    if not isinstance(value, tuple) or isinstance(field.bound, Offsets):
        return _length(value) == count
    return all(_length(part) == count for part in value)


def _holds(value: Any, field: Field, scope: tuple[object, ...]) -> bool:
    """Whether the numbers have the declared type and, as indices, the declared values."""
    if field.number and not _of_type(value.dtype, field.number):
        return False
    count = None if field.bound is None else _count(field.bound.table, scope)
    if field.bound is None or count is None:
        return True
    values = _values(value)
    if values is None or (values.ndim > 1 and not isinstance(field.bound, Index)):
        return False
    return field.bound.holds(values, count)


def _of_type(actual: np.dtype[Any], wanted: Any) -> bool:
    return np.issubdtype(actual, wanted) if wanted in (np.generic, np.integer) else actual == np.dtype(wanted)


def _values(value: Any) -> Array | None:
    """The indices in a field; None if they are none."""
    items = value.items if isinstance(value, Ragged) else value
    if not isinstance(items, np.ndarray):
        try:
            items = np.array([items] if isinstance(items, int) else list(items), np.int64)
        except OverflowError:
            return None
    return items if items.dtype.kind in "iu" and items.ndim else None


def _count(table: str | int, scope: tuple[object, ...]) -> int | None:
    """How many entries what ``table`` names has, None if there is none."""
    if isinstance(table, int):
        return table
    *path, last = table.split(".")
    for record in scope:
        for name in path:
            record = getattr(record, name, None)
        if hasattr(record, last):
            value = getattr(record, last)
            divided = isinstance(record, Struct) and any(
                field.name == last and isinstance(field.bound, Offsets) for field in fields_of(type(record))
            )
            return None if value is None else _length(value) - divided
    return None


def _length(value: Any) -> int:
    """The number of rows; of a record, those of its first column."""
    if isinstance(value, np.ndarray):
        return value.shape[0] if value.ndim else -1
    if isinstance(value, int):
        return value
    if isinstance(value, Struct) and not isinstance(value, Ragged | Strings):
        return next(_length(getattr(value, field.name)) for field in fields_of(type(value)) if field.number)
    return len(value)
