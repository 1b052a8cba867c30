"""The anchors of PopEF models: their inputs and outputs, and who provides the data."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.anchors.panel import AnchorsPanel

    return AnchorsPanel


SPEC = PanelSpec(
    "anchors",
    tr("Anchors"),
    _load,
    ("model",),
    tr("a PopEF file with metadata"),
    tr(
        "Inputs and outputs of the model: those that the user provides, and those with data in "
        "the file. Details explain each shape."
    ),
    shows=("anchor",),
    words=("inputs", "outputs"),
)
