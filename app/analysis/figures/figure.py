"""The record of one main figure (in a module of its own, so that families need not import the list)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from app.analysis.table import Unit

Value: TypeAlias = int | float | str | bool | Sequence[object] | Mapping[str, object]


class Figure(Struct, frozen=True):
    """``name`` is the dotted key of `info --json`; ``label`` and ``unit`` are for people (a figure without a label is
    for programs only); ``help`` is the formula or the place in the file. ``clocked``: False for cycles of a clock that
    is not known, or summed over what runs at the same time, which are never shown as time."""

    name: str
    label: str
    value: Value
    unit: Unit = ""
    help: str = ""
    clocked: bool = True
