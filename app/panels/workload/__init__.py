"""What the computing units of each block did: how much of their cycles they worked, and at what."""

from __future__ import annotations

from app.panels.panel import PanelSpec, PlotSpec
from app.panels.workload.panel import WorkloadPanel
from app.panels.workload.picture import draw, offered

SPEC = PanelSpec(
    "workload",
    "Workload",
    WorkloadPanel,
    ("workload",),
    "an Ascend operator file (visualize_data.bin) with the compute workload",
    "For one block: what share of its cycles each computing unit worked or waited, the largest first, and what each "
    "sub-block did by instructions, data and time.",
)

PLOT = PlotSpec("pipe-utilisation", "Pipe utilisation", offered, draw)
