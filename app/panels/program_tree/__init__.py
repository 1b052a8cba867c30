"""The programs as a tree of containment and calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.program_tree.panel import ProgramTree


def _load() -> type[ProgramTree]:
    from app.panels.program_tree.panel import ProgramTree

    return ProgramTree


SPEC = PanelSpec(
    "tree",
    tr("Program tree"),
    _load,
    ("programs",),
    tr("a Poplar graph profile (graph.json or graph.cbor)"),
    tr(
        "What the compiled graph runs, from the control programs down, with the cycles and "
        "memory of each sub-tree. Functions appear below each call. Select a program to see its "
        "steps on the timeline and its tiles."
    ),
    also=("compute_sets", "compute_set_bytes", "exchanges", "steps", "execution", "target"),
    shows=("program",),
    words=("call tree", "control flow", "graph", "hierarchy"),
)
