"""The list of panels and of plots."""

from __future__ import annotations

from app.panels import (
    anchors,
    blobs,
    content,
    details,
    heat_table,
    issues,
    liveness,
    model,
    memory_paths,
    program_tree,
    source,
    summary,
    tables,
    tensors,
    tile_memory,
    timeline,
)
from app.panels.panel import PanelSpec, PlotSpec

PANELS: tuple[PanelSpec, ...] = (
    summary.SPEC,
    program_tree.SPEC,
    timeline.SPEC,
    tile_memory.SPEC,
    heat_table.SPEC,
    liveness.SPEC,
    source.SPEC,
    memory_paths.SPEC,
    blobs.SPEC,
    anchors.SPEC,
    tensors.SPEC,
    model.SPEC,
    content.SPEC,
    details.SPEC,
    issues.SPEC,
    tables.SPEC,
)

PLOTS: tuple[PlotSpec, ...] = (
    timeline.PLOT,
    *tile_memory.PLOT_SPECS,
    heat_table.PLOT,
    liveness.PLOT,
    *memory_paths.PLOTS,
    blobs.PLOT,
    model.PLOT,
)
