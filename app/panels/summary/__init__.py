"""The main figures of a profile as a page to read: the verdict first, then group by group."""

from __future__ import annotations

from app.panels.panel import PanelSpec
from app.panels.summary.panel import SummaryPanel

SPEC = PanelSpec(
    "summary",
    "Summary",
    SummaryPanel,
    (),
    "",
    "What matters most first, then the main figures of the profile. Each figure says in its tool tip where it comes "
    "from; Copy takes the whole page.",
)
