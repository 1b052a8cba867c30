"""What the compute units of each block did: their utilization, and by which kinds of work."""

from __future__ import annotations

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec


def _load() -> MakePanel:
    from app.panels.workload.panel import WorkloadPanel

    return WorkloadPanel


SPEC = PanelSpec(
    "workload",
    tr("Workload"),
    _load,
    ("workload",),
    tr("an Ascend operator file (visualize_data.bin) with the compute workload"),
    tr(
        "For one block: the share of its cycles that each compute unit worked or waited, largest "
        "first, and the instructions, data and time of each sub-block."
    ),
    also=("memory_paths", "target"),
    words=("compute workload", "pipe utilisation", "utilization"),
)
