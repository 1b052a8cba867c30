"""Throughput against replicas, from typed numbers or those of a run: what limits it, and what would improve it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.scaling.panel import ScalingPanel


def _load() -> type[ScalingPanel]:
    from app.panels.scaling.panel import ScalingPanel

    return ScalingPanel


SPEC = PanelSpec(
    "scaling",
    tr("Scaling"),
    _load,
    ("programs", "steps", "execution", "tile_memory"),
    tr("a Poplar profile (without one, Scaling in the Tools menu takes typed numbers)"),
    tr(
        "How throughput depends on the number of replicas. Type on the left what the run does "
        "not state; the sliders of What if show the effect of changes."
    ),
    also=("target", "exchanges", "compute_sets"),
    alone=True,
    words=("replicas", "scale-out", "Amdahl", "speedup"),
)
