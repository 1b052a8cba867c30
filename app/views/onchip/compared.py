"""What the picture of a memory plan shows of the baseline: peaks, and blocks that lay elsewhere. No widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from app.analysis.onchip import peak_steps, peaks, scope_names
from app.profile.arrays import F64, I32, I64, Bool
from app.profile.ascend_report import Onchip
from app.views.onchip.bands import Boxes

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison


class OnchipBaseline(Struct, frozen=True, eq=False):
    """``plan`` of the baseline. ``of_after``: int32[blocks after], the block before that each is matched with, -1 none;
    ``alone``: bool[blocks before], those without a partner; ``peaks``: by the name of a memory its peak and the step of
    it."""

    plan: Onchip
    of_after: I32
    alone: Bool
    peaks: dict[str, tuple[int, int]]


class Ghosts(Struct, frozen=True, eq=False):
    """Where blocks of the baseline lay that are gone, or lie elsewhere now: float64 edges, as in Boxes."""

    left: F64
    right: F64
    low: F64
    high: F64


def onchip_baseline(comparison: Comparison) -> OnchipBaseline | None:
    """None unless both profiles have a plan with blocks."""
    plan, compared = comparison.before.onchip, comparison.table("onchip-blocks")
    if plan is None or compared is None or compared.before is None or compared.after is None:
        return None
    most = zip(peaks(plan).tolist(), peak_steps(plan).tolist(), strict=True)
    matches = compared.matches
    return OnchipBaseline(
        plan, matches.of_after, np.asarray(matches.of_before < 0), dict(zip(scope_names(plan), most, strict=True))
    )


def ghosts_of(baseline: OnchipBaseline, plan: Onchip, boxes: Boxes) -> Ghosts:
    """Of the memories that are shown."""
    own, other = baseline.plan.blocks, plan.blocks
    moved = baseline.alone.copy()
    after = np.flatnonzero(baseline.of_after >= 0)
    before = baseline.of_after[after]
    for key in ("address", "size", "start", "end"):
        moved[before[getattr(own, key)[before] != getattr(other, key)[after]]] = True
    bands = {band.name: band for band in boxes.bands}
    shown = [bands.get(name) for name in scope_names(baseline.plan)]
    low = np.array([np.nan if band is None else band.low for band in shown])
    size = np.array([1.0 if band is None else float(band.size) for band in shown])
    places: I64 = np.flatnonzero(moved & (own.address >= 0) & ~np.isnan(low[own.scope])).astype(np.int64)
    scope = own.scope[places]
    bottom = low[scope] + own.address[places] / size[scope]
    return Ghosts(
        own.start[places].astype(np.float64),
        own.end[places].astype(np.float64) + 1,
        bottom,
        bottom + own.size[places] / size[scope],
    )
