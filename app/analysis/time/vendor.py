"""What the file itself says about the bound of an operator, beside our own verdict, and why both differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.ascend.block_times import BlockTimes, block_times
from app.analysis.ascend.roofline import BOUND_RATIO, ratios, roof_name
from app.analysis.part import Amount, Words, sentence
from app.analysis.time.floors import at_most
from app.analysis.time.verdict import Behind, TimeVerdict
from app.language import tr
from app.profile.profile import Profile
from app.profile.selection import Selection

_LONGER: Final = re.compile(r"\bcore\d+ (?:cube|vector)\d* took more time", re.IGNORECASE)


def beside(profile: Profile, verdict: TimeVerdict | None) -> Iterator[Behind]:
    """The verdict of the rooflines, and advice on single cores, each with what follows from the times."""
    yield from beside_roofs(profile, verdict)
    load = profile.core_load
    for line in () if load is None else load.advice.splitlines():
        if _LONGER.search(line):
            yield from _of_core(profile, one_line(line))


def beside_roofs(profile: Profile, verdict: TimeVerdict | None = None) -> Iterator[Behind]:
    """The verdict of the rooflines, and why it differs from ours."""
    roofs = profile.roofline
    if roofs is not None and roofs.advice:
        yield Behind((tr("Vendor verdict: {advice}", advice=one_line(roofs.advice)),))
        explained = explanation(profile, verdict)
        if explained is not None:
            yield explained


def explanation(profile: Profile, verdict: TimeVerdict | None) -> Behind | None:
    """Why the vendor's verdict and ours differ; None if they do not, or if there is none."""
    roofs = profile.roofline
    shares = np.empty(0) if roofs is None else ratios(roofs)
    if roofs is None or not roofs.advice or np.isnan(shares).all():
        return None
    row = int(np.nanargmax(shares))
    latency = roofs.advice.strip().lower().startswith("latency")
    share, roof = Amount(100 * float(shares[row]), "%"), roof_name(roofs, row)
    text: Words | None = None
    if latency == bool(shares[row] > BOUND_RATIO):
        text = sentence(
            tr(
                "It does not follow from its rooflines: the best point reaches {share} of {roof}",
                share=share,
                roof=roof,
            )
        )
    elif verdict is not None and latency and verdict.bound == "pipe":
        text = sentence(
            tr(
                "Both hold: {pipe} works nearly all the time, but at most at {share} of a roof ({roof}), so its "
                "instructions use little of what the hardware can do",
                pipe=verdict.by,
                share=share,
                roof=roof,
            )
        )
    elif verdict is not None and not latency and verdict.bound == "latency":
        text = sentence(
            tr(
                "Both hold: the operator reaches {share} of {roof}, though no pipe works half of the time of its core",
                share=share,
                roof=roof,
            )
        )
    return None if text is None else Behind(text, Selection("roof", (row,)))


def _of_core(profile: Profile, advice: str) -> Iterator[Behind]:
    times = block_times(profile)
    if isinstance(times, BlockTimes) and np.isfinite(times.latest):
        saving = Amount(at_most(times.latest, times.even), times.unit)
        text = tr("“{advice}”: even work on all cores would save at most {saving}", advice=advice, saving=saving)
        yield Behind(sentence(text))


def one_line(text: str) -> str:
    """Advice without numbering ("1) "), tabs and the final full stop."""
    words = " ".join(text.split())
    number, mark, rest = words.partition(") ")
    return (rest if mark and number.isdigit() else words).rstrip(".")
