"""What the rules say about a profile, with evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.findings.panel import FindingsPanel


def _load() -> type[FindingsPanel]:
    from app.panels.findings.panel import FindingsPanel

    return FindingsPanel


SPEC = PanelSpec(
    "findings",
    tr("Findings"),
    _load,
    (),
    "",
    tr(
        "What costs time or memory, by rules over the figures of the profile. Each finding names its evidence and an "
        "upper bound of what it could save; a click on the evidence selects it in all panels."
    ),
    words=("advice", "bottleneck", "why slow", "rules", "expert"),
)
