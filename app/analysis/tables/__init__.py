"""Every table of every panel, by name: the list that panels, `tables` and `export` share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from app.analysis.table import Table
from app.analysis.tables import issues, popef_blobs, popef_data, popef_metadata
from app.profile.profile import Profile

Made: TypeAlias = Table | Sequence[Table] | None


@dataclass(frozen=True, slots=True)
class TableSpec:
    """``make`` gives None when the profile has nothing for it; it must answer quickly in that case.
    A spec that makes several tables (one per memory block, say) gives them all, named ``id/part``."""

    id: str
    title: str
    make: Callable[[Profile], Made]

    def tables(self, profile: Profile) -> tuple[Table, ...]:
        """What ``make`` gives, as none, one or several."""
        made = self.make(profile)
        if made is None:
            return ()
        return (made,) if isinstance(made, Table) else tuple(made)


TABLES: tuple[TableSpec, ...] = (
    TableSpec("issues", "Issues", issues.make),
    TableSpec("blobs", "Blobs", popef_blobs.blobs),
    TableSpec("executables", "Executables", popef_blobs.executables),
    TableSpec("anchors", "Anchors", popef_data.anchors),
    TableSpec("tensors", "Tensors", popef_data.tensors),
    TableSpec("feeds", "Feeds", popef_data.feeds),
    TableSpec("opaques", "Opaque blobs", popef_blobs.opaques),
    TableSpec("metadata", "Metadata", popef_metadata.metadata),
    TableSpec("options", "Options", popef_metadata.options),
    TableSpec("programs-map", "Programs", popef_metadata.programs),
)


def available(profile: Profile) -> list[Table]:
    """All tables that this profile fills."""
    return [table for spec in TABLES for table in spec.tables(profile)]


def by_id(profile: Profile, table_id: str) -> Table | None:
    """The table of that name, or None. Only the spec that makes it is asked."""
    for spec in TABLES:
        if table_id == spec.id or table_id.startswith(f"{spec.id}/"):
            for table in spec.tables(profile):
                if table.id == table_id:
                    return table
    return None
