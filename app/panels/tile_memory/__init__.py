"""How full each tile is, and which contents fill it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.tile_memory.panel import TileMemoryPanel


def _load() -> type[TileMemoryPanel]:
    from app.panels.tile_memory.panel import TileMemoryPanel

    return TileMemoryPanel


SPEC = PanelSpec(
    "tile_memory",
    tr("Tile memory"),
    _load,
    ("tile_memory",),
    tr("a Poplar graph profile (graph.json or graph.cbor) with memory per tile"),
    tr(
        "How full the memory of each tile is. Click a bar to select its tile, drag for several, "
        "or type them. Where a column of pixels covers several tiles, it shows the fullest, and "
        "lighter (or dotted) the emptiest."
    ),
    also=(
        "target",
        "compute_sets",
        "compute_set_bytes",
        "measured_cycles",
        "steps",
        "exchanges",
        "variables",
        "vertex_type_bytes",
    ),
    shows=("tile",),
    words=("memory usage", "out of memory", "OOM", "memory per tile", "always live"),
)
