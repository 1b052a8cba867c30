"""Vertex types: their memory and cycles, and how well they use the threads."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.vertex_types.panel import VertexTypesPanel

    return VertexTypesPanel


SPEC = PanelSpec(
    "vertex_types",
    tr("Vertex types"),
    _load,
    ("vertex_types",),
    tr("a Poplar graph profile (graph.json or graph.cbor)"),
    tr(
        "The vertex types of the graph: counts, bytes and cycles. If the file contains them, "
        "also the thread use of each tile and the duration of each vertex."
    ),
    also=("vertex_type_bytes", "compute_sets", "execution", "steps", "target"),
    shows=("vertex_type",),
    words=("codelets", "kernels", "threads"),
)
