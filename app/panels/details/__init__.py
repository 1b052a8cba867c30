"""Properties of the selection: its figures, its arguments in the file, and linked items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.details.panel import DetailsPanel


def _load() -> type[DetailsPanel]:
    from app.panels.details.panel import DetailsPanel

    return DetailsPanel


SPEC = PanelSpec(
    "details",
    tr("Details"),
    _load,
    (),
    "",
    tr(
        "Properties of the selection, and links to related items: the steps of a program, the "
        "instruction of a slice, the tiles of a compute set."
    ),
    words=("properties", "inspector", "selection"),
)
