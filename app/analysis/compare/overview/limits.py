"""What cannot be compared, or not plainly, as a table."""

from __future__ import annotations

from collections.abc import Iterator

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.overview.texts import coded
from app.analysis.compare.ranking import Ranking
from app.analysis.compare.rules import INEXACT
from app.analysis.table import Column, Table
from app.language import labelled, tr


def limits(comparison: Comparison, made: Ranking) -> Table:
    """One row for each reason."""
    rows = list(_rows(comparison, made))
    columns = (
        Column("what", tr("Item"), coded(what for what, _ in rows), role="name"),
        Column("why", tr("Limitation"), coded(why for _, why in rows)),
    )
    return Table("comparison-limits", tr("Limits"), columns)


def _rows(comparison: Comparison, made: Ranking) -> Iterator[tuple[str, str]]:
    for why in comparison.limits:
        yield tr("Profiles"), why
    for figure in comparison.figures:
        if figure.why:
            yield figure.label or figure.id, figure.why
    for refused in made.refused:
        what = labelled(refused.title, refused.column) if refused.column else refused.title
        yield what, refused.why
    for title in made.inexact:
        yield title, INEXACT
