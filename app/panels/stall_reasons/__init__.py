"""Stall reasons of warps: samples per reason as bars and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.stall_reasons.panel import StallReasonsPanel


def _load() -> type[StallReasonsPanel]:
    from app.panels.stall_reasons.panel import StallReasonsPanel

    return StallReasonsPanel


SPEC = PanelSpec(
    "stall_reasons",
    tr("Stall reasons"),
    _load,
    ("stall_reasons",),
    tr("an Ascend operator file with samples of stalled warps (block 0x0F; SIMT on A5)"),
    tr("Why warps did not issue an instruction when they were sampled, the most frequent reason first."),
    words=("warp stalls", "sampling"),
)
