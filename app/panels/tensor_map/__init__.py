"""Tensors by tile: a map of all tensors, bars of one tensor, and the tensors on a tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.tensor_map.panel import TensorMapPanel


def _load() -> type[TensorMapPanel]:
    from app.panels.tensor_map.panel import TensorMapPanel

    return TensorMapPanel


SPEC = PanelSpec(
    "tensor_map",
    tr("Tensor map"),
    _load,
    ("tensor_map",),
    tr("a tensor map of TensorFlow (*.tensor_map.json), or an event log that contains one"),
    tr(
        "Each row is a tensor, each column a tile, each colour bytes. Select a tensor for its "
        "tiles, or tiles for their tensors. An evenly spread tensor has imbalance 1."
    ),
    also=("tile_memory", "target"),
    shows=("mapped_tensor", "tile"),
    words=("tile mapping", "layout"),
)
