"""Vertex types: what they take in memory and cycles, and how full they keep the threads."""

from __future__ import annotations

from app.analysis.poplar.threads import has_estimates
from app.panels.panel import PanelSpec, PlotSpec
from app.panels.vertex_types import measured, threads
from app.panels.vertex_types.panel import VertexTypesPanel

SPEC = PanelSpec(
    "vertex_types",
    "Vertex types",
    VertexTypesPanel,
    ("vertex_types",),
    "a Poplar graph profile (graph.json or graph.cbor)",
    "The kinds of vertices that the graph is made of: how many, their bytes, their cycles. Where the file tells, how "
    "full the threads of each tile are, and how long each vertex took.",
)

PLOTS = (
    PlotSpec("thread-use", "Thread use per tile", has_estimates, threads.draw),
    PlotSpec(
        "vertex-cycles",
        "Cycles of vertices",
        lambda profile: measured.vertices_of(profile) is not None,
        measured.draw,
    ),
)
