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
    memory_accesses,
    memory_paths,
    model,
    operator,
    program_tree,
    roofline,
    source,
    summary,
    tables,
    tensors,
    tile_memory,
    timeline,
    vertex_types,
    workload,
)
from app.panels.panel import PanelSpec, PlotSpec

PANELS: tuple[PanelSpec, ...] = (
    summary.SPEC,
    program_tree.SPEC,
    timeline.SPEC,
    tile_memory.SPEC,
    heat_table.SPEC,
    liveness.SPEC,
    vertex_types.SPEC,
    source.SPEC,
    operator.SPEC,
    workload.SPEC,
    memory_paths.SPEC,
    roofline.SPEC,
    memory_accesses.SPEC,
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
    *vertex_types.PLOTS,
    *memory_paths.PLOTS,
    roofline.PLOT,
    memory_accesses.PLOT,
    blobs.PLOT,
    operator.PLOT,
    workload.PLOT,
    model.PLOT,
)
