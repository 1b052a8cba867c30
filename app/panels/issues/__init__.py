"""Problems reported by the reader and by the consistency checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.issues.panel import IssuesPanel


def _load() -> type[IssuesPanel]:
    from app.panels.issues.panel import IssuesPanel

    return IssuesPanel


SPEC = PanelSpec(
    "issues",
    tr("Issues"),
    _load,
    (),
    tr("a problem that the reader or a check reports"),
    tr(
        "Problems reported by the reader and the consistency checks: what could not be read, "
        "what is contradictory, and where."
    ),
    also=("issues",),
    needs=lambda profile: bool(profile.issues),
    words=("warnings", "errors", "problems", "diagnostics"),
)
