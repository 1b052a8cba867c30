"""Statistics of a timeline: its slices by name, lanes, gaps, overlaps, hits, flows, counters and notes as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.statistics.panel import StatisticsPanel


def _load() -> type[StatisticsPanel]:
    from app.panels.statistics.panel import StatisticsPanel

    return StatisticsPanel


SPEC = PanelSpec(
    "statistics",
    tr("Statistics"),
    _load,
    ("timeline",),
    tr("execution steps, an operator's trace, or TensorFlow events"),
    tr(
        "Count, total, average and share of the slices by name, and slices, lanes, gaps, flows, counters and notes as "
        "tables. Statistics follow the range and the selected lanes."
    ),
    words=("slices by name", "totals", "summary table", "aggregation", "range", "gaps", "overlap", "notes"),
)
