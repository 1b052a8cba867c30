"""The tables of the critical path and of waits, where a profile may have them: what makes them is imported then."""

from __future__ import annotations

from typing import Final

from app.analysis.table import Table
from app.analysis.time.available import why_not
from app.profile.profile import Profile

MANY: Final = 20_000
"""Slices from which on the model of time takes some 50 ms or more."""


def slow(profile: Profile) -> bool:
    """Whether the tables may be there, but take long to make."""
    line = profile.timeline
    if line is None or len(line.slices.start) <= MANY or why_not(profile):
        return False
    from app.analysis.time.model import is_made

    return not is_made(profile)


def path(profile: Profile) -> Table | None:
    """One row per piece of the critical path."""
    if profile.timeline is None or why_not(profile):
        return None
    from app.analysis.tables import time_model

    return time_model.path_table(profile)


def path_of_core(profile: Profile, table_id: str) -> Table | None:
    """The same of one core by itself, ``critical-path/CORE``."""
    if profile.timeline is None or why_not(profile):
        return None
    from app.analysis.tables import time_model

    return time_model.path_of_core(profile, table_id)


def waits(profile: Profile) -> Table | None:
    """One row per lane, what it waited for, and where."""
    if profile.timeline is None or why_not(profile):
        return None
    from app.analysis.tables import time_model

    return time_model.waits_table(profile, profile.timeline)
