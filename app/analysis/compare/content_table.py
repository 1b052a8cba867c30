"""Differences of stored content as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.analysis.ascend.typed_columns import count_column
from app.analysis.compare.contents import ContentDifference
from app.analysis.table import Column, Table
from app.language import tr
from app.profile.arrays import F64
from app.profile.selection import Kind

DIFFERENT = tr("Elements that differ; two NaN are equal.")
FINITE = tr("Over the elements that are finite on both sides.")


def content_table(contents: Sequence[ContentDifference], selects: Kind) -> Table:
    """One row for each, the largest differences first; ``selects``: what ``item`` stands for."""
    order = sorted(range(len(contents)), key=lambda place: _rank(contents[place]))
    own = [contents[place] for place in order]
    columns = [
        Column("kind", tr("Kind"), tuple(one.kind for one in own), role="kind"),
        Column("name", tr("Name"), tuple(one.name for one in own), role="name"),
        Column("content", tr("Content"), tuple(_result(one) for one in own)),
    ]
    if any(one.values is not None for one in own):
        elements, different = _counts(own, "elements"), _counts(own, "different")
        share = 100 * different / np.where(elements > 0, elements, np.nan)
        columns += [
            count_column("elements", tr("Elements"), elements),
            count_column("different", tr("Different"), different, help=DIFFERENT),
            Column("share", tr("Share"), share, "%", DIFFERENT, share_of=tr("all elements")),
            Column("largest", tr("Largest difference"), _counts(own, "largest"), help=FINITE, adds_up=False),
            Column("mean", tr("Mean difference"), _counts(own, "mean"), help=FINITE, adds_up=False),
            count_column(
                "not_finite",
                tr("Not finite"),
                _counts(own, "not_finite"),
                help=tr("Different elements of which at least one is infinite or NaN."),
            ),
        ]
    keys = np.array([one.item for one in own], np.int64)
    return Table("contents", tr("Contents"), tuple(columns), selects, keys)


def _rank(content: ContentDifference) -> tuple[bool, float]:
    """What differs comes first, by its largest difference; what could not be compared before what is the same."""
    largest = content.values.largest if content.values is not None else None
    return content.same is True, -(largest if largest is not None else float("inf") if not content.same else 0.0)


def _result(content: ContentDifference) -> str:
    if content.same is None:
        return tr("not compared: {why}", why=content.why)
    if content.same:
        return tr("the same")
    return tr("different: {why}", why=content.why) if content.why else tr("different")


def _counts(contents: Sequence[ContentDifference], name: str) -> F64:
    """float64: a figure of the values, NaN without one."""
    figures = (None if one.values is None else getattr(one.values, name) for one in contents)
    return np.array([np.nan if value is None else float(value) for value in figures], np.float64)
