"""Cycles by source line, and by the instructions compiled from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.source.panel import SourcePanel


def _load() -> type[SourcePanel]:
    from app.panels.source.panel import SourcePanel

    return SourcePanel


SPEC = PanelSpec(
    "source",
    tr("Source"),
    _load,
    ("sources", "lines", "instructions"),
    tr(
        "an Ascend operator file (visualize_data.bin) with source or instructions: a kernel built with debug lines (-g)"
    ),
    tr(
        "Source on the left, its instructions on the right, with bars for their cost on the "
        "selected core. Select a line to see its instructions, or an instruction to see its line."
    ),
    also=("target",),
    shows=("line", "instruction"),
    words=("code", "assembly", "disassembly", "hotspots", "hot spots"),
)
