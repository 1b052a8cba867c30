"""The main figures of a profile as a page: the verdict first, then group by group."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.summary.panel import SummaryPanel


def _load() -> type[SummaryPanel]:
    from app.panels.summary.panel import SummaryPanel

    return SummaryPanel


SPEC = PanelSpec(
    "summary",
    tr("Summary"),
    _load,
    (),
    "",
    tr(
        "The most important findings, then the main figures of the profile. Tool tips state the "
        "source of each figure. Copy copies the whole page."
    ),
    words=("overview", "dashboard", "verdict", "metrics"),
)
