"""What reading and checking found, as a table."""

from __future__ import annotations

from app.analysis.table import Column, Table
from app.profile.profile import Profile


def make(profile: Profile) -> Table | None:
    """One row an issue; None for a profile without any."""
    if not profile.issues:
        return None
    return Table(
        "issues",
        "Issues",
        (
            Column("severity", "Severity", tuple(issue.severity for issue in profile.issues)),
            Column("where", "Where", tuple(issue.where for issue in profile.issues)),
            Column("text", "What", tuple(issue.text for issue in profile.issues)),
        ),
    )
