"""Everything that a profile holds, as tables to view, copy and export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.tables.panel import TablesPanel


def _load() -> type[TablesPanel]:
    from app.panels.tables.panel import TablesPanel

    return TablesPanel


SPEC = PanelSpec(
    "tables",
    tr("Tables"),
    _load,
    (),
    "",
    tr(
        "Every table of this profile: click a header to sort, filter, copy rows, export. The "
        "other panels highlight what is selected here."
    ),
    words=("data", "rows", "export", "CSV"),
)
