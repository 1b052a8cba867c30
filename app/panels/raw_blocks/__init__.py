"""The blocks of an operator file and the files of a report, known or unknown: to inspect and to save."""

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
    ("raw_blocks", "entries"),
    tr("an Ascend operator file (visualize_data.bin) or a report (.rep, OPPROF folder)"),
    tr(
        "Every block of the file and every file of the report in order, of known and unknown "
        "types. Select one to see its first bytes; save it to use it in another tool."
    ),
    words=("raw", "binary", "entries", "files of the report", "pack"),
)
