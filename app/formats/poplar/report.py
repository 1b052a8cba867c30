"""What is said of one Poplar file while it is read, and its fields with their types checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
import numpy as np

from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.integers import narrow, whole
from app.formats.json.problems import Problems
from app.formats.source import Source, allowed
from app.formats.walk import Broken, Walk
from app.language import plural, tr
from app.profile.arrays import I32, I64, Integers, Ragged, sealed
from app.profile.issue import Issue, Severity
from app.profile.strings import Strings

_SHOWN = 12
_COUNTED = 1000
_KEY_CHARACTERS = 60


class Report:
    """Reports issues of ``source``; locations are paths of keys in it (``memory.byTile.total``).
    ``size``: that of the file in bytes."""

    def __init__(self, sink: Sink, source: Source) -> None:
        self.name = source.path.name
        self.problems = Problems(sink, self.name)
        self._sink = sink
        self.size = source.size
        self._unknown: dict[str, None] = {}

    def issue(self, severity: Severity, path: str, text: str) -> None:
        self._sink(Issue(severity, f"{self.name}: {path}" if path else self.name, text))

    def refused(self, path: str, error: FormatError) -> None:
        """Reports that the value at ``path`` could not be read."""
        self.issue("error", path, tr("skipped: {error}", error=error.located))

    def allow(self, entries: int, each: int) -> None:
        """Raises FormatError where ``entries`` of ``each`` bytes of memory are implausibly many for the file's size."""
        allow(self.size, entries, each)

    def most(self, each: int) -> int:
        """The largest number of entries that ``allow`` accepts."""
        return allowed(self.size, each)

    def unknown(self, path: str) -> None:
        """Notes a key that the reader does not know; ``finish`` reports it."""
        if len(self._unknown) < _COUNTED:
            self._unknown[path[-_KEY_CHARACTERS:]] = None

    def finish(self) -> None:
        """Reports the unknown keys and the collected problems."""
        self.problems.finish()
        if self._unknown:
            shown = ", ".join(list(self._unknown)[:_SHOWN])
            text = tr("unknown keys, ignored: {shown}", shown=shown)
            if len(self._unknown) > _SHOWN:
                more = len(self._unknown) - _SHOWN
                text = tr("unknown keys, ignored: {shown} and {count:,} more", shown=shown, count=more)
            self.issue("info", "", text)
            self._unknown.clear()


def allow(size: int, entries: int, each: int) -> None:
    """As ``Report.allow``, for a file of ``size`` bytes. What it says does not depend on how many are read at once."""
    most = allowed(size, each)
    if entries > most:
        raise FormatError(
            tr("{entries:,} entries or more are implausible in a file of {size:,} bytes", entries=most + 1, size=size)
        )


Handlers = Mapping[str, Callable[[str], None]]


def members(walk: Walk, report: Report, path: str, handlers: Handlers) -> None:
    """Calls the handler of each member of the object at ``walk`` with the member's path. A FormatError of a handler is
    reported, and the other members are still read. Raises Broken where parsing cannot continue."""
    seen: set[str] = set()
    for key in walk.members():
        place = f"{path}.{key}" if path else key
        handler = handlers.get(key)
        if handler is None:
            report.unknown(place)
        elif key in seen:
            report.issue("warning", place, tr("duplicate key; the first one counts"))
        else:
            seen.add(key)
            try:
                handler(place)
            except Broken:
                raise
            except FormatError as error:
                report.refused(place, error)


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


LARGEST_ON_TILE = 2**45
"""More bytes or cycles than a tile can have; sums of smaller values over all tiles never overflow."""


def numbers(walk: Walk) -> Integers:
    """A one-dimensional array of bytes or cycles, sealed. Raises FormatError for values above LARGEST."""
    return sealed(_bounded(walk.numbers()))


def matrix(walk: Walk) -> Integers:
    """A two-dimensional array in a narrow type, sealed. Raises FormatError where rows differ in length."""
    rows = walk.rows()
    lengths = rows.lengths
    width = int(lengths[0]) if len(lengths) else 0
    odd = np.flatnonzero(lengths != width)
    if len(odd):
        raise FormatError(
            plural(
                "row {odd:,} has {count:,} number, but row 0 has {width:,}",
                "row {odd:,} has {count:,} numbers, but row 0 has {width:,}",
                count=lengths[odd[0]],
                odd=odd[0],
                width=width,
            )
        )
    return sealed(_bounded(rows.items).reshape(len(rows), width))


def ragged(walk: Walk) -> Ragged:
    """Rows of any length, sealed."""
    rows = walk.rows()
    return Ragged.of(rows.lengths, rows.items)


def _bounded(values: Integers) -> Integers:
    if values.dtype == np.int64 and len(values) and max(int(values.max()), -int(values.min())) > LARGEST_ON_TILE:
        raise FormatError(tr("a number here is too large for the bytes or cycles of a tile"))
    return values


class MatrixGroup:
    """Collects the matrices of one group by key."""

    def __init__(self, walk: Walk, report: Report) -> None:
        self.matrices: dict[str, Integers] = {}
        self._walk = walk
        self._report = report

    def handlers(self, keys: Iterable[str]) -> dict[str, Callable[[str], None]]:
        """Handlers that read the matrix of each key into this group."""
        return {key: self._reader(key) for key in keys}

    def check_rows(self, count: int, path: str, what: str) -> None:
        """Removes and reports matrices that do not have ``count`` rows; ``what`` names the items of the rows."""
        for key in [key for key, values in self.matrices.items() if len(values) != count]:
            rows = len(self.matrices.pop(key))
            self._report.issue(
                "error",
                f"{path}.{key}",
                tr("skipped: {rows:,} rows for {count:,} {what}", rows=rows, count=count, what=what),
            )

    def check_columns(self, path: str, keys: Iterable[str]) -> int | None:
        """The number of tiles of the first matrix among ``keys``, None without one. Removes and reports those with
        another number of tiles."""
        present = [key for key in keys if key in self.matrices and len(self.matrices[key])]
        if not present:
            return None
        width: int = self.matrices[present[0]].shape[1]
        for key in present:
            own = self.matrices[key].shape[1]
            if own != width:
                text = tr(
                    "skipped: rows of {part:,} numbers, but those of {present} have {width:,}",
                    part=own,
                    present=present[0],
                    width=width,
                )
                self._report.issue("error", f"{path}.{key}", text)
                del self.matrices[key]
        return width

    def _reader(self, key: str) -> Callable[[str], None]:
        def read(_path: str) -> None:
            self.matrices[key] = matrix(self._walk)

        return read
