"""Live-ness: how many bytes are live while the program runs, and where the peak is."""

from __future__ import annotations

from app.panels.liveness.panel import LivenessPanel
from app.panels.liveness.picture import draw
from app.panels.panel import PanelSpec, PlotSpec

SPEC = PanelSpec(
    "liveness",
    "Liveness",
    LivenessPanel,
    ("liveness",),
    "a Poplar graph profile with memory.liveness",
    "Bytes live at each moment of the program, from its first node to its last, on top of what is always live. Peak "
    "leads to the node with the most.",
)

PLOT = PlotSpec("liveness", "Live bytes by program", lambda profile: profile.liveness is not None, draw)
