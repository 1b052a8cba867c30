"""Data stored with PopEF models: tensors and feeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.tensors.panel import TensorsPanel


def _load() -> type[TensorsPanel]:
    from app.panels.tensors.panel import TensorsPanel

    return TensorsPanel


SPEC = PanelSpec(
    "tensors",
    tr("Tensors"),
    _load,
    ("model",),
    tr("a PopEF file with tensors or feeds"),
    tr("Tensors and feeds with values in the file. Select one to see its values."),
    also=("blobs",),
    shows=("tensor",),
    words=("feeds", "weights", "values"),
)
