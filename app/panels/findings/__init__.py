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
        "What costs time or memory, according to rules over the figures of the profile. Each "
        "finding states its evidence and an upper bound of the saving. Click the evidence to "
        "select it in all panels."
    ),
    words=("advice", "bottleneck", "why slow", "rules", "expert"),
)
