"""Columns that the tables about the cost of steps share."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.columns import masked
from app.analysis.poplar.step_statistics import Totals
from app.analysis.table import Column
from app.language import tr
from app.profile.arrays import F64, I64
from app.profile.selection import TimeRange

OWN = tr("Sum of the steps' own cycles (cycles of the longest tile); steps overlap, so sums may exceed the run.")
CUT = tr(
    "For a step that the range cuts, only the part inside counts. Mean, median, minimum and maximum are those of "
    "whole steps."
)
CUT_STEPS = tr(
    "Steps that the range cuts, and those that end after the run. Sums include the part inside; mean, median, minimum "
    "and maximum exclude these steps."
)
EACH = tr("Cycles of one step, over the whole steps (excluding cut steps).")
WHOLE = tr("Cycles of one step, over all steps of the run.")


def figures(sums: Totals, rows: I64, of: str) -> list[Column]:
    """Steps, cycles and data of the items in ``rows``; ``of``: what shares refer to."""
    each = sums.each
    cycles = np.where(sums.timed[rows], sums.cycles[rows], np.nan)
    columns = [
        Column("steps", tr("Steps"), sums.steps[rows]),
        Column("cut", tr("Cut steps"), sums.cut[rows], help=CUT_STEPS),
        Column("cycles", tr("Cycles"), cycles, "cycles", OWN),
        share("share", cycles, sums.cycles, tr("cycles of {of}", of=of)),
        Column("mean", tr("Mean"), each.mean[rows], "cycles", EACH, compared=EACH, adds_up=False),
        Column("median", tr("Median"), each.median[rows], "cycles", EACH, compared=EACH, adds_up=False),
        masked("least", tr("Minimum"), _whole(each.least[rows]), "cycles", EACH, compared=EACH, adds_up=False),
        masked("most", tr("Maximum"), _whole(each.most[rows]), "cycles", EACH, compared=EACH, adds_up=False),
        masked(
            "most_step",
            tr("Longest step"),
            sums.most_step[rows],
            help_=tr("The longest whole step; the first of several."),
            role="key",
        ),
    ]
    if bool(np.any(np.nan_to_num(sums.data[rows]) > 0)):
        columns.append(
            Column("data", tr("Data"), sums.data[rows], "B", tr("Data moved by the exchanges, as stated in the file."))
        )
    return columns


def _whole(values: F64) -> I64:
    """Integers, -1 for no data."""
    return np.nan_to_num(values, nan=-1.0).astype(np.int64)


def share(key: str, part: F64, whole: F64, of: str) -> Column:
    """``part`` in percent of the sum of ``whole``."""
    total = float(whole.sum())
    values = 100.0 * part / total if total > 0 else np.full(len(part), np.nan)
    return Column(key, tr("Share"), values, "%", tr("Share of the {of}.", of=of), share_of=of)


def falling(sums: Totals) -> I64:
    """Rows that have steps, by falling cycles."""
    rows = np.argsort(-sums.cycles, kind="stable")
    return rows[sums.steps[rows] > 0].astype(np.int64)


def note(stretch: TimeRange | None) -> str:
    """Which steps the figures refer to."""
    return (
        WHOLE
        if stretch is None
        else tr(
            "Steps of the range, cycles {start} to {end}. {cut}",
            start=f"{stretch.start:,.0f}",
            end=f"{stretch.end:,.0f}",
            cut=CUT,
        )
    )
