"""Changes that are no amounts, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.compare.changes import HOW_TITLES, Change
from app.analysis.compare.overview.texts import coded
from app.analysis.table import Column, Table
from app.language import tr


def changed(changes: Sequence[Change]) -> Table:
    """One row for each change."""
    columns = (
        Column("name", tr("Item"), coded(change.name for change in changes), role="name"),
        Column("how", tr("Change"), coded(HOW_TITLES[change.how] for change in changes), role="kind"),
        Column("table", tr("Table"), coded(change.title for change in changes), role="kind"),
        Column("column", tr("Column"), coded(change.column for change in changes), role="kind"),
        Column("before", tr("Baseline"), coded(change.before for change in changes)),
        Column("after", tr("Comparison"), coded(change.after for change in changes)),
    )
    return Table("comparison-changes", tr("Other changes"), columns)
