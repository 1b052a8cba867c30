"""Parses the times of a trace without loss of precision, even where they are too large for float64."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from decimal import Context, Decimal, InvalidOperation
from operator import attrgetter
from typing import Any, Final

import numpy as np

from app.formats.ascend_trace.event import Event, number
from app.profile.arrays import F64, I64

NEAR: Final = 2.0**33
"""Up to this (two hours of microseconds) a float64 resolves picoseconds. Timestamps since 1970 are larger: there
float64 values are 0.25 us apart, and finer digits exist only in the text."""
TIME_LIMIT: Final = 1e18
"""Times beyond this (30,000 years of microseconds) are invalid."""

_LEAST_DECIMALS, _MOST_DECIMALS = 3, 9
_POWERS = 10 ** np.arange(_MOST_DECIMALS + 1, dtype=np.int64)
_EXACT: Final = 2.0**53
_MOST_DIGITS, _TOO_LARGE = 19, 9 * 10**18
_ENOUGH = Context(prec=60)
_DIGITS = b"0123456789.,"
_TIME = attrgetter("ts")


class TraceClock:
    """Reads the times of events as float64, NaN where an event has none.

    At first times are the numbers of the file. When a time exceeds NEAR, ``start`` switches to steps of ``1 / steps``
    units relative to the integer ``base``: integers again, so nothing is lost. ``settle`` chooses the final origin, and
    ``units`` converts times to the unit of the file, relative to that origin.
    """

    def __init__(self) -> None:
        self.exact = False
        self.base = 0
        self.steps = 1
        self._decimals = 0
        self._zero = 0.0

    def times(self, events: Sequence[Event]) -> F64:
        """float64[events]: the times. After ``start``, ``ts`` must be the text in the file."""
        if self.exact:
            return self._from_texts(list(map(_TIME, events)))
        times = numbers(_TIME, events)
        if not np.abs(times).max(initial=0.0) < NEAR:
            times[~(np.abs(times) < TIME_LIMIT)] = np.nan
        return times

    def too_large(self, times: F64) -> bool:
        """Whether ``times``, read as numbers, must be read again from their text."""
        return not self.exact and bool(len(times)) and float(np.fmax.reduce(np.abs(times))) >= NEAR

    def start(self, events: Sequence[Event]) -> None:
        """Chooses base and steps from the first events with a time beyond NEAR; their ``ts`` are text."""
        values = [value for event in events if (value := _decimal(event.ts)) is not None]
        longest = max(-int(value.as_tuple().exponent) for value in values)
        self.exact = True
        self.base = math.floor(next((value for value in values if abs(value) >= NEAR), values[-1]))
        self._decimals = min(max(longest, _LEAST_DECIMALS), _MOST_DECIMALS)
        self.steps = 10**self._decimals

    def restated(self, times: F64) -> F64:
        """float64[n]: steps for times, none beyond NEAR, that were read as numbers before ``start``."""
        steps = (times - self.base) * self.steps
        whole = np.rint(steps)
        result: F64 = np.where(np.abs(steps - whole) < 0.01, whole, steps)
        return result

    def settle(self, times: F64) -> Decimal:
        """The exact origin in units: the earliest of ``times``. It stays 0 where no time is too large, and ``base``
        where the times span more steps than float64 can count."""
        if not self.exact:
            return Decimal(0)
        if len(times) and float(times.max() - times.min()) < _EXACT:
            self._zero = float(np.floor(times.min()))
        origin = Decimal(self.base) + Decimal(self._zero).scaleb(-self._decimals)
        return origin.quantize(Decimal(1)) if origin == origin.to_integral_value() else origin

    def units(self, times: F64) -> F64:
        """``times`` relative to the origin, in units; correctly rounded up to a difference of 2**53 steps."""
        return self.lengths(times - self._zero) if self.exact else times

    def lengths(self, steps: F64) -> F64:
        """Time differences in units."""
        return steps / self.steps if self.exact else steps

    def _from_texts(self, texts: Sequence[Any]) -> F64:
        try:
            joined = b",".join(texts).replace(b'"', b"")
        except TypeError:  # an event without a time has no text
            joined = b""
        steps = self._from_digits(joined, len(texts))
        return np.array([self._from_any(text) for text in texts], np.float64) if steps is None else steps

    def _from_digits(self, text: bytes, count: int) -> F64 | None:
        """float64[count]: the steps of comma-separated numbers in plain notation (digits with at most one point); None
        where one has another notation, or more digits than fit into 64 bits."""
        if not text or text.translate(None, _DIGITS):
            return None
        characters = np.frombuffer(text, np.uint8)
        marks = np.flatnonzero(characters < ord("0"))
        dotted = characters[marks] == ord(".")
        ends, dots = np.append(marks[~dotted], len(text)), marks[dotted]
        owner = np.searchsorted(ends, dots)
        if len(ends) != count or bool(np.any(owner[1:] == owner[:-1])):
            return None
        decimals = np.zeros(count, np.int64)
        decimals[owner] = ends[owner] - dots - 1
        digits = np.diff(ends, prepend=-1) - 1
        digits[owner] -= 1
        if bool(np.any(digits <= decimals)) or digits.max() > _MOST_DIGITS or decimals.max() > _MOST_DECIMALS:
            return None
        values = np.fromstring(text.replace(b".", b""), np.int64, sep=",")
        return self._from_parts(values, decimals) if values.max() < _TOO_LARGE else None

    def _from_parts(self, values: I64, decimals: I64) -> F64:
        """float64[n]: the steps of ``values / 10**decimals``."""
        whole, rest = np.divmod(values, _POWERS[decimals])
        short = self._decimals - decimals
        parts = rest * _POWERS[np.maximum(short, 0)] / _POWERS[np.maximum(-short, 0)]
        steps: F64 = (whole - self.base).astype(np.float64) * self.steps + parts
        steps[whole >= TIME_LIMIT] = np.nan
        return steps

    def _from_any(self, text: Any) -> float:
        value = _decimal(text)
        if value is None:
            return math.nan
        return float(_ENOUGH.multiply(_ENOUGH.subtract(value, Decimal(self.base)), Decimal(self.steps)))


def numbers(field: Callable[[Event], Any], events: Sequence[Event]) -> F64:
    """float64[events]: a field of each event; NaN for strings that are not numbers."""
    try:
        return np.fromiter(map(field, events), np.float64, len(events))
    except ValueError:
        return np.array([number(field(event)) for event in events], np.float64)


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
    return "" if isinstance(text, float) else bytes(text).decode("utf-8", "replace")
