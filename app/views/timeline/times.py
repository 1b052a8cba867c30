"""Times and durations of one timeline as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from app.language import tr
from app.profile.timeline import Timeline, TimeUnit
from app.views.units import MINUS, SECONDS, decimals_needed, duration, exact, plain, signed

if TYPE_CHECKING:
    from app.views.look import Look

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
        """For the view low..high, so that moments ``finest`` apart read differently.
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
    """``seconds``: of one unit, None where no clock is known; ``by_hand``: the user set the unit."""

    unit: TimeUnit
    seconds: float | None
    by_hand: bool = False

    @classmethod
    def of(cls, timeline: Timeline) -> Clock:
        return cls(timeline.unit, timeline.seconds_per_unit, timeline.basis == "hand")

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
        """Every digit, in the unit of the timeline."""
        return self.marked(exact(length, self.unit))

    def marked(self, text: str) -> str:
        """``text`` with a mark where the user set the unit of times."""
        return tr("{text}, unit set manually", text=text) if self.by_hand else text

    def moment(self, time: float, look: Look, around: tuple[float, float], finest: float = 0.0) -> str:
        """A moment in a view, as precisely as the view shows it (``around``: its ends): 4.9132 ms in
        10 us. ``finest``: what must differ all the same."""
        return self._named(self._scale(around, finest, look), time)

    def stretch(self, start: float, end: float, look: Look) -> str:
        """Both ends of a view or range, in one unit: ``4.9132 – 4.9232 ms``."""
        scale = self._scale((start, end), 0.0, look)
        return f"{scale.number(start)} – {self._named(scale, end)}"

    def _scale(self, around: tuple[float, float], finest: float, look: Look) -> TimeScale:
        low, high = around
        known = [length for length in ((high - low) / PARTS, finest) if length > 0]
        seconds = self.shown_seconds(look)
        return TimeScale.of(low, high, min(known, default=0.0), seconds)

    def _named(self, scale: TimeScale, time: float) -> str:
        if scale.suffix:
            return scale.text(time)
        return tr("{value} cycles", value=plain(time) if float(time).is_integer() else scale.number(time))


UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0}


def parse(text: str, clock: Clock, look: Look) -> float | None:
    """A typed time or duration in units of the timeline, or None: ``12.5 us``, ``1,000 cycles``, ``40`` (in the unit
    of the timeline; µs where cycles are shown as time)."""
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
