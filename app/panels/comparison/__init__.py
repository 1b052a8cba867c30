"""What differs between the shown profile and its baseline, and what explains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.comparison.panel import ComparisonPanel


def _load() -> type[ComparisonPanel]:
    from app.panels.comparison.panel import ComparisonPanel

    return ComparisonPanel


SPEC = PanelSpec(
    "comparison",
    tr("Comparison"),
    _load,
    (),
    "",
    tr(
        "How the shown profile differs from its baseline, and what explains it. Click to select "
        "an item, double-click to show its row in Tables. Tool tips of Matched rows explain each "
        "matching rule."
    ),
    words=("baseline", "difference", "diff", "before", "after", "regression", "compare"),
)
