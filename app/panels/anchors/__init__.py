"""The anchors of PopEF models: what goes in and out, and who provides it."""

from __future__ import annotations

from app.panels.anchors.panel import AnchorsPanel
from app.panels.panel import PanelSpec

SPEC = PanelSpec(
    "anchors",
    "Anchors",
    AnchorsPanel,
    ("model",),
    "a PopEF file with metadata",
    "Inputs and outputs of the model, those that the user provides apart from those whose data lie in the file; how "
    "each shape came about.",
)
