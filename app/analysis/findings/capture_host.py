"""What the host of an Ascend capture does instead of launching: collections of Python's memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.capture.ranks import of_rank, rank_name, sums
from app.analysis.capture.slices import rank_of_process
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.timeline.times import slice_lanes
from app.language import plural, tr
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.timeline import Timeline

_COLLECTION: Final = "GC"
_PYTHON: Final = "Python"
_LONG: Final = 1e-3
"""Seconds from which a collection delays launches (the vendor's advisor)."""
_LISTED: Final = 3


def _collecting(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    line = profile.timeline
    slices, ranks = (np.empty(0, np.int64),) * 2 if line is None else _collections(profile, line)
    if line is None or not len(slices):
        return NotChecked(tr("the capture has no collections of Python's memory"))
    length = line.slices.duration[slices] * (line.seconds_per_unit or 1.0)
    long = np.flatnonzero(length > _LONG)
    if not len(long):
        return ()
    count = 0 if profile.capture is None else len(profile.capture)
    total = sums(ranks[long], length[long], count)
    rank = int(total.argmax())
    long = long[ranks[long] == rank]
    long = long[np.argsort(-length[long], kind="stable")]
    text = plural(
        "{where}: Python collects memory for more than 1 ms {count:,} time, {time} together, and launches nothing "
        "then. Collect between steps (gc.freeze, gc.disable), or create fewer objects.",
        "{where}: Python collects memory for more than 1 ms {count:,} times, {time} together, and launches nothing "
        "then. Collect between steps (gc.freeze, gc.disable), or create fewer objects.",
        count=len(long),
        where=of_rank(profile, rank),
        time=Amount(float(total[rank]), "s"),
    )
    evidence = tuple(
        Evidence(
            "slices", _COLLECTION, tr("duration"), float(length[place]), "s", Selection("slice", (int(slices[place]),))
        )
        for place in long[:_LISTED].tolist()
    )
    saving = Saving(float(total[rank]), "s", rank_name(profile, rank), tr("sum of their durations"))
    return (Finding("info", tr("Python collects memory between launches"), sentence(text), evidence, saving),)


def _collections(profile: Profile, line: Timeline) -> tuple[I64, I64]:
    """(the slices of collections, the rank of each)."""
    rows = np.flatnonzero(among(line.slices.name, line.strings.find(_COLLECTION)))
    known = {}
    for lane, process in enumerate(line.lanes.process.tolist()):
        rank, name = rank_of_process(profile, line.strings.get(process))
        known[lane] = rank if name.startswith(_PYTHON) else -1
    of_lane = np.array([*known.values(), -1], np.int64)
    ranks = of_lane[slice_lanes(line)[rows]]
    return rows[ranks >= 0], ranks[ranks >= 0]


RULES: Final = (
    Rule(
        "ascend.capture.gc",
        tr("Collections of Python's memory"),
        tr("Collections by Python's garbage collector that take more than 1 ms."),
        ("capture",),
        _collecting,
    ),
)
