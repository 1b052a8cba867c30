"""Where the cycles go in the source, and in the instructions made of it."""

from __future__ import annotations

from app.panels.panel import PanelSpec
from app.panels.source.panel import SourcePanel

SPEC = PanelSpec(
    "source",
    "Source",
    SourcePanel,
    ("sources", "lines", "instructions"),
    "an Ascend operator file (visualize_data.bin) with source or instructions: a kernel built with debug lines (-g)",
    "The source at the left, its instructions at the right, with bars for what they cost on the chosen core. Select a "
    "line to see its instructions, or an instruction to see its line.",
)
