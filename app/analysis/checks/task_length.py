"""A timeline that is longer than the task it should show (Ascend operator reports, section 5, rule 3): reported with
both figures, its times are never rescaled."""

from __future__ import annotations

from app.language import tr
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.profile.task_time import TaskTime, task_time


def check(profile: Profile) -> list[Issue]:
    """At most one issue."""
    length = longer(profile)
    if length is None:
        return []
    text = tr(
        "the timeline is {times} times as long as the operator ({span} µs, {duration} µs): it is from another run or "
        "in another unit; times are shown as stored",
        times=f"{length.times:,.1f}",
        span=f"{length.seconds * 1e6:,.2f}",
        duration=f"{length.task * 1e6:,.2f}",
    )
    pieces = None if profile.timeline is None else profile.timeline.pieces
    paths = profile.origin.paths
    file = paths[0 if pieces is None else pieces.file].name if paths else profile.name
    return [Issue("warning", f"{file}: {tr('timeline')}", text)]


def longer(profile: Profile) -> TaskTime | None:
    """Both lengths where the timeline is too long; else None."""
    length = task_time(profile.timeline, profile.operator, profile.target, profile.report_tables)
    return length if length is not None and length.longer else None
