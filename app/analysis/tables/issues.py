"""What reading and checking found, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import numpy as np

from app.analysis.table import Column, Table
from app.language import tr
from app.profile.issue import Severity
from app.profile.profile import Profile

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

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
            Column("text", tr("What"), tuple(issue.text for issue in issues)),
            Column("where", tr("Where"), tuple(issue.where for issue in issues)),
        ),
    )


def compared(comparison: Comparison) -> Table | None:
    """The issues of both, those that only one side has first, and where each was reported; None without any."""
    from app.analysis.compare.as_table import STATUS, as_table  # imports this module
    from app.analysis.compare.compared import BOTH

    made = comparison.table("issues")
    if made is None:
        return None
    order = np.argsort(made.status == BOTH, kind="stable")
    whole = as_table(made, order)
    columns = {column.key: column for column in whole.columns}
    wanted = [columns[key] for key in ("severity", "text", "where", STATUS)]
    return Table(whole.id, whole.title, tuple(wanted))
