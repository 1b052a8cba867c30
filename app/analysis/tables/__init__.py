"""Every table of every panel, by name: the list that panels, `tables` and `export` share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.analysis.table import Table
from app.analysis.tables import issues
from app.profile.profile import Profile


@dataclass(frozen=True, slots=True)
class TableSpec:
    """``make`` gives None when the profile has nothing for it; it must answer quickly in that case.
    A spec that makes several tables (one per memory block, say) names them ``id/part``."""

    id: str
    title: str
    make: Callable[[Profile], Table | None]


TABLES: tuple[TableSpec, ...] = (TableSpec("issues", "Issues", issues.make),)


def available(profile: Profile) -> list[Table]:
    """All tables that this profile fills."""
    made = (spec.make(profile) for spec in TABLES)
    return [table for table in made if table is not None]


def by_id(profile: Profile, table_id: str) -> Table | None:
    """The table of that name, or None."""
    for spec in TABLES:
        if spec.id == table_id:
            return spec.make(profile)
    return None
