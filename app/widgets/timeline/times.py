"""Times and durations of one timeline as people read them. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.profile.timeline import Timeline, TimeUnit
from app.widgets.units import MINUS, duration, exact, plain

if TYPE_CHECKING:
    from app.widgets.display import Look

FAR = 4.0
"""A timeline that starts more than so many of its lengths after zero (time of day, say) is told from its start."""


@dataclass(frozen=True, slots=True)
class Clock:
    """``seconds``: of one unit, None where no clock is known; ``zero``: the moment that times are told from."""

    unit: TimeUnit
    seconds: float | None
    zero: float

    @classmethod
    def of(cls, timeline: Timeline, start: float, end: float) -> Clock:
        known = {"us": 1e-6, "s": 1.0}.get(timeline.unit, timeline.seconds_per_unit)
        return cls(timeline.unit, known, start if abs(start) > FAR * (end - start) else 0.0)

    def shown_seconds(self, look: Look) -> float | None:
        """Seconds in a unit where times are to be shown; None where cycles are."""
        return self.seconds if self.unit != "cycles" or look.cycles_as == "time" else None

    def span(self, length: float, look: Look) -> str:
        """A duration in three digits: ``12.3 µs``, ``1,234 cycles (772 ns)``."""
        seconds = self.shown_seconds(look)
        if seconds is not None:
            return duration(length * seconds)
        beside = f" ({duration(length * self.seconds)})" if self.seconds is not None else ""
        return f"{plain(length)} cycles{beside}"

    def short_span(self, length: float, look: Look) -> str:
        """The same where there is little room."""
        seconds = self.shown_seconds(look)
        return duration(length * seconds) if seconds is not None else f"{plain(length)} cycles"

    def exactly(self, length: float) -> str:
        """Every digit, in the file's own unit."""
        return exact(length, self.unit)

    def moment(self, time: float, look: Look) -> str:
        """A moment, told from zero."""
        return self.short_span(time - self.zero, look)


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
