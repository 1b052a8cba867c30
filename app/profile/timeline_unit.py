"""In which unit the times of a timeline count: as its reader determined it, or as the user set it by hand."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from app.profile.chosen_unit import ChosenUnit
from app.profile.timeline import TimeBasis, Timeline, TimeUnit

SECONDS: Final[dict[TimeUnit, float]] = {"ns": 1e-9, "µs": 1e-6, "s": 1.0}


def can_choose(timeline: Timeline | None) -> bool:
    """Whether the unit may be set by hand: traces do not state it, while steps and events of other formats do."""
    return timeline is not None and timeline.basis != "format"


def in_unit(timeline: Timeline, chosen: ChosenUnit | None) -> Timeline:
    """``timeline`` with its times, unchanged, in the unit ``chosen``; None for the unit that its reader determined. All
    figures follow, because none of them converts times in any other way. A timeline whose format states its unit is
    returned unchanged."""
    if not can_choose(timeline):
        return timeline
    own = timeline.read_in or TimeBasis(timeline.unit, timeline.seconds_per_unit, timeline.basis)
    if chosen is None:
        return replace(timeline, unit=own.unit, seconds_per_unit=own.seconds_per_unit, basis=own.basis, read_in=None)
    seconds = SECONDS.get(chosen.unit, 1 / chosen.clock_hz if chosen.clock_hz else None)
    return replace(timeline, unit=chosen.unit, seconds_per_unit=seconds, basis="hand", read_in=own)
