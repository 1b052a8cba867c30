"""Transfers between the memories of a block, in the diagram known from the vendor's tools."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.memory_paths.panel import MemoryPathsPanel

    return MemoryPathsPanel


SPEC = PanelSpec(
    "memory_paths",
    tr("Memory paths"),
    _load,
    ("memory_paths", "memory_tables"),
    tr("an Ascend operator file (visualize_data.bin) with a memory graph (block 0x08)"),
    tr(
        "How much data moved between the memories of a block. The colour of an arrow shows its "
        "share of the path's peak bandwidth; click it for its figures. Ctrl+wheel zooms."
    ),
    shows=("memory_path",),
    words=("bandwidth", "memory chart", "data flow"),
)
