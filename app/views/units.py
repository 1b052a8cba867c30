"""Formats values for reading: three significant digits, the exact value in the tool tip.
Every function takes plain numbers; None and NaN are "no data" and never look like zero.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct

from app.analysis.digits import known
from app.language import tr

if TYPE_CHECKING:
    from app.analysis.table import Unit
    from app.views.look import Look

NO_DATA = "–"
MINUS = "−"
MOST_DECIMALS = 12
CYCLES = tr("cycles")
POINTS = tr("pp")
"""Percentage points."""

Cell: TypeAlias = str | int | float | bool | None
BytesAs: TypeAlias = Literal["KiB", "kB", "B"]
Steps: TypeAlias = tuple[tuple[float, str], ...]

SECONDS: Steps = ((1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))
TIMES: dict[str, float] = {"s": 1.0, "µs": 1e-6, "ns": 1e-9}
"""Units of time that a column may have, in seconds."""
ROUND: dict[str, float] = {"s": 1.0, "µs": 1e6, "ns": 1e9}
"""How many of each make a second."""
HERTZ: Steps = ((1.0, "Hz"), (1e3, "kHz"), (1e6, "MHz"), (1e9, "GHz"))
BINARY: Steps = tuple((1024.0**power, name) for power, name in enumerate(("B", "KiB", "MiB", "GiB", "TiB", "PiB")))
DECIMAL: Steps = tuple((1000.0**power, name) for power, name in enumerate(("B", "kB", "MB", "GB", "TB", "PB")))
PLAIN_BYTES: Steps = ((1.0, "B"),)
BYTES: dict[BytesAs, Steps] = {"KiB": BINARY, "kB": DECIMAL, "B": PLAIN_BYTES}


class Scale(Struct, frozen=True):
    """One unit and one number of decimals for a whole column or axis."""

    factor: float
    suffix: str
    decimals: int

    def number(self, value: float | None) -> str:
        """The value without its unit; a non-zero value never reads as zero ("<0.01")."""
        if no_data(value):
            return NO_DATA
        assert value is not None
        scaled = value / self.factor
        smallest = 10.0**-self.decimals
        if 0 < abs(scaled) < smallest / 2:
            return ("<" if scaled > 0 else f">{MINUS}") + f"{smallest:.{self.decimals}f}"
        return signed(f"{scaled:,.{self.decimals}f}")

    def text(self, value: float | None) -> str:
        """The value with its unit."""
        return NO_DATA if no_data(value) else f"{self.number(value)} {self.suffix}".rstrip()


def format_value(value: Cell, unit: Unit, look: Look | None = None, clock_hz: float | None = None) -> str:
    """A single value with its unit: ``1.18 MiB``, ``1,234 cycles``, ``12.3 µs``, ``41.0 %``.

    ``clock_hz`` converts cycles to time when the look asks for it. Texts are returned unchanged.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if value is None or no_data(value):
        return NO_DATA
    if unit == "B":
        return size(value, look.bytes_as if look else "KiB")
    if unit == "cycles":
        return cycles(value, look, clock_hz)
    if unit in TIMES:
        return duration(value * TIMES[unit])
    if unit == "%":
        return percent(value)
    if unit == "pp":
        return scale_for(value, unit).text(value)
    if unit == "Hz":
        return scaled(value, HERTZ)
    return f"{plain(value)} {unit}".rstrip()


def change(value: float | None, unit: Unit, look: Look | None = None, clock_hz: float | None = None) -> str:
    """The difference of two figures in ``unit`` with its sign: ``+1.18 MiB``, ``−12.3 µs``; ``0 B`` has none. Two
    percentages differ in points: ``+4.0 pp``."""
    from app.analysis.table import difference_unit  # imports numpy, which the window's first figures do not need

    return _with_plus(value, format_value(value, difference_unit(unit), look, clock_hz))


def percent_change(difference: float, before: float) -> str:
    """A difference in percent of the figure before, which is not 0: ``+6.7 %``."""
    return signed_percent(100 * difference / abs(before))


def signed_percent(value: float) -> str:
    """A percentage with its sign: ``+6.7 %``; ``0.0 %`` has none."""
    return _with_plus(value, percent(value))


def _with_plus(value: float | None, text: str) -> str:
    if value is None or not value > 0:
        return text
    return f"<+{text[1:]}" if text.startswith("<") else f"+{text}"


