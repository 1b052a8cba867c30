"""SQL over the tables of the profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.query.panel import QueryPanel


def _load() -> type[QueryPanel]:
    from app.panels.query.panel import QueryPanel

    return QueryPanel


SPEC = PanelSpec(
    "query",
    tr("Query"),
    _load,
    (),
    "",
    tr(
        "SQL over the tables of this profile, and of the baseline as baseline.NAME. Ctrl+Enter "
        "runs the statement. Examples has queries for this profile. Click a row with the number "
        "of an item to select it in all panels."
    ),
    words=("SQL", "DuckDB", "select", "statement", "database"),
)
