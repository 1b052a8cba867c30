"""The record of one main figure (in a module of its own, so that families need not import the list)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from app.analysis.table import Role, Unit

Value: TypeAlias = int | float | str | bool | Sequence[object] | Mapping[str, object]


class Figure(Struct, frozen=True):
    """``name`` is the dotted key of `info --json`, ``value`` what it has there: both are the same in every language;
    ``label`` and ``unit`` are for people (a figure without a label is for programs only); ``help`` is the formula or
    the place in the file. ``clocked``: False for cycles of a clock that is not known, or summed over what runs at the
    same time, which are never shown as time. ``shown``: what people see instead of a value that is a code, in their
    language; that of a map has the same number of entries. ``role``: as of a column; identifying numbers ("key") have
    no difference."""

    name: str
    label: str
    value: Value
    unit: Unit = ""
    help: str = ""
    clocked: bool = True
    role: Role = ""
    shown: Value | None = None

    @property
    def display(self) -> Value:
        """The value for people."""
        return self.value if self.shown is None else self.shown
