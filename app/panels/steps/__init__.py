"""Steps of a run by their names: a flame, and figures of the range."""

from __future__ import annotations

from app.panels.panel import PanelSpec, PlotSpec
from app.panels.steps.flame import draw, has_flame
from app.panels.steps.panel import StepsPanel

SPEC = PanelSpec(
    "steps",
    "Steps",
    StepsPanel,
    ("steps",),
    "a Poplar execution profile (execution.json or execution.cbor) with steps",
    "The run by the names of its steps: as a flame, and as figures by name, compute set and vertex type. The figures "
    "are those of the range where one is set.",
)

PLOT = PlotSpec("flame", "Steps as a flame by name", has_flame, draw)
