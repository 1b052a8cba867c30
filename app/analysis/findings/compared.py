"""Findings about two profiles: what got slower or larger, what appeared and what vanished; and the findings of both
side by side: which came, which went, and which stayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.compare import noise
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.ranking import SUBJECTS, Explanation, Ranking, RankingMaker
from app.analysis.compare.tables import ComparedTable
from app.analysis.findings.finding import Evidence, Finding, Outcome, Rule
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.analysis.part import Amount, Words, sentence
from app.analysis.table import Unit
from app.language import joined, labelled, plural, tr
from app.profile.selection import selected_item

_MOST_LISTED: Final = 5
_AMOUNTS: Final = ("B", "cycles", "s")


def compared_outcomes(
    comparison: Comparison, thresholds: Thresholds = DEFAULT, look: Callable[[], None] = lambda: None
) -> list[Outcome]:
    """What the rules about comparisons say. ``look`` is called between tables, and may raise to stop."""
    maker = RankingMaker(comparison)
    moved: list[ComparedFigure] = []
    for table in comparison.tables(look):
        look()
        maker.add(table)
        moved += _moved(table)
    made = maker.ranking()
    totals = {topic.total.id for topic in made.topics if topic.total is not None}
    watched = [figure for figure in comparison.figures if figure.id in WATCHED and figure.id not in totals]
    findings = [
        *(_finding(topic.title, topic.total, thresholds, topic.rows) for topic in made.topics),
        *(_finding(figure.label or figure.id, figure, thresholds) for figure in watched),
        *(_finding(MOVED_TITLE, figure, thresholds, table=figure.id.partition(".")[0]) for figure in moved),
    ]
    return [Outcome(TOTALS, tuple(filter(None, findings))), Outcome(ROWS, tuple(_rows(made)))]


WATCHED: Final = frozenset(
    (
        "memory.max_tile_bytes",
        "memory.tiles_over",
        "events.compile_seconds",
        "events.bytes_to_device",
        "events.bytes_from_device",
        "report.bytes_read",
        "report.bytes_written",
    )
)
"""Figures besides the totals of subjects: the sum may stay the same while the fullest tile overflows."""
MOVED: Final = {"exchanges": ("data", "sent")}
"""Columns whose sum is the data moved, where no figure is: the first that both profiles have."""
MOVED_TITLE: Final = next(subject.title for subject in SUBJECTS if subject.id == "traffic")


def _moved(table: ComparedTable) -> Iterator[ComparedFigure]:
    """The sum of the data moved in a table."""
    if table.before is None or table.after is None:
        return
    for column in filter(None, map(table.column, MOVED.get(table.id, ()))):
        total = table.total(column)
        if total is not None and column.before is not None and column.after is not None:
            label = labelled(table.title, column.title)
            name = f"{table.id}.{column.key}"
            spread = table.total_spread(column)
            yield ComparedFigure(name, label, total.before, total.after, column.unit, spread=spread)
            return


def _finding(
    title: str,
    figure: ComparedFigure | None,
    thresholds: Thresholds,
    rows: Sequence[Explanation] = (),
    table: str = "",
) -> Finding | None:
    """What is said of a figure (of ``table``) that differs by more than the threshold, and is none of several runs."""
    if figure is None or not figure.difference or figure.inside_spread:
        return None
    if not isinstance(figure.before, (int, float)) or not isinstance(figure.after, (int, float)):
        return None
    if figure.before and 100.0 * abs(figure.difference / figure.before) < thresholds.regression:
        return None
    more = figure.difference > 0
    title = (
        tr("{title}: more than in the baseline", title=title)
        if more
        else tr("{title}: less than in the baseline", title=title)
    )
    outside = [row for row in rows if row.verdict != noise.INSIDE][:_MOST_LISTED]
    evidence = (
        Evidence(table, "", tr("{label}, before", label=figure.label or figure.id), figure.before, figure.unit),
        Evidence(table, "", tr("{label}, after", label=figure.label or figure.id), figure.after, figure.unit),
        *(_evidence(row) for row in outside),
    )
    return Finding("warning" if more else "info", title, _text(figure, figure.before, figure.after), evidence)


def _text(figure: ComparedFigure, number_before: float, number_after: float) -> Words:
    before, after = (_amount(value, figure.unit) for value in (number_before, number_after))
    if figure.percent is None:
        return sentence(tr("{before} before, {after} after.", before=before, after=after))
    share = Amount(abs(figure.percent), "%")
    return sentence(
        tr("{before} before, {after} after: {share} more.", before=before, after=after, share=share)
        if figure.percent > 0
        else tr("{before} before, {after} after: {share} less.", before=before, after=after, share=share)
    )


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
    tr(
        "Main figures of both profiles (time, memory, the fullest tile, data moved), and the rows that explain the "
        "difference beyond the noise."
    ),
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


Change: TypeAlias = Literal["came", "went", "stayed"]
TITLES: Final[dict[Change, str]] = {"came": tr("came"), "went": tr("went"), "stayed": tr("stayed")}


class FindingChange(Struct, frozen=True):
    """A finding of one rule; None on the side that does not have it."""

    rule: Rule
    before: Finding | None
    after: Finding | None

    @property
    def change(self) -> Change:
        return "came" if self.before is None else "went" if self.after is None else "stayed"

    @property
    def shown(self) -> Finding:
        """That after, if there is one."""
        finding = self.before if self.after is None else self.after
        assert finding is not None
        return finding


def finding_changes(
    before: Sequence[tuple[Rule, Finding]], after: Sequence[tuple[Rule, Finding]]
) -> list[FindingChange]:
    """Those that came, then those that went, then those that stayed, each in its order. Of a rule those about the same
    thing belong together, then the first that are left with the first."""
    made = [*_matched(before, after)]
    order: list[Change] = ["came", "went", "stayed"]
    return sorted(made, key=lambda one: order.index(one.change))


def _matched(before: Sequence[tuple[Rule, Finding]], after: Sequence[tuple[Rule, Finding]]) -> Iterator[FindingChange]:
    left: dict[str, list[Finding]] = {}
    for rule, finding in before:
        left.setdefault(rule.id, []).append(finding)
    open_: list[tuple[Rule, Finding]] = []
    for rule, finding in after:
        same = next((one for one in left.get(rule.id, ()) if _about(one) == _about(finding)), None)
        if same is None:
            open_.append((rule, finding))
        else:
            left[rule.id].remove(same)
            yield FindingChange(rule, same, finding)
    for rule, finding in open_:
        others = left.get(rule.id, [])
        yield FindingChange(rule, others.pop(0) if others else None, finding)
    for rule, finding in before:
        if finding in left[rule.id]:
            left[rule.id].remove(finding)
            yield FindingChange(rule, finding, None)


def _about(finding: Finding) -> tuple[tuple[str, str], ...]:
    """The rows of tables that it rests on."""
    return tuple((evidence.table, evidence.key) for evidence in finding.evidence)
