"""The rows that explain the totals, in one list."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.compare import noise
from app.analysis.compare.compared import STATUS_TITLES
from app.analysis.compare.explanations import Explanation
from app.analysis.compare.overview.texts import amounts, coded, percentages
from app.analysis.compare.overview.totals import DIFFERENCE, PERCENT
from app.analysis.compare.overview.verdicts import verdict_column
from app.analysis.compare.ranking import Topic
from app.analysis.table import Column, Table
from app.language import tr


def merged(topics: Sequence[Topic]) -> list[Explanation]:
    """The rows of all topics, each in the order of its topic: always the one that changes its total most, those inside
    the spread last."""
    made: list[Explanation] = []
    for last in (False, True):
        queues = [[row for row in topic.rows if (row.verdict == noise.INSIDE) == last] for topic in topics]
        places = [0] * len(queues)
        for _ in range(sum(map(len, queues))):
            open_ = [number for number, queue in enumerate(queues) if places[number] < len(queue)]
            best = max(open_, key=lambda number: queues[number][places[number]].weight)
            made.append(queues[best][places[best]])
            places[best] += 1
    return made


def explained(rows: Sequence[Explanation], topics: Sequence[Topic]) -> Table:
    """One row for each explanation."""
    titles = {topic.subject: topic.title for topic in topics}
    units = [row.unit for row in rows]
    columns = (
        Column("name", tr("Item"), coded(row.name for row in rows), role="name"),
        percentages("share", tr("Share"), [row.share for row in rows], SHARE, tr("the difference of the total")),
        amounts("difference", tr("Difference"), [row.difference for row in rows], units, DIFFERENCE),
        percentages(
            "percent", tr("Change"), [_percent(row) for row in rows], PERCENT, tr("the figure of the baseline")
        ),
        Column("table", tr("Table"), coded(row.title for row in rows), role="kind"),
        Column("total", tr("Share explained"), coded(titles.get(row.subject, "") for row in rows), role="kind"),
        amounts("before", tr("Baseline"), [row.before for row in rows], units),
        amounts("after", tr("Comparison"), [row.after for row in rows], units),
        verdict_column(row.verdict for row in rows),
        Column("side", tr("Present in"), coded(STATUS_TITLES[row.status] for row in rows), role="kind"),
    )
    return Table("comparison-explained", tr("What explains the difference"), columns)


SHARE = tr(
    "Difference of the row in percent of the difference of the total. Tables show the same work in several ways, so "
    "shares of different tables must not be added. A negative share counteracts the total."
)


def _percent(row: Explanation) -> float | None:
    if row.before is None or row.after is None or not row.before:
        return None
    return 100.0 * row.difference / abs(row.before)
