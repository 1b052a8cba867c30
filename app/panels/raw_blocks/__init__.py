"""The blocks of an operator file, known or unknown: to inspect and to save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.raw_blocks.panel import RawBlocksPanel


def _load() -> type[RawBlocksPanel]:
    from app.panels.raw_blocks.panel import RawBlocksPanel

    return RawBlocksPanel


SPEC = PanelSpec(
    "raw_blocks",
    tr("File blocks"),
    _load,
    ("raw_blocks",),
    tr("an Ascend operator file (visualize_data.bin)"),
    tr(
        "Every block of the file in its order, also those of types that nobody knows. Choose one to see how it "
        "begins; save it to hand it to another tool."
    ),
    words=("raw", "binary"),
)