def exact(value: Cell, unit: str, *, finest: float = 0.0, reach: float = 0.0, stored: bool = False) -> str:
    """The value with all known digits (for a ``stored`` value, all digits of the file), in its own unit, for tool tips.
    ``finest`` and ``reach`` as in Column."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if value is None or no_data(value):
        return tr("no data")
    if isinstance(value, float) and math.isfinite(value) and not stored:
        value = known(value, finest, reach)
    shown = f"{value:,}" if isinstance(value, int) or math.isinf(value) else f"{Decimal(repr(value)).normalize():,f}"
    return f"{signed(shown)} {unit_word(unit)}".rstrip()


def unit_word(unit: str) -> str:
    """``unit`` as it is shown: some are words."""
    return CYCLES if unit == "cycles" else POINTS if unit == "pp" else unit


def duration(seconds: float) -> str:
    """A time in the largest unit that leaves three digits: ``456 ns``, ``12.3 µs``, ``1.23 s``."""
    return scaled(seconds, SECONDS)


def size(value: float, bytes_as: BytesAs = "KiB") -> str:
    """Bytes with three digits; exact below one KiB."""
    return scaled(value, BYTES[bytes_as], whole_first=True)


def cycles(value: float, look: Look | None = None, clock_hz: float | None = None) -> str:
    """Cycles with separators, or their duration if the look asks for time and the clock is known."""
    if look is not None and look.cycles_as == "time" and clock_hz:
        return duration(value / clock_hz)
    return tr("{value} cycles", value=plain(value))


def cycles_and_time(value: float, clock_hz: float | None) -> str:
    """Cycles with their duration if the clock is known: ``1,234,567 cycles (770 µs)``."""
    return tr("{value} cycles", value=plain(value)) + (f" ({duration(value / clock_hz)})" if clock_hz else "")


def percent(value: float) -> str:
    """A percentage with one decimal; a small non-zero value is not ``0.0 %``. The caller states what it is a share
    of."""
    return Scale(1.0, "%", 1).text(value)


def plain(value: float) -> str:
    """A number without unit: integers exactly, others with at least three digits."""
    if isinstance(value, int) or (math.isfinite(value) and float(value).is_integer() and abs(value) < 2**53):
        return signed(f"{int(value):,}")
    return three_digits(value)


def scaled(value: float, steps: Steps, *, whole_first: bool = False) -> str:
    """``value`` in the largest unit of ``steps`` in which it is at least 1, with three digits."""
    if no_data(value):
        return NO_DATA
    amount = abs(value)
    place = max((i for i, (factor, _) in enumerate(steps) if amount >= factor), default=0)
    if place + 1 < len(steps) and math.isfinite(value):  # 999.96 ns rounds to 1.00 µs; 1,023 KiB stays
        shown = amount / steps[place][0]
        shown = round(shown) if shown >= 1000 else float(f"{shown:.3g}")
        place += shown * steps[place][0] >= steps[place + 1][0] * (1 - 1e-12)
    factor, name = steps[place]
    if value == 0 or (whole_first and place == 0):
        return f"{plain(value)} {name}"
    if amount / factor >= 1000:
        return tr(
            "{signed} {name}",
            signed=signed(f"{value / factor:,.0f}") if math.isfinite(value) else three_digits(value),
            name=name,
        )
    return f"{three_digits(value / factor)} {name}"


def scale_for(largest: float, unit: Unit, look: Look | None = None, clock_hz: float | None = None) -> Scale:
    """One scale for a column or axis whose largest amount is ``largest``."""
    if unit in ("%", "pp"):
        return Scale(1.0, unit_word(unit), 1)
    if unit == "cycles" and look is not None and look.cycles_as == "time" and clock_hz:
        step = scale_for(largest / clock_hz, "s")
        return Scale(step.factor * clock_hz, step.suffix, step.decimals)
    steps: Steps = ((1.0, unit),)
    if unit == "B":
        steps = BYTES[look.bytes_as if look else "KiB"]
    elif unit in TIMES:
        shift = ROUND[unit]
        steps = tuple((factor * shift, name) for factor, name in SECONDS)
    elif unit == "Hz":
        steps = HERTZ
    amount = abs(largest) if math.isfinite(largest) else 1.0
    factor, name = next((step for step in reversed(steps) if amount >= step[0]), steps[0])
    name = unit_word(name)
    whole = unit in ("B", "cycles") and factor == 1.0
    return Scale(factor, name, 0 if whole else decimals_for(amount / factor))


def decimals_needed(step: float) -> int:
    """Number of decimals that distinguishes amounts ``step`` apart: 0 for 1 and more, 2 for 0.05. Determines the digits
    of every tick and timestamp."""
    return min(max(0, math.ceil(-math.log10(step) - 1e-9)), MOST_DECIMALS) if step > 0 and math.isfinite(step) else 0


def place(value: float, unit: Unit, finest: float, look: Look | None = None, clock_hz: float | None = None) -> str:
    """A position (in time, on an axis) with enough digits to distinguish it from one that is ``finest`` (in its unit)
    away."""
    scale = scale_for(value, unit, look, clock_hz)
    if value == 0 or (scale.factor == 1.0 and float(value).is_integer()):
        return f"{plain(value)} {scale.suffix}".rstrip()
    decimals = max(scale.decimals, decimals_needed(finest / scale.factor))
    return Scale(scale.factor, scale.suffix, decimals).text(value)


def decimals_for(amount: float) -> int:
    """Number of decimals that leaves three digits of ``amount`` (at most three)."""
    return 0 if amount >= 100 else 1 if amount >= 10 else 2 if amount >= 1 else 3


def three_digits(value: float) -> str:
    """A number with three significant digits; in scientific notation only for extreme values."""
    if not math.isfinite(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    rounded = abs(float(f"{value:.3g}"))
    if not rounded:
        return "0"
    if not 1e-4 <= rounded < 1e15:
        return signed(f"{value:.2e}")
    return signed(f"{value:,.{max(0, 2 - math.floor(math.log10(rounded)))}f}")


def signed(text: str) -> str:
    """``text`` with a true minus sign, which is as wide as a plus."""
    return text.replace("-", MINUS, 1) if text.startswith("-") else text


def no_data(value: float | None) -> bool:
    return value is None or value != value
