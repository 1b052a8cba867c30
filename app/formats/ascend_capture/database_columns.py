"""Columns under construction from the values of a database, which may have any type (Ascend captures, section 3)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from app.formats.integers import Flat
from app.formats.spool import KEPT_BYTES, kept
from app.profile.arrays import F64, I64, sealed
from app.profile.strings import Strings

Kind: TypeAlias = Literal["int", "float", "text"]
"""Of a wanted column. A text that is a whole number counts as one where an int is wanted (section 3)."""
NONE: Final = -(2**63)
"""No integer: NULL, a value of another type, or a column that the table lacks."""
_EXACT: Final = 2.0**53
_TOGETHER: Final = 1 << 14


class Column:
    """A column under construction. ``bad``: values of another type; ``size``: bytes of texts so far."""

    def __init__(self) -> None:
        self.bad = 0
        self.size = 0

    def select(self, name: str) -> str:
        """The expression that is fetched for the column of this quoted name."""
        raise NotImplementedError

    def extend(self, values: Sequence[Any]) -> None:
        raise NotImplementedError

    def done(self) -> Any:
        raise NotImplementedError


class Ints(Column):
    def __init__(self) -> None:
        super().__init__()
        self._parts = Flat(KEPT_BYTES)
        self._latest = array("q")

    def select(self, name: str) -> str:
        return f"ifnull({name}, {NONE + 1} - 1)"

    def extend(self, values: Sequence[Any]) -> None:
        try:
            numbers = array("q", values)
        except TypeError:
            numbers = array("q", map(int if _are_digits(values) else self._whole, values))
        self._latest.extend(numbers)
        if len(self._latest) >= _TOGETHER:
            self._pass()

    def _pass(self) -> None:
        """Hands over the latest numbers."""
        self._parts.add(np.frombuffer(self._latest, np.int64))
        self._latest = array("q")

    def _whole(self, value: Any) -> int:
        """A number of another type, or NONE. SQLite's integers have 64 bits; a longer text does not fit."""
        if type(value) is int:
            return value
        if type(value) is bytes and len(value) <= _DIGITS:
            digits = value[1:] if value.startswith(b"-") else value
            if digits.isdigit() and -(2**63) <= (number := int(value)) < 2**63:
                return number
        elif type(value) is float and abs(value) < _EXACT and value.is_integer():
            return int(value)
        self.bad += 1
        return NONE

    def done(self) -> I64:
        self._pass()
        return kept(self._parts.done().astype(np.int64))


_DIGITS: Final = 20
_LAST: Final = b"9223372036854775807"


def _are_digits(values: Sequence[Any]) -> bool:
    """Whether all are whole numbers of 64 bits as texts, as the times of some versions."""
    if {*map(type, values)} != {bytes} or not all(values) or not b"".join(values).isdigit():
        return False
    longest = max(map(len, values))
    return longest < len(_LAST) or (longest == len(_LAST) and max(filter(_is_long, values), default=b"") <= _LAST)


def _is_long(text: bytes) -> bool:
    return len(text) == len(_LAST)


class Floats(Column):
    def __init__(self) -> None:
        super().__init__()
        self._values = array("d")

    def select(self, name: str) -> str:
        return f"ifnull({name}, 9e999)"

    def extend(self, values: Sequence[Any]) -> None:
        try:
            numbers = array("d", values)
        except TypeError:
            numbers = array("d", map(self._number, values))
        self._values.extend(numbers)

    def _number(self, value: Any) -> float:
        if type(value) in (int, float):
            return float(value)
        try:
            return float(value) if type(value) is bytes and len(value) <= _LONG and value.strip() else self._none()
        except ValueError:
            return self._none()

    def _none(self) -> float:
        self.bad += 1
        return np.nan

    def done(self) -> F64:
        values = np.array(self._values, np.float64)
        self._values = array("d")
        values[~(np.abs(values) < _MOST)] = np.nan  # NULL is infinite here
        return kept(values)


_LONG: Final = 64
_MOST: Final = 1e100
"""Larger numbers are no measurements."""


class Texts(Column):
    def __init__(self) -> None:
        super().__init__()
        self._blob = bytearray()
        self._ends = array("q")

    def select(self, name: str) -> str:
        return f"ifnull({name}, '')"

    def extend(self, values: Sequence[Any]) -> None:
        for value in values:
            text = value if type(value) is bytes else str(value).encode()
            self._blob += text if _is_text(text) else text.decode("utf-8", "replace").encode()
            self._ends.append(len(self._blob))
        self.size = len(self._blob)

    def done(self) -> Strings:
        blob, ends = kept(np.frombuffer(self._blob, np.uint8)), kept(np.array(self._ends, np.int64))
        self._blob, self._ends = bytearray(), array("q")
        return Strings(blob, ends)


MAKERS: Final[dict[Kind, Callable[[], Column]]] = {"int": Ints, "float": Floats, "text": Texts}


def nothing(kind: Kind, count: int) -> Any:
    if kind == "text":
        return Strings(sealed(np.empty(0, np.uint8)), sealed(np.zeros(count, np.int64)))
    return np.broadcast_to(np.int64(NONE) if kind == "int" else np.float64(np.nan), count)


def _is_text(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
