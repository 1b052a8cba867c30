"""Bytes and cycles of every compute set, vertex type or exchange on every tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.heat_table.panel import HeatPanel


def _load() -> type[HeatPanel]:
    from app.panels.heat_table.panel import HeatPanel

    return HeatPanel


SPEC = PanelSpec(
    "heat",
    tr("Heat table"),
    _load,
    ("compute_sets", "exchanges", "compute_set_bytes", "vertex_type_bytes", "measured_cycles", "tensor_map"),
    tr("a Poplar graph profile with figures per compute set and tile"),
    tr(
        "Each row is a compute set, vertex type or exchange, each column a tile, each colour an "
        "amount. The margins summarise rows and columns. Where a pixel covers many cells, it "
        "shows the largest, so that a single hot tile stays visible."
    ),
    also=("target", "programs"),
    shows=("compute_set",),
    words=("heat map", "heatmap", "matrix", "tile balance"),
)
