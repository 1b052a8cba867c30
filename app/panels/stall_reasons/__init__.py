"""Stall reasons of warps: samples per reason as bars and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import MakePanel, PanelSpec, chart_plot

if TYPE_CHECKING:
    from app.profile.profile import Profile
    from app.views.chart.bars import BarsPicture


def _load() -> MakePanel:
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


def has_samples(profile: Profile) -> bool:
    return profile.stall_reasons is not None and len(profile.stall_reasons.count) > 0


def _picture(profile: Profile) -> BarsPicture | None:
    from app.views.stall_reasons import picture_of

    return None if profile.stall_reasons is None else picture_of(profile.stall_reasons)[0]


PLOTS = (chart_plot("stall-reasons", tr("Stall reasons"), has_samples, _picture),)
