"""The cost of the steps of a run (or of a range of it) by type, and what types do concurrently."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.inside import inside
from app.analysis.poplar.overlaps import overlaps
from app.analysis.poplar.step_statistics import totals
from app.analysis.table import Coded, Column, Table
from app.analysis.tables.poplar_step_columns import falling, figures, note
from app.language import tr
from app.profile.arrays import I64, Bool
from app.profile.profile import Profile
from app.profile.selection import TimeRange

BESIDE = tr(
    "Length of the intersection of these spans with those of OnTileExecute (for OnTileExecute: with those of all "
    "other types)."
)


def kinds(profile: Profile, stretch: TimeRange | None = None) -> Table | None:
    """One row per type of step."""
    steps = profile.steps
    if steps is None or not len(steps):
        return None
    sums = totals(steps, steps.type, len(steps.strings), inside(profile, stretch))
    rows = falling(sums)
    columns = [Column("type", tr("Type"), Coded(rows, steps.strings)), *figures(sums, rows, tr("all steps"))]
    columns += _at_once(profile, rows, ~sums.timed[rows], stretch)
    return Table("steps-by-type", tr("Steps by type"), tuple(columns), note=note(stretch))


def _at_once(profile: Profile, rows: I64, without: Bool, stretch: TimeRange | None) -> list[Column]:
    """How long each type is at work, and for how much of that others are too; no figures for types ``without``
    cycles."""
    steps, spans = profile.steps, overlaps(profile, stretch)
    if steps is None or spans is None:
        return []
    part = inside(profile, stretch)
    stated = np.bincount(steps.type[part.steps] + 1, np.maximum(steps.overlapped[part.steps], 0) * part.share)
    given_at_all = np.bincount(steps.type[part.steps] + 1, steps.overlapped[part.steps] >= 0) > 0
    busy, beneath = (np.where(without, np.nan, values[rows]) for values in (spans.busy, spans.beneath))
    of = tr("the range") if stretch is not None else tr("the run")
    share = 100.0 * busy / spans.length if spans.length > 0 else np.full(len(rows), np.nan)
    return [
        Column("busy", tr("Busy"), busy, "cycles", tr("Length of the union of their spans, from first to last cycle.")),
        Column("busy_share", tr("Busy share"), share, "%", tr("Busy / cycles of {of}.", of=of), share_of=of),
        Column("beneath", tr("Overlap with compute"), beneath, "cycles", BESIDE),
        Column(
            "overlapped",
            tr("Overlapped"),
            stated[rows + 1],
            "cycles",
            tr("Sum of cyclesOverlapped, as stated in the file: cycles overlapped by earlier steps."),
            missing=~given_at_all[rows + 1],
        ),
    ]
