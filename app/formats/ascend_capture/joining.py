"""Texts of several tables in one, and sections of several ranks as one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar, get_type_hints

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.numbering import distinct_texts
from app.profile.arrays import I32, Array, sealed
from app.profile.ascend import TypedColumn
from app.profile.bounds import Index
from app.profile.strings import Strings, all_of, joined

SectionT = TypeVar("SectionT", bound=Struct)


class Texts:
    """Collects columns of text ids with the tables that they refer to, and gives them one table of distinct texts."""

    def __init__(self) -> None:
        self._tables: list[Strings] = []
        self._columns: list[tuple[I32, int]] = []
        self._count = 0

    def add(self, ids: I32, strings: Strings, *, required: bool = False) -> int:
        """Adds int32 ids into ``strings`` (-1 none, which becomes "" where a text is ``required``); the number of the
        column in ``finish``."""
        if required and bool((ids < 0).any()):
            ids = np.where(ids < 0, len(strings), ids).astype(np.int32)
            strings = joined(strings, Strings.of([""]))
        self._columns.append((ids, self._count))
        self._tables.append(strings)
        self._count += len(strings)
        return len(self._columns) - 1

    def add_list(self, values: Sequence[str | None]) -> int:
        """Adds texts; None for no text."""
        numbers: dict[str, int] = {}
        ids = [-1 if value is None else numbers.setdefault(value, len(numbers)) for value in values]
        return self.add(np.array(ids, np.int32), Strings.of(numbers))

    def finish(self) -> tuple[Strings, list[I32]]:
        """(the table, the columns with ids into it, in the order in which they were added)."""
        strings, number = distinct_texts(all_of(self._tables) if self._tables else Strings.of(()))
        number = np.append(number, np.int32(-1)).astype(np.int32)
        return strings, [sealed(number[np.where(ids < 0, -1, ids + shift)]) for ids, shift in self._columns]


@cache
def text_fields(kind: type[Struct]) -> frozenset[str]:
    """The fields of a section that are ids of its texts."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(
        name
        for name in kind.__struct_fields__
        for bound in getattr(hints[name], "__metadata__", ())
        if isinstance(bound, Index) and bound.table == "strings"
    )


def stacked(parts: Sequence[tuple[int, SectionT]]) -> SectionT:
    """The rows of several sections of one type, one after the other. ``parts``: (what their column ``rank`` becomes,
    -1 for what it is, section); at least one."""
    if len(parts) == 1:
        rank, only = parts[0]
        return only if rank < 1 else replace(only, rank=_ranks(rank, only))
    first = parts[0][1]
    texts = Texts()
    places: dict[str, list[int]] = {}
    columns: dict[str, Any] = {}
    for name in first.__struct_fields__:
        values = [getattr(part, name) for _, part in parts]
        if name == "rank":
            columns[name] = sealed(np.concatenate([_ranks(rank, part) for rank, part in parts]))
        elif name == "strings":
            continue
        elif name in text_fields(type(first)):
            places[name] = [
                texts.add(value, _any(part).strings) for value, (_, part) in zip(values, parts, strict=True)
            ]
        elif isinstance(values[0], tuple):
            columns[name] = _columns([(part, len(_any(part).rank)) for _, part in parts], name)
        else:
            columns[name] = sealed(np.concatenate(values))
    if "strings" in first.__struct_fields__:
        columns["strings"], made = texts.finish()
        for name, numbers in places.items():
            columns[name] = sealed(np.concatenate([made[number] for number in numbers]))
    return type(first)(**columns)


def _any(section: Struct) -> Any:
    """A section, whose columns are looked up by name."""
    return section


def _ranks(rank: int, part: Struct) -> I32:
    own: I32 = _any(part).rank
    return own if rank < 0 else sealed(np.full(len(own), rank, np.int32))


def _columns(parts: Sequence[tuple[Struct, int]], name: str) -> tuple[TypedColumn, ...]:
    """Columns of numbers that not every part has, by their titles."""
    titles = dict.fromkeys(column.name for part, _ in parts for column in getattr(part, name))
    made = []
    for title in titles:
        values: list[Array] = []
        for part, rows in parts:
            own = next((column for column in getattr(part, name) if column.name == title), None)
            values.append(own.values if own is not None else np.full((rows, 1), np.nan))
        made.append(TypedColumn(title, "float", sealed(np.concatenate(values))))
    return tuple(made)
