"""What is selected: its figures, its arguments in the file, and what belongs to it."""

from __future__ import annotations

from app.panels.details.panel import DetailsPanel
from app.panels.panel import PanelSpec

SPEC = PanelSpec(
    "details",
    "Details",
    DetailsPanel,
    (),
    "",
    "What is known of the thing that is selected, and links to what belongs to it: the steps of a program, the "
    "instruction of a slice, the tiles of a compute set.",
)
