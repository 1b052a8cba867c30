"""Every memory access in order: which addresses an operator touches, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.memory_accesses.panel import MemoryAccessesPanel


def _load() -> type[MemoryAccessesPanel]:
    from app.panels.memory_accesses.panel import MemoryAccessesPanel

    return MemoryAccessesPanel


SPEC = PanelSpec(
    "memory_accesses",
    tr("Memory accesses"),
    _load,
    ("memory_accesses",),
    tr("an Ascend operator file with single memory accesses (block 0x0A)"),
    tr(
        "Each bar is an access: from its address upwards as many bytes as it touches, in the order of "
        "execution. Ctrl+wheel zooms, over an axis only along it; drag moves."
    ),
    shows=("access",),
    words=("addresses", "loads and stores"),
)
