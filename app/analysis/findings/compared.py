"""Findings about two profiles: what got slower or larger, what appeared and what vanished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from app.analysis.compare import noise
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.ranking import Explanation, Ranking, Topic, ranking
from app.analysis.findings.finding import Evidence, Finding, Outcome, Rule
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.table import Unit
from app.language import joined, labelled, plural, tr
from app.profile.selection import selected_item

_MOST_LISTED: Final = 5
_AMOUNTS: Final = ("B", "cycles", "s")


def compared_outcomes(
    comparison: Comparison, thresholds: Thresholds = DEFAULT, look: Callable[[], None] = lambda: None
) -> list[Outcome]:
    """What the rules about comparisons say. ``look`` is called between tables, and may raise to stop."""
    made = ranking(comparison, look)
    return [
        Outcome(TOTALS, tuple(finding for topic in made.topics for finding in _total(topic, thresholds))),
        Outcome(ROWS, tuple(_rows(made))),
    ]


def _total(topic: Topic, thresholds: Thresholds) -> list[Finding]:
    total = topic.total
    if total is None or not total.percent or abs(total.percent) < thresholds.regression:
        return []
    if not isinstance(total.before, (int, float)) or not isinstance(total.after, (int, float)):
        return []
    more = total.percent > 0
    title = (
        tr("{title}: more than in the baseline", title=topic.title)
        if more
        else tr("{title}: less than in the baseline", title=topic.title)
    )
    outside = [row for row in topic.rows if row.verdict != noise.INSIDE][:_MOST_LISTED]
    before, after = (_amount(value, total.unit) for value in (total.before, total.after))
    share = Amount(abs(total.percent), "%")
    text = sentence(
        tr("{before} before, {after} after: {share} more.", before=before, after=after, share=share)
        if more
        else tr("{before} before, {after} after: {share} less.", before=before, after=after, share=share)
    )
    evidence = (
        Evidence("", "", tr("{label}, before", label=total.label or total.id), total.before, total.unit),
        Evidence("", "", tr("{label}, after", label=total.label or total.id), total.after, total.unit),
        *(_evidence(row) for row in outside),
    )
    return [Finding("warning" if more else "info", title, text, evidence)]


def _amount(value: float, unit: Unit) -> Amount | str:
    for known in _AMOUNTS:
        if unit == known:
            return Amount(value, known)
    return f"{value:,} {unit}".rstrip()


def _evidence(row: Explanation) -> Evidence:
    selection = None if row.kind is None else selected_item(row.kind, row.item)
    return Evidence(row.table, row.name, tr("difference"), row.difference, row.unit, selection)


def _rows(made: Ranking) -> list[Finding]:
    """One finding for what appeared, and one for what vanished."""
    findings = []
    for how, title in (("added", tr("Only in the comparison")), ("removed", tr("Only in the baseline"))):
        changes = [change for change in made.changes if change.how == how]
        if not changes:
            continue
        counted = Counter(change.title for change in changes)
        parts = joined(", ", (labelled(name, f"{count:,}") for name, count in counted.most_common()))
        text = plural("{count:,} row: {parts}", "{count:,} rows: {parts}", count=len(changes), parts=parts)
        evidence = tuple(Evidence(change.table, change.name, title, how) for change in changes[:_MOST_LISTED])
        findings.append(Finding("info", title, (text,), evidence))
    return findings


def _of_comparisons(*_: object) -> tuple[Finding, ...]:
    """Rules about comparisons have nothing to say about a single profile."""
    return ()


TOTALS: Final = Rule(
    "compare.total",
    tr("Slower or larger figures"),
    tr("Main figures of both profiles, and the rows that explain the difference beyond the noise."),
    (),
    _of_comparisons,
    ("regression",),
)
ROWS: Final = Rule(
    "compare.rows",
    tr("Added and removed rows"),
    tr("Named rows of only one of the profiles."),
    (),
    _of_comparisons,
)
