"""Main figures of on-chip memory plans."""

from __future__ import annotations

import numpy as np

from app.analysis.figures.figure import Figure
from app.analysis.onchip import peaks, scope_names
from app.language import tr
from app.profile.profile import Profile


def figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without a plan."""
    plan = profile.onchip
    if plan is None:
        return []
    names, live = scope_names(plan), peaks(plan)
    main = [
        Figure("onchip.blocks", tr("Blocks"), len(plan.blocks), help=tr("One for each offset of each buffer.")),
        Figure("onchip.scopes", tr("Memories"), names, help=tr("Scopes, in the order of the file.")),
    ]
    if plan.kernel:
        main.insert(0, Figure("onchip.kernel", tr("Kernel"), plan.kernel, help=tr("KernelName of the header.")))
    if len(plan.blocks):
        text = tr("Most bytes in one memory at one step: blocks whose lifetime includes the step.")
        main.append(Figure("onchip.peak_bytes", tr("Peak"), int(np.max(live)), "B", text))
        by_scope = dict(zip(names, live.tolist(), strict=True))
        main.append(Figure("onchip.peaks", tr("Peak by memory"), by_scope, "B", text))
    return main
