"""Times and durations of one timeline as people read them. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from app.analysis.timeline.places import zero_of
from app.language import tr
from app.profile.timeline import Timeline, TimeUnit
from app.widgets.units import MINUS, SECONDS, decimals_needed, duration, exact, plain, signed

if TYPE_CHECKING:
    from app.widgets.display import Look

PARTS = 100
"""Moments are written so precisely that so many differ in the view."""
FARTHEST = 1000


class TimeScale(Struct, frozen=True):
    """How the times of one view are written. ``factor``: units of the timeline in one of the unit shown, whose
    name is ``suffix``."""

    factor: float
    suffix: str
    decimals: int

    @classmethod
    def of(cls, low: float, high: float, finest: float, seconds: float | None) -> TimeScale:
        """For the view low..high (counted from the zero of times), so that moments ``finest`` apart read differently.
        The unit is the largest that fits the view, but no larger than a thousand of its widths."""
        if seconds is None:
            return cls(1.0, "", decimals_needed(finest))
        largest, span = max(abs(low), abs(high)), high - low
        amount = min(largest, FARTHEST * span) if span > 0 else largest
        fitting = [(size, name) for size, name in SECONDS if amount * seconds * 1.000001 >= size]
        size, name = fitting[-1] if fitting else SECONDS[0]
        return cls(size / seconds, name, decimals_needed(finest * seconds / size))

    def number(self, value: float) -> str:
        """Without the unit."""
        text = f"{value / self.factor:,.{self.decimals}f}"
        return text.lstrip("-") if float(text.replace(",", "")) == 0 else signed(text)

    def text(self, value: float) -> str:
        """With the unit; nothing at all is 0."""
        number = self.number(value)
        return f"{'0' if value == 0 else number} {self.suffix}".rstrip()


class Clock(Struct, frozen=True):
    """``seconds``: of one unit, None where no clock is known; ``zero``: the moment that times count from."""

    unit: TimeUnit
    seconds: float | None
    zero: float

    @classmethod
    def of(cls, timeline: Timeline, start: float, end: float) -> Clock:
        return cls.counted_from(timeline, zero_of(start, end))

    @classmethod
    def counted_from(cls, timeline: Timeline, zero: float) -> Clock:
        """The clock of a timeline whose times count from ``zero``."""
        return cls(timeline.unit, {"µs": 1e-6, "s": 1.0}.get(timeline.unit, timeline.seconds_per_unit), zero)

    def shown_seconds(self, look: Look) -> float | None:
        """Seconds in a unit where times are to be shown; None where cycles are."""
        return self.seconds if self.unit != "cycles" or look.cycles_as == "time" else None

    def span(self, length: float, look: Look) -> str:
        """A duration in three digits: ``12.3 µs``, ``1,234 cycles (772 ns)``."""
        seconds = self.shown_seconds(look)
        if seconds is not None:
            return duration(length * seconds)
        beside = f" ({duration(length * self.seconds)})" if self.seconds is not None else ""
        return tr("{length} cycles{beside}", length=plain(length), beside=beside)

    def short_span(self, length: float, look: Look) -> str:
        """The same where there is little room."""
        seconds = self.shown_seconds(look)
        return duration(length * seconds) if seconds is not None else tr("{value} cycles", value=plain(length))

    def exactly(self, length: float) -> str:
        """Every digit, in the file's own unit."""
        return exact(length, self.unit)

    def moment(self, time: float, look: Look, around: tuple[float, float], finest: float = 0.0) -> str:
        """A moment in a view, counted from zero, as precisely as the view shows it (``around``: its ends): 4.9132 ms in
        10 us. ``finest``: what must differ all the same."""
        return self._named(self._scale(around, finest, look), time)

    def stretch(self, start: float, end: float, look: Look) -> str:
        """Both ends of a view or range, in one unit, counted from zero: ``4.9132 – 4.9232 ms``."""
        scale = self._scale((start, end), 0.0, look)
        return f"{scale.number(start - self.zero)} – {self._named(scale, end)}"

    def _scale(self, around: tuple[float, float], finest: float, look: Look) -> TimeScale:
        low, high = (end - self.zero for end in around)
        known = [length for length in ((high - low) / PARTS, finest) if length > 0]
        seconds = self.shown_seconds(look)
        return TimeScale.of(low, high, min(known, default=0.0), seconds)

    def _named(self, scale: TimeScale, time: float) -> str:
        since = time - self.zero
        if scale.suffix:
            return scale.text(since)
        return tr("{value} cycles", value=plain(since) if since.is_integer() else scale.number(since))


UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0}


def parse(text: str, clock: Clock, look: Look) -> float | None:
    """A typed time or duration in units of the timeline, or None: ``12.5 us``, ``1,000 cycles``, ``40`` (in the unit
    shown by default: µs or s for times, cycles for cycles)."""
    words = text.strip().replace(",", "").replace(MINUS, "-")
    number = words.rstrip("abcdefghijklmnopqrstuvwxyzµμ ")
    unit = words[len(number) :].strip()
    try:
        value = float(number)
    except ValueError:
        return None
    if not abs(value) < 1e300:
        return None
    if unit in ("cycles", "cycle"):
        return value if clock.unit == "cycles" else None
    if not unit:
        if clock.unit == "cycles" and clock.shown_seconds(look) is not None:
            return value * 1e-6 / (clock.seconds or 1.0)
        return value
    if unit not in UNITS or clock.seconds is None:
        return None
    return value * UNITS[unit] / clock.seconds
