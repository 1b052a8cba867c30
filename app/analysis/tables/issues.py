"""What reading and checking found, as a table."""

from __future__ import annotations

from typing import get_args

from app.analysis.table import Column, Table
from app.language import tr
from app.profile.issue import Severity
from app.profile.profile import Profile

SEVERITIES: tuple[Severity, ...] = get_args(Severity)


def make(profile: Profile) -> Table | None:
    """One row per issue, errors first; None for a profile without any."""
    if not profile.issues:
        return None
    issues = sorted(profile.issues, key=lambda issue: SEVERITIES.index(issue.severity))
    return Table(
        "issues",
        tr("Issues"),
        (
            Column("severity", tr("Severity"), tuple(issue.severity for issue in issues)),
            Column("text", tr("Issue"), tuple(issue.text for issue in issues)),
            Column("where", tr("Where"), tuple(issue.where for issue in issues)),
        ),
    )
