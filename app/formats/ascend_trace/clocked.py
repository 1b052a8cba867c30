"""The clock of a timeline in cycles."""

from __future__ import annotations

from msgspec.structs import replace

from app.profile.ascend import Operator
from app.profile.profile import Target
from app.profile.task_time import task_time
from app.profile.timeline import Timeline


def clocked(timeline: Timeline, operator: Operator | None, target: Target | None) -> Timeline:
    """A timeline in cycles with the clock of the profile, if it is as long as the operator by that clock (Ascend
    operator reports, section 5, rule 4); any other unchanged."""
    if timeline.basis != "words":
        return timeline
    length = task_time(timeline, operator, target)
    if length is None or length.longer or not length.clock_hz:
        return timeline
    return replace(timeline, seconds_per_unit=1 / length.clock_hz)
