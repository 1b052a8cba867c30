"""Steps of a run by name: a flame graph, and figures of the range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.steps.panel import StepsPanel


def _load() -> type[StepsPanel]:
    from app.panels.steps.panel import StepsPanel

    return StepsPanel


SPEC = PanelSpec(
    "steps",
    tr("Steps"),
    _load,
    ("steps",),
    tr("a Poplar execution profile (execution.json or execution.cbor) with steps"),
    tr(
        "The steps of a run: as a flame graph by name, as tables by name, compute set, vertex "
        "type and kind, and what each tile did when. Figures follow the range, if set."
    ),
    also=(
        "timeline",
        "compute_sets",
        "vertex_types",
        "programs",
        "target",
        "execution",
        "measured_cycles",
        "tile_memory",
        "exchanges",
    ),
    shows=("step",),
    words=("flame", "flame graph", "flamegraph", "icicle", "hot spots", "statistics", "tiles over time"),
)
