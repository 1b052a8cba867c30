"""Every memory access in order: which addresses an operator touches, and when."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.memory_accesses.panel import MemoryAccessesPanel

    return MemoryAccessesPanel


SPEC = PanelSpec(
    "memory_accesses",
    tr("Memory accesses"),
    _load,
    ("memory_accesses",),
    tr("an Ascend operator file with single memory accesses (block 0x0A)"),
    tr(
        "Each bar is an access, in order of execution: it starts at its address and is as tall "
        "as its size. Ctrl+wheel zooms, over an axis only that axis; drag pans."
    ),
    shows=("access",),
    words=("addresses", "loads and stores"),
)
