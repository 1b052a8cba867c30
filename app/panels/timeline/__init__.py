"""The timeline: what ran when, on which lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.timeline.panel import TimelinePanel


def _load() -> type[TimelinePanel]:
    from app.panels.timeline.panel import TimelinePanel

    return TimelinePanel


SPEC = PanelSpec(
    "timeline",
    tr("Timeline"),
    _load,
    ("timeline",),
    tr("execution steps, an operator's trace, or TensorFlow events"),
    tr("What ran when, in lanes. Drag to set the range that all figures follow; Ctrl+wheel or W and S zoom."),
    shows=("slice", "lane", "step"),
    words=("trace", "gantt", "tracing", "events over time", "pipeline"),
)

SOURCE = SPEC.id
"""Of what is selected in the panel, and the key of its saved views."""
