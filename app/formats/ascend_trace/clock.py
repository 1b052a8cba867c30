"""Times of a trace that may need more digits than float64 has: parsed without loss of precision, and collected in
growable columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt
import orjson
from msgspec import Struct

from app.formats.ascend_trace.event import Event, number
from app.profile.arrays import F64, I64, Array
from app.profile.timeline import is_far

_FIRST = 4096


class Growing:
    """A growable array of one dtype. Its capacity stays below 1.5 times its content."""

    def __init__(self, dtype: npt.DTypeLike) -> None:
        self._room: Array = np.empty(_FIRST, dtype)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def extend(self, values: npt.ArrayLike) -> None:
        """Appends ``values`` (a list or an array)."""
        added: npt.NDArray[Any] = np.asarray(values, self._room.dtype)
        end = self._count + len(added)
        if end > len(self._room):
            room = np.empty(max(end, len(self._room) * 3 // 2), self._room.dtype)
            room[: self._count] = self._room[: self._count]
            self._room = room
        self._room[self._count : end] = added
        self._count = end

    def expect(self, count: int) -> None:
        """Takes room for about ``count`` values. What remains empty takes no memory."""
        if count > len(self._room):
            room = np.empty(count, self._room.dtype)
            room[: self._count] = self._room[: self._count]
            self._room = room

    def replace(self, values: Array) -> None:
        """Replaces the content by ``values``, an array that the column may keep."""
        self._room, self._count = values.astype(self._room.dtype, copy=False), len(values)

    def taken(self, which: Array) -> Array:
        """The values that an index or mask array selects; the column is empty afterwards."""
        taken: Array = self.array()[which]
        self._room, self._count = self._room[:0].copy(), 0
        return taken

    def array(self) -> Array:
        """The content as a view, which is invalid once the column grows."""
        return self._room[: self._count]


class Sparse(Growing):
    """A column in which few events have a value, ``blank`` for the others: it takes no memory until one has. Its arrays
    are read-only while ``is_blank``, which means that none has."""

    def __init__(self, dtype: npt.DTypeLike, blank: int) -> None:
        super().__init__(dtype)
        self._blank = np.array(blank, dtype)
        self._clear()

    def _clear(self) -> None:
        self._room, self._count = np.empty(0, self._blank.dtype), 0
        self.is_blank = True

    def extend_blank(self, count: int) -> None:
        """Appends ``count`` events without a value."""
        if self.is_blank:
            self._count += count
        else:
            super().extend(np.broadcast_to(self._blank, count))

    def extend(self, values: npt.ArrayLike) -> None:
        if self.is_blank:
            self._room = np.full(self._count, self._blank)
            self.is_blank = False
        super().extend(values)

    def expect(self, count: int) -> None:
        if not self.is_blank:
            super().expect(count)

    def append(self, other: Sparse) -> None:
        """Appends the content of ``other``."""
        if other.is_blank:
            self.extend_blank(len(other))
        else:
            self.extend(other.array())

    def replace(self, values: Array) -> None:
        super().replace(values)
        self.is_blank = False

    def taken(self, which: Array) -> Array:
        taken: Array = self.array()[which]
        self._clear()
        return taken

    def array(self) -> Array:
        return np.broadcast_to(self._blank, self._count) if self.is_blank else super().array()


PARTS = 10**9
"""Fractions of a unit in which the digits behind the point are counted."""
DECIMALS = 9


class Moments(Struct, frozen=True, eq=False):
    """``value``: float64, times in units, NaN where an event has none. With ``whole`` (int64, whole units), ``value``
    is the rest in PARTS, 0 .. PARTS."""

    value: F64
    whole: I64 | None = None

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, which: Array) -> Moments:
        return Moments(self.value[which], None if self.whole is None else self.whole[which])

    def exact(self) -> Moments:
        """The same times as whole units and a rest. A float64 is read as the shortest decimal that is equal to it."""
        return self if self.whole is not None else _split(self.value)


class Times:
    """A growing column of times: float64, until ``split`` adds a column of whole units."""

    def __init__(self) -> None:
        self._value = Growing(np.float64)
        self._whole: Growing | None = None

    def __len__(self) -> int:
        return len(self._value)

    @property
    def is_exact(self) -> bool:
        return self._whole is not None

    def extend(self, moments: Moments) -> None:
        """Appends ``moments``, which are split if these times are."""
        if self._whole is not None:
            moments = moments.exact()
            self._whole.extend(moments.whole)  # type: ignore[arg-type]
        self._value.extend(moments.value)

    def expect(self, count: int) -> None:
        """Takes room for about ``count`` times."""
        self._value.expect(count)
        if self._whole is not None:
            self._whole.expect(count)

    def split(self) -> None:
        """Stores whole units and rest apart from now on."""
        if self._whole is None:
            moments = self.moments().exact()
            self._whole = Growing(np.int64)
            self._whole.extend(moments.whole)  # type: ignore[arg-type]
            self._value.array()[:] = moments.value

    def moments(self) -> Moments:
        """The content as views, which are invalid once the column grows."""
        return Moments(self._value.array(), None if self._whole is None else self._whole.array())

    def set(self, value: F64, whole: I64 | None) -> None:
        """Replaces the content by ``Moments(value, whole)``."""
        self.replace(value)
        if whole is not None:
            self._whole = Growing(np.int64)
            self._whole.replace(whole)

    def replace(self, values: F64) -> None:
        """Replaces the content by plain ``values``."""
        self._whole = None
        self._value.replace(values)

    def array(self) -> F64:
        """float64: a view of the plain values."""
        assert self._whole is None
        return self._value.array()

    def taken(self, which: Array) -> Array:
        """The plain values that an index or mask array selects; the column is empty afterwards."""
        assert self._whole is None
        return self._value.taken(which)


def _split(values: F64) -> Moments:
    with np.errstate(invalid="ignore"):
        floor = np.floor(values)
        rest = (values - floor) * PARTS
    precision = np.spacing(np.abs(values)) * PARTS
    result = rest.copy()
    left = np.flatnonzero(rest > 0)
    for decimals in range(DECIMALS + 1):
        step = 10.0 ** (DECIMALS - decimals)
        rounded = np.rint(rest[left] / step) * step
        good = np.abs(rounded - rest[left]) <= precision[left] / 2
        result[left[good]] = rounded[good]
        left = left[~good]
    return Moments(result, np.where(np.isfinite(floor), floor, 0.0).astype(np.int64))


NEAR: Final = 2.0**33
"""Up to this (two hours of microseconds) a float64 resolves picoseconds. Timestamps since 1970 are larger: there
float64 values are 0.25 us apart, and finer digits exist only in the text."""
TIME_LIMIT: Final = 1e18
"""Times beyond this (30,000 years of microseconds) are invalid."""

_LEAST_DECIMALS: Final = 3
_POWERS = 10 ** np.arange(DECIMALS + 1, dtype=np.int64)
_EXACT: Final = 2.0**53
_MOST_DIGITS, _TOO_LARGE = 19, 9 * 10**18
_DIGITS = b"0123456789.,"
_POINT, _COMMA = ord("."), ord(",")
_ENCODER = msgspec.json.Encoder()


def read_times(events: Sequence[Event], exact: bool) -> Moments:
    """The times of ``events``; if ``exact``, their ``ts`` is the text in the file."""
    if not events:
        return Moments(np.empty(0))
    if exact:
        return from_texts([event.ts for event in events])
    return valid(numbers([event.ts for event in events]))


def valid(times: F64) -> Moments:
    """``times`` that are valid; NaN for others."""
    if not np.abs(times).max(initial=0.0) < NEAR:
        times = np.where(np.abs(times) < TIME_LIMIT, times, np.nan)
    return Moments(times)


def too_large(moments: Moments) -> bool:
    """Whether times that were read as numbers must be read again from their text."""
    return moments.whole is None and bool(np.any(np.abs(moments.value) >= NEAR))


class TraceClock(Struct):
    """Converts the times of a trace. They are the numbers of the file, unless one exceeds NEAR or all lie far from
    zero: then they become steps of ``10**-decimals`` units relative to ``base``, so that differences are correct to the
    last digit of the file.
    ``settle`` chooses the final origin, and ``units`` converts times to the unit of the file, relative to it.
    """

    exact: bool = False
    base: int = 0
    decimals: int = 0
    _zero: float = 0.0

    @classmethod
    def of(cls, columns: Sequence[Times]) -> TraceClock:
        """The clock for ``columns``, of which none or all are exact, and which become plain steps."""
        exact = any(column.is_exact for column in columns)
        if not exact and not _far([column.array() for column in columns]):
            return cls()
        parts = [column.moments().exact() for column in columns]
        clock = cls(True, _base(parts, int(NEAR) if exact else 0), _decimals(parts))
        for column, moments in zip(columns, parts, strict=True):
            column.replace(clock._steps(moments))
        return clock

    def settle(self, times: F64) -> Decimal:
        """The exact origin in units: the earliest of ``times``. It stays 0 where no time is too large, and ``base``
        where the times span more steps than float64 can count."""
        if not self.exact:
            return Decimal(0)
        if len(times) and float(times.max() - times.min()) < _EXACT:
            self._zero = float(np.floor(times.min()))
        origin = Decimal(self.base) + Decimal(self._zero).scaleb(-self.decimals)
        return origin.quantize(Decimal(1)) if origin == origin.to_integral_value() else origin

    def units(self, times: F64) -> F64:
        """``times`` relative to the origin, in units; correctly rounded up to a difference of 2**53 steps."""
        return self.lengths(times - self._zero) if self.exact else times

    def lengths(self, steps: F64) -> F64:
        """Time differences in units."""
        return steps / 10**self.decimals if self.exact else steps

    def _steps(self, moments: Moments) -> F64:
        assert moments.whole is not None
        steps: F64 = (moments.whole - self.base).astype(np.float64)
        steps *= 10**self.decimals
        steps += moments.value / (PARTS // 10**self.decimals)
        return steps


def _far(columns: Sequence[F64]) -> bool:
    """Whether all times lie far from zero, on the same side."""
    known = [finite for column in columns if len(finite := column[np.isfinite(column)])]
    if not known:
        return False
    low, high = min(float(times.min()) for times in known), max(float(times.max()) for times in known)
    return low < high and is_far(low, high)


def _base(parts: Sequence[Moments], least: int) -> int:
    """The earliest of the times from ``least`` on."""
    earliest = []
    for moments in parts:
        assert moments.whole is not None
        large = moments.whole[np.isfinite(moments.value) & (np.abs(moments.whole) >= least)]
        earliest += [int(large.min())] if len(large) else []
    return min(earliest, default=0)


def _decimals(parts: Sequence[Moments]) -> int:
    """The number of digits behind the point that all times need."""
    rests = [moments.value[np.isfinite(moments.value)] for moments in parts]
    for decimals in range(_LEAST_DECIMALS, DECIMALS):
        step = PARTS // 10**decimals
        if all(bool(np.all(np.fmod(rest, step) == 0)) for rest in rests):
            return decimals
    return DECIMALS


def from_texts(texts: Sequence[Any]) -> Moments:
    """Times in the notation of the file, quoted or not; NaN where a text is not a valid time."""
    try:
        joined = _ENCODER.encode(texts)[1:-1] if type(texts[0]) is msgspec.Raw else b",".join(texts)
    except TypeError:  # rescued events have texts, or nothing
        joined = b""
    if b'"' in joined:
        joined = joined.replace(b'"', b"")
    plain = _from_digits(joined, len(texts))
    if plain is not None:
        return plain
    values = [_decimal(text) for text in texts]
    whole = [0 if value is None else math.floor(value) for value in values]
    rest = [
        math.nan if value is None else float((value - floor) * PARTS)
        for value, floor in zip(values, whole, strict=True)
    ]
    return Moments(np.array(rest, np.float64), np.array(whole, np.int64))


def _from_digits(text: bytes, count: int) -> Moments | None:
    """``count`` comma-separated numbers in plain notation (digits with at most one point); None where one has another
    notation, or more digits than fit into 64 bits."""
    if not text or text.translate(None, _DIGITS):
        return None
    decimals = _alike(text, count)
    if decimals is None:
        decimals = _decimals_of(text, count)
    if decimals is None:
        return None
    values = np.fromstring(text.replace(b".", b""), np.int64, sep=",")
    if len(values) != count or values.max() >= _TOO_LARGE:
        return None
    whole, rest = np.divmod(values, _POWERS[decimals])
    moments = Moments((rest * _POWERS[DECIMALS - decimals]).astype(np.float64), whole)
    if whole.max() >= TIME_LIMIT:
        moments.value[whole >= TIME_LIMIT] = np.nan
    return moments


def _alike(text: bytes, count: int) -> I64 | None:
    """int64[1]: the number of digits behind the point, if all numbers have the same number of digits before and behind
    it; else None."""
    width = (len(text) + 1) // count
    if width * count != len(text) + 1 or not 2 <= width <= _MOST_DIGITS + len(".,"):
        return None
    rows = np.frombuffer(text + b",", np.uint8).reshape(count, width)
    point = text.find(b".", 0, width - 1)
    points = 0 if point < 0 else count
    if text.count(b",") != count - 1 or text.count(b".") != points or not bool(np.all(rows[:, -1] == _COMMA)):
        return None
    if points and (point in (0, width - 2) or not bool(np.all(rows[:, point] == _POINT))):
        return None
    decimals = width - 2 - point if points else 0
    digits = width - 2 if points else width - 1
    return np.array([decimals]) if decimals <= DECIMALS and digits <= _MOST_DIGITS else None


def _decimals_of(text: bytes, count: int) -> I64 | None:
    """int64[count]: the number of digits behind the point of each number; None where one has more digits than can be
    handled, or several points."""
    characters = np.frombuffer(text, np.uint8)
    marks = np.flatnonzero(characters < ord("0"))
    dotted = characters[marks] == _POINT
    ends, dots = np.append(marks[~dotted], len(text)), marks[dotted]
    at = np.flatnonzero(dotted)
    owner = at - np.arange(len(at))  # as many commas are before it
    if len(ends) != count or bool(np.any(owner[1:] == owner[:-1])):
        return None
    decimals = np.zeros(count, np.int64)
    decimals[owner] = ends[owner] - dots - 1
    digits = np.diff(ends, prepend=-1) - 1
    digits[owner] -= 1
    if bool(np.any(digits <= decimals)) or digits.max() > _MOST_DIGITS or decimals.max() > DECIMALS:
        return None
    return decimals


def numbers(values: Sequence[Any]) -> F64:
    """float64[values]: ``values``, of which there is at least one; NaN for strings that are not numbers."""
    plain = _decoded_numbers(values) if isinstance(values[0], str) else values
    try:
        return np.fromiter(plain, np.float64, len(values))
    except (TypeError, ValueError):
        return np.array([number(value) for value in values], np.float64)


def _decoded_numbers(texts: Sequence[Any]) -> Iterable[Any]:
    """The numbers in ``texts``. As JSON, many at a time: that takes a quarter of the time of ``float``."""
    try:
        values = orjson.loads(f"[{','.join(texts)}]")
    except (TypeError, ValueError):
        return map(float, texts)
    return values if len(values) == len(texts) and set(map(type, values)) <= {int, float} else map(float, texts)


def _decimal(text: Any) -> Decimal | None:
    """The number in a text of the file, quoted or not; None where it is not a valid time."""
    plain = text if isinstance(text, str) else str(text) if isinstance(text, int) else _decoded(text)
    try:
        value = Decimal(plain.strip().strip('"').strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() and abs(value) < TIME_LIMIT else None


def _decoded(text: Any) -> str:
    """The text of a raw JSON value; "" for a missing time."""
    try:
        return str(bytes(text), "utf-8", "replace")
    except TypeError:
        return ""
