"""How a PopEF model runs: metadata, program flow, programs and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.model.panel import ModelPanel


def _load() -> type[ModelPanel]:
    from app.panels.model.panel import ModelPanel

    return ModelPanel


SPEC = PanelSpec(
    "model",
    tr("Model"),
    _load,
    ("model",),
    tr("a PopEF file (.popef)"),
    tr(
        "How a model runs: its metadata, the programs that load it, run with each call and save "
        "it, and its build options."
    ),
    also=("blobs",),
    words=("metadata", "options"),
)
