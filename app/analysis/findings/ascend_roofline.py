"""How far the operator is from what its chip allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.ascend.roofline import BOUND_RATIO, ceiling, ratios, verdicts
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Saving
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.language import tr
from app.profile.profile import Profile
from app.profile.selection import Selection


def _roofs(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    roofs = profile.roofline
    shares = np.empty(0) if roofs is None else ratios(roofs)
    if roofs is None or not len(shares) or np.isnan(shares).all():
        return NotChecked(tr("the file has no roof with a point"))
    row = int(np.nanargmax(shares))
    share = float(shares[row])
    names = [roofs.strings.get(int(ids[row])) for ids in (roofs.bandwidth_name, roofs.compute_name)]
    roof = " / ".join(name for name in names if name)
    bound, percent = share > BOUND_RATIO, Amount(100 * share, "%")
    if bound:
        title = tr("{bound}: near the roof {roof}", bound=verdicts(roofs)[row].capitalize(), roof=roof)
        text = tr(
            "It reaches {share} of what the hardware allows there. Less work or less data helps; better overlap "
            "hardly does.",
            share=percent,
        )
    else:
        title = tr("Latency bound: no roof is near")
        text = tr(
            "It reaches {share} of its nearest roof ({roof}). Waiting, not hardware, is the limit: check overlap, "
            "flags and small transfers.",
            share=percent,
            roof=roof,
        )
    evidence = (
        Evidence("roofline", roof, tr("share of the roof"), 100 * share, "%", Selection("roof", (row,))),
        Evidence("roofline", roof, tr("performance"), float(roofs.performance[row]), "TOps/s"),
        Evidence("roofline", roof, tr("roof at this intensity"), float(ceiling(roofs)[row]), "TOps/s"),
    )
    return (Finding("info" if bound else "warning", title, sentence(text), evidence, _saving(profile, share)),)


def _saving(profile: Profile, share: float) -> Saving | None:
    duration = profile.operator.duration_us if profile.operator is not None else None
    if not duration or not 0 < share < 1:
        return None
    formula = tr("duration · (1 - share of the nearest roof), if the same work reached the roof")
    return Saving(duration / 1e6 * (1 - share), "s", tr("operator"), formula)


RULES: Final = (
    Rule(
        "ascend.roofline",
        tr("The bound of the operator and its distance from the roof"),
        tr("Largest performance / min(intensity · bandwidth, compute). Above 0.8 the operator is bound by that roof."),
        ("roofline",),
        _roofs,
    ),
)
