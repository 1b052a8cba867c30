"""What was measured: the operator, the chip it ran on, and how long each of its blocks took."""

from __future__ import annotations

from app.panels.operator.panel import OperatorPanel
from app.panels.operator.picture import draw, offered
from app.panels.panel import PanelSpec, PlotSpec

SPEC = PanelSpec(
    "operator",
    "Operator",
    OperatorPanel,
    ("operator",),
    "an Ascend operator file (visualize_data.bin) with base information",
    "What was measured, on which chip, and how long each block took. Blocks of the same length share the work evenly; "
    "the longest one decides how long the operator takes.",
)

PLOT = PlotSpec("block-durations", "Duration of each block", offered, draw)
