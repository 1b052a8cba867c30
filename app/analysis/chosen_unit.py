"""Sets the unit of a timeline's times by hand."""

from __future__ import annotations

from msgspec.structs import replace

from app.analysis.checks import task_length
from app.profile.file_state import ChosenUnit
from app.profile.profile import Profile
from app.profile.timeline import can_choose, in_unit


def with_unit(profile: Profile, chosen: ChosenUnit | None) -> Profile:
    """The profile with the times of its timeline in the unit that the user set (None: in the one its reader
    determined). Cycles without a frequency are those of the profile's clock, if it has one. Issues about the length
    of the timeline follow."""
    timeline = profile.timeline
    if timeline is None or not can_choose(timeline):
        return profile
    if chosen is not None and chosen.unit == "cycles" and not chosen.clock_hz and profile.target is not None:
        chosen = ChosenUnit("cycles", profile.target.clock_hz)
    made = replace(profile, timeline=in_unit(timeline, chosen))
    before, after = task_length.check(profile), task_length.check(made)
    if before == after:
        return made
    issues = list(made.issues)
    known = [issues.index(issue) for issue in before if issue in issues]
    if before and not known:  # they come at the end of reading, and have not arrived
        return made
    place = known[0] if known else len(issues)
    rest = [issue for issue in issues if issue not in before]
    return replace(made, issues=(*rest[:place], *after, *rest[place:]))
