"""Whether what findings rest on is there."""

from __future__ import annotations

from app.analysis.findings.finding import Evidence
from app.analysis.kinds import traits_of
from app.analysis.table import row_with
from app.analysis.tables import by_id
from app.language import untranslated
from app.profile.profile import Profile


def leads_somewhere(profile: Profile, evidence: Evidence) -> bool:
    """Whether the thing, the table and the row exist."""
    if evidence.selection is not None:
        traits = traits_of(profile, evidence.selection.kind)
        return not traits or all(0 <= index < len(traits[0].values) for index in evidence.selection.indices)
    if evidence.table in ("", "issues"):
        return True
    table = by_id(profile, evidence.table)
    if table is None:
        return False
    row = evidence.row if evidence.row >= 0 or not evidence.key else row_with(table, untranslated(evidence.key))
    return row < table.rows and (row >= 0 or not evidence.key)
