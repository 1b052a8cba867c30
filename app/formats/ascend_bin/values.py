"""Parses values as the files write them: numbers as numbers or text, and several markers for no data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, Final

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
NO_DATA = frozenset({"", "NA", "N/A", "-", "NAN", "NULL", "NONE"})
NONE = math.nan
MOST: Final = 1e100
"""No file has a larger number; sums and products of larger ones would overflow."""
LEAST: Final = 1e-100
"""Smaller numbers count as 0: shares of them would overflow."""


def parse(text: str) -> float:
    """The number in ``text``, NaN if it is not a finite number."""
    stripped = text.strip()
    if len(stripped) > 400 or not _NUMBER.fullmatch(stripped):
        return NONE
    value = float(stripped)
    return value if math.isfinite(value) else NONE


class Values:
    """Parses values of one block. ``odd`` counts those that are neither a number nor a marker for no data."""

    def __init__(self) -> None:
        self.odd = 0

    def number(self, value: Any) -> float:
        """``value`` as a float; NaN for no data, including -1 (Ascend operator files, section 2.6)."""
        if isinstance(value, bool) or value is None:
            return NONE
        if isinstance(value, str):
            number = parse(value)
            if number != number and value.strip().upper() in NO_DATA:
                return NONE
            value = number
        elif isinstance(value, float) and value != value:
            return NONE
        if isinstance(value, int | float) and abs(value) <= MOST:
            return NONE if value == -1 else float(value) if abs(value) >= LEAST else 0.0
        self.odd += 1
        return NONE

    def optional(self, value: Any) -> float | None:
        """``number`` with None for no data."""
        number = self.number(value)
        return None if number != number else number

    def whole(self, value: Any, none: int = -1, *, bits: int = 31) -> int:
        """``value`` as a non-negative integer of at most ``bits`` bits, ``none`` for no data."""
        if type(value) is int and 0 <= value < 1 << bits:
            return value
        number = self.number(value)
        if number != number:
            return none
        if number != math.floor(number) or not 0 <= number < 1 << bits:
            self.odd += 1
            return none
        return int(number)


def text(value: Any) -> str:
    """``value`` as text: whole floats without a fraction (7.0 is 7), "" for None, lists and objects (which could
    be nested too deeply)."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, list | dict):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def texts(value: Any) -> tuple[str, ...]:
    """The texts in ``value``, a list or a single value; empty ones are left out."""
    items: Iterable[Any] = value if isinstance(value, list) else [value]
    return tuple(line for line in map(text, items) if line)


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; empty where ``value`` is not a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def first_of(record: dict[str, Any], *keys: str) -> Any:
    """The value of the first of ``keys`` that exists, else None."""
    return next((record[key] for key in keys if key in record), None)
