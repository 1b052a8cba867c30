"""What was measured: the operator, its chip, and the duration of each block."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.operator.panel import OperatorPanel

    return OperatorPanel


SPEC = PanelSpec(
    "operator",
    tr("Operator"),
    _load,
    ("operator",),
    tr("an Ascend operator file (visualize_data.bin) with base information"),
    tr(
        "What was measured, on which chip, and how long each block took. With more blocks than cores they run "
        "in waves: a nearly empty last wave costs as much as a full one. In a single wave the longest block "
        "decides."
    ),
    shows=("block",),
    words=("base information", "kernel"),
)
