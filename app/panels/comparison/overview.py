"""All that the panel shows of a comparison, computed in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from app.analysis.compare.cause import Place
from app.analysis.compare.causes import all_causes
from app.analysis.compare.changes import Change, change
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.names import TITLES
from app.analysis.compare.overview import (
    all_figures,
    cause_table,
    changed,
    finding_table,
    limits,
    matched,
    topic_rows,
    totals,
    without_causes,
)
from app.analysis.compare.ranking import Explanation, Ranking, RankingMaker
from app.analysis.compare.tables import ComparedTable
from app.analysis.findings.thresholds import Thresholds
from app.analysis.table import Table
from app.analysis.tables import TABLES
from app.language import tr
from app.store.compare_contents import content_differences
from app.store.findings import changed_findings
from app.store.token import Token
from app.views.content_words import content_words
from app.views.units import change as difference

Report = Callable[[int, int], None]


class Overview(Struct, frozen=True, eq=False):
    """``places`` and ``changes``: those of the tables ``causes`` and ``changed``, row by row."""

    comparison: Comparison
    made: Ranking
    changes: tuple[Change, ...]
    places: tuple[Place, ...]
    findings: Table
    causes: Table
    totals: Table
    changed: Table
    matched: Table
    figures: Table
    limits: Table

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return self.made.same and not self.changes


def overview(comparison: Comparison, thresholds: Thresholds, token: Token, report: Report) -> Overview:
    """Goes through all tables once, and through stored data of models. Cancelled by the token."""
    maker = RankingMaker(comparison)
    for number, spec in enumerate(TABLES):
        report(number, len(TABLES))
        for table in comparison.tables_of(spec, token.check):
            token.check()
            maker.add(table)
    made = maker.ranking()
    causes = tuple(all_causes(comparison, token.check))
    rows = topic_rows(without_causes(made.topics, causes))
    contents = _contents(comparison, token) if comparison.kept is None else ()
    changes = (*contents, *made.changes)
    return Overview(
        comparison=comparison,
        made=made,
        places=(*(row.place for own in causes for row in own.rows), *(_place(row) for _, row in rows)),
        causes=cause_table(causes, rows, difference, comparison.runs),
        findings=finding_table(changed_findings(comparison, thresholds, token.check)),
        changes=changes,
        totals=totals(comparison, made),
        changed=changed(changes),
        matched=matched(made.covered, TITLES[comparison.names]),
        figures=all_figures(comparison.figures, comparison.runs),
        limits=limits(comparison, made),
    )


def _place(row: Explanation) -> Place:
    return Place(row.kind, row.item, row.table, row.row_before, row.row_after)


def _contents(comparison: Comparison, token: Token) -> Iterator[Change]:
    """Stored data that is not the same."""
    tables: dict[str, ComparedTable | None] = {}
    for content in content_differences(comparison, token):
        if content.same:
            continue
        if content.table not in tables:
            tables[content.table] = comparison.table(content.table, token.check)
        table = tables[content.table]
        if table is not None:
            yield change(table, content.row, content.name, "changed", tr("Data"), "", content_words(content))
