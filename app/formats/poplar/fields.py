"""Type-checked fields of small objects and of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
import numpy as np

from app.formats.errors import FormatError
from app.formats.integers import narrow, whole
from app.formats.poplar.report import Report
from app.formats.walk import Walk
from app.language import plural, tr
from app.profile.arrays import I32, I64, Integers, sealed
from app.profile.strings import Strings

LARGEST: Final = 2**48
Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=-LARGEST, le=LARGEST)]
"""An integer of a record. Larger numbers of cycles (two days) or bytes do not occur, and sums within this range never
overflow."""

_MOST_WHOLE: Final = 2**62
_MOST: Final = 1e100
"""Sums and products of a few numbers up to this are finite."""

_PLAIN: Final = frozenset({str, int, float, bool, type(None)})

T = TypeVar("T", bound=msgspec.Struct)


class Fields:
    """The members of a small object. A field of the wrong type is reported and counts as absent."""

    def __init__(self, data: Mapping[str, Any], report: Report, path: str) -> None:
        self.data = data
        self._report = report
        self._path = path
        self._asked: set[str] = set()

    @classmethod
    def read(cls, walk: Walk, report: Report, path: str) -> Fields:
        """Those of the value at ``walk``. Raises FormatError if it is not an object."""
        value = walk.value()
        if not isinstance(value, Mapping):
            raise FormatError(tr("expected an object here"))
        return cls(value, report, path)

    def whole(self, key: str) -> int | None:
        value = self._get(key)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _MOST_WHOLE:
            return value
        self._wrong(key, value, tr("a whole number"))
        return None

    def number(self, key: str, least: float = -_MOST, most: float = _MOST) -> float | None:
        """The number under ``key``; None where it is absent or not between ``least`` and ``most``."""
        value = self._get(key)
        if type(value) in (int, float) and least <= value <= most:
            return float(value)
        self._wrong(key, value, tr("a plausible number"))
        return None

    def text(self, key: str) -> str | None:
        value = self._get(key)
        if isinstance(value, str):
            return value
        self._wrong(key, value, tr("text"))
        return None

    def wholes(self, key: str) -> Integers | None:
        value = self._get(key)
        if isinstance(value, list):
            try:
                return sealed(narrow(whole(value)))
            except FormatError:
                pass
        self._wrong(key, value, tr("a list of whole numbers"))
        return None

    def rest(self) -> None:
        """Reports the keys that were not read."""
        for key in self.data:
            if key not in self._asked:
                self._report.unknown(f"{self._path}.{key}")

    def _get(self, key: str) -> Any:
        self._asked.add(key)
        return self.data.get(key)

    def _wrong(self, key: str, value: object, what: str) -> None:
        if value is not None:
            self._report.issue(
                "warning", f"{self._path}.{key}", tr("expected {what} here; the value is ignored", what=what)
            )


class Lenient:
    """Builds structures from records that do not fit them: fields of the wrong type are left out and counted."""

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()

    def of(self, shape: type[T]) -> Callable[[Any], T]:
        fields = msgspec.structs.fields(shape)

        def make(value: Any) -> T:
            if not isinstance(value, Mapping):
                raise ValueError(tr("not a record"))
            values = {}
            for field in fields:
                part = value.get(field.encode_name)
                if part is None:
                    continue
                try:
                    values[field.name] = msgspec.convert(part, field.type)
                except msgspec.ValidationError:
                    self.dropped[field.encode_name] += 1
            return shape(**values)

        return make

    def report(self, report: Report, path: str) -> None:
        for key, count in self.dropped.items():
            report.issue(
                "warning",
                f"{path}[].{key}",
                plural(
                    "{count:,} value has the wrong type or is out of range, and is ignored",
                    "{count:,} values have the wrong type or are out of range, and are ignored",
                    count=count,
                ),
            )


def indices(values: I64) -> I32:
    """``values`` as int32, -1 for those that are negative or too large."""
    return sealed(np.where((values < 0) | (values >= 2**31), -1, values).astype(np.int32))


def texts(walk: Walk) -> Strings:
    """A list of strings; other scalar values in it are converted to strings."""
    value = walk.value()
    if not isinstance(value, list) or not set(map(type, value)) <= _PLAIN:
        raise FormatError(tr("expected a list of texts here"))
    return Strings.of(item if isinstance(item, str) else str(item) for item in value)
