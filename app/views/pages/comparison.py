"""A comparison as sections of a page: figures that differ, what explains the differences, the rows of one table, and
conditions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from app.analysis.compare import noise
from app.analysis.compare.as_table import row_names
from app.analysis.compare.cause import Cause, Causes
from app.analysis.compare.changes import HOW_TITLES, Change
from app.analysis.compare.comparison import ComparedFigure, Comparison, Value
from app.analysis.compare.conditions import Judged
from app.analysis.compare.contents import ContentDifference
from app.analysis.compare.matched import INEXACT, RULES, SIMILAR
from app.analysis.compare.names import TITLES
from app.analysis.compare.overview import matched_share, verdict_of_figure, without_causes
from app.analysis.compare.ranking import NO_RULE_ID, Explanation, Ranking, Topic
from app.analysis.compare.tables import BOTH, STATUS_TITLES, ComparedColumn, ComparedTable
from app.analysis.findings.compared import TITLES as CHANGES
from app.analysis.findings.compared import FindingChange
from app.analysis.table import Unit
from app.language import joined, labelled, plural, tr
from app.views.content_words import content_words
from app.views.names_apart import side_names
from app.views.pages.document import Block, Line, Rows, Section, Sentence
from app.views.units import NO_DATA, change, exact, format_value, percent_change, signed_percent

MOST_ROWS: Final = 10
WIDEST: Final = 80
"""Characters of the name of a change, and of what changed."""
SIDES: Final = (tr("Baseline"), tr("Comparison"), tr("Difference"), tr("Change"))
TEN_TIMES: Final = 1000.0
"""Percent from which on a share is a factor."""
NUMBERS: Final = frozenset({1, 2, 3, 4})


def comparison_section(
    comparison: Comparison,
    made: Ranking,
    causes: Sequence[Causes] = (),
    findings: Sequence[FindingChange] = (),
    contents: Sequence[ContentDifference] = (),
    limit: int | None = None,
) -> Section:
    """The comparison of whole profiles; ``limit``: rows of each list, MOST_ROWS if None. Rows of tables explain totals
    that have no ``causes``."""
    most = MOST_ROWS if limit is None else limit
    blocks: list[Block] = [Sentence(limitation, "warning") for limitation in comparison.limits]
    blocks += map(_causes, causes)
    blocks += _findings(findings)
    changed = [figure for figure in comparison.figures if figure.changed and figure.label]
    if changed:
        blocks.append(Section(tr("Main figures that differ"), (_figures(changed, comparison.runs),)))
    else:
        blocks.append(Section(tr("All main figures are the same.")))
    blocks += (_topic(topic, most, comparison.runs) for topic in without_causes(made.topics, causes))
    if contents:
        blocks.append(_contents(contents, most))
    if made.changes:
        blocks.append(_changes(made.changes, most))
    blocks.append(_matched(made, comparison))
    return Section(title_of(comparison), tuple(blocks))


def title_of(comparison: Comparison) -> str:
    """What is compared with what."""
    after, before = side_names(comparison.after, comparison.before)
    if comparison.kept is None or comparison.kept.runs == 1:
        return tr("{after} compared with {before} (baseline)", after=after, before=before)
    return tr(
        "{after} compared with {before} (baseline, medians of {count:,} runs)",
        after=after,
        before=before,
        count=comparison.kept.runs,
    )


def table_section(table: ComparedTable, limit: int | None) -> Section:
    """The rows of one table that differ, the largest differences first, each with the columns that differ."""
    order = table.order()
    rows = order[table.changed[order]]
    shown = rows[: MOST_ROWS if limit is None else limit]
    same = plural("{count:,} is the same", "{count:,} are the same", count=table.rows - len(rows))
    title = plural(
        "{title}: {count:,} row differs, {same}",
        "{title}: {count:,} rows differ, {same}",
        count=len(rows),
        title=table.title,
        same=same,
    )
    columns = [column for column in table.columns if column.subtracts]
    columns = [column for column in columns if bool(table.difference(column, rows).values.any())]
    blocks: list[Block] = []
    for row, name in zip(shown.tolist(), row_names(table, shown), strict=True):
        side = "" if table.status[row] == BOTH else f" ({STATUS_TITLES[int(table.status[row])]})"
        cells = [cells for column in columns if (cells := _cells(table, column, row))]
        blocks.append(Section(f"{name}{side}", (_sides(tr("Column"), cells),) if cells else ()))
    if len(shown) < len(rows):
        blocks.append(Sentence(_more_rows(len(rows) - len(shown)), "muted"))
    totals = [(column, total) for column in table.columns if (total := table.total(column)) is not None]
    if totals:
        lines = [_line(c.title, t.before, t.after, t.difference, c.unit) for c, t in totals]
        blocks.append(Section(tr("Total"), (_sides(tr("Column"), lines),)))
    blocks += (Line(column.title, column.why) for column in table.columns if column.why)
    return Section(title, tuple(blocks))


def _sides(head: str, cells: Sequence[tuple[str, ...]]) -> Rows:
    return Rows((head, *SIDES), tuple(cells), NUMBERS)


def _more_rows(count: int) -> str:
    return plural("{count:,} more row", "{count:,} more rows", count=count)


def _cells(table: ComparedTable, column: ComparedColumn, row: int) -> tuple[str, ...]:
    rows = np.array([row])
    sides = [table.cells(column, after=after, rows=rows) for after in (False, True)]
    difference = table.difference(column, rows)
    if not difference.known[0] or not difference.values[0]:
        return ()
    before, after = (side.values[0].item() if side.known[0] else None for side in sides)
    return _line(column.title, before, after, difference.values[0].item(), column.unit)


def _figures(figures: Sequence[ComparedFigure], runs: int) -> Rows:
    """With what the spread of several runs says, if there is one."""
    cells = [_figure(figure) for figure in figures]
    if not runs:
        return _sides(tr("Figure"), cells)
    verdicts = map(verdict_of_figure, figures)
    remarks = ["" if verdict == noise.UNKNOWN else noise.words(verdict, runs) for verdict in verdicts]
    return Rows((tr("Figure"), *SIDES, ""), tuple((*row, r) for row, r in zip(cells, remarks, strict=True)), NUMBERS)


def _figure(figure: ComparedFigure) -> tuple[str, ...]:
    return _line(figure.label, *figure.display, figure.difference, figure.unit, figure.why)


def _line(
    label: str, before: Value, after: Value, difference: float | None, unit: Unit, why: str = ""
) -> tuple[str, ...]:
    texts = (format_value(before, unit), format_value(after, unit))
    if difference is None:
        return (label, *texts, why, "")
    percent = ""
    if isinstance(before, (int, float)) and before and unit != "%":
        percent = percent_change(difference, before)
    return (label, *texts, change(difference, unit), percent)


def _topic(topic: Topic, most: int, runs: int) -> Section:
    total = tr("no total in both profiles")
    if topic.total is not None:
        label, before, after, difference, percent = _figure(topic.total)
        values = tr("{before} → {after}", before=before, after=after)
        total = joined("  ", [text for text in (label, values, difference, percent and f"({percent})") if text])
    title = labelled(topic.title, total)
    if not topic.rows:
        differs = topic.total is not None and bool(topic.total.difference)
        text = tr("No table explains this.") if differs else tr("No row differs.")
        return Section(title, (Sentence(text, "muted"),))
    heads = (tr("Difference"), tr("Share"), tr("Table"), tr("Item"), "")
    more = _more_rows(len(topic.rows) - most) if len(topic.rows) > most else ""
    cells = tuple(_explanation(row, runs) for row in topic.rows[:most])
    return Section(title, (Rows(heads, cells, frozenset({0, 1}), more),))


def _causes(own: Causes) -> Section:
    """The rows that sum to the difference, each with its parts beneath it."""
    values = tr(
        "{before} → {after}", before=format_value(own.before, own.unit), after=format_value(own.after, own.unit)
    )
    title = joined("  ", [own.label, values, change(own.difference, own.unit)])
    heads = (tr("Difference"), tr("Share"), tr("Cause"), tr("Its own work"))
    cells = [cells for row in own.rows for cells in _cause(own, row)]
    blocks: list[Block] = [Rows(heads, tuple(cells), frozenset({0, 1, 3}))]
    if own.estimated:
        blocks.append(Sentence(tr("Estimated by replaying both runs; the rows sum to the difference."), "muted"))
    if own.why:
        blocks.append(Sentence(own.why, "muted"))
    return Section(title, tuple(blocks))


def _findings(changes: Sequence[FindingChange]) -> Iterator[Section]:
    """Those that came and went; how many stayed."""
    shown = [change for change in changes if change.change != "stayed"]
    stayed = len(changes) - len(shown)
    if not changes:
        return
    title = plural("Findings: {count:,} stayed", "Findings: {count:,} stayed", count=stayed)
    cells = tuple((CHANGES[change.change], change.shown.title) for change in shown)
    yield Section(title, (Rows((), cells),) if cells else ())


def _cause(own: Causes, row: Cause) -> Iterator[tuple[str, ...]]:
    work = "" if row.work is None else change(row.work, own.unit)
    yield (change(row.difference, own.unit), cause_share(own.share(row)), _cut(row.cause), work)
    for part in row.parts:
        yield (change(part.difference, own.unit), "", f"  {_cut(part.cause)}", "")


def cause_share(share: float | None) -> str:
    """A share of the difference; ten times and more as a factor."""
    if share is None:
        return NO_DATA
    if abs(share) < TEN_TIMES:
        return signed_percent(share)
    return f"{'−' if share < 0 else ''}×{abs(share) / 100:,.0f}"


def _explanation(row: Explanation, runs: int) -> tuple[str, ...]:
    share = NO_DATA if row.share is None else format_value(row.share, "%")
    remarks = [] if row.status == BOTH else [STATUS_TITLES[row.status]]
    remarks += [noise.words(row.verdict, runs)] if row.verdict == noise.INSIDE else []
    return (change(row.difference, row.unit), share, row.title, row.name, ", ".join(remarks))


def _contents(contents: Sequence[ContentDifference], most: int) -> Section:
    """Stored data that differs, the largest differences first."""
    other = [content for content in contents if not content.same]
    other.sort(key=lambda content: -(content.values.largest or 0.0) if content.values is not None else 0.0)
    same = plural("{count:,} is the same", "{count:,} are the same", count=len(contents) - len(other))
    title = tr("Stored data: {count:,} different, {same}", count=len(other), same=same)
    cells = tuple((content.kind, content.name, content_words(content)) for content in other[:most])
    more = tr("{count:,} more", count=len(other) - most) if len(other) > most else ""
    return Section(title, (Rows((), cells, more=more),) if cells else ())


def _changes(changes: Sequence[Change], most: int) -> Section:
    left = len(changes) - most
    more = plural("{count:,} more change", "{count:,} more changes", count=left) if left > 0 else ""
    return Section(tr("Other changes"), (Rows((), tuple(map(_change, changes[:most])), more=more),))


def _change(change: Change) -> tuple[str, ...]:
    what = f"{change.column}: {change.before or NO_DATA} → {change.after or NO_DATA}" if change.column else ""
    return (change.title, _cut(change.name), HOW_TITLES[change.how], _cut(what))


def _cut(text: str) -> str:
    """A row of texts may be a page: `--json` has all of it."""
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1].rstrip()}…"


def _matched(made: Ranking, comparison: Comparison) -> Section:
    blocks: list[Block] = [Line(table, ", ".join(words)) for table, words in _matched_words(made)]
    share = matched_share(made.covered)
    if share is not None:  # rounded down: it is 100 % only if all are
        text = format_value(math.floor(share * 10) / 10, "%")
        blocks.append(Sentence(tr("{share} of the rows are matched.", share=text), "muted"))
    if any(one.rule == RULES[SIMILAR].id for one in made.covered):
        blocks.append(Sentence(TITLES[comparison.names], "muted"))
    if made.inexact:
        blocks.append(Sentence(f"{', '.join(made.inexact)}: {INEXACT}", "muted"))
    return Section(tr("Rows matched"), tuple(blocks))


def _matched_words(made: Ranking) -> Iterator[tuple[str, list[str]]]:
    """How many rows of each table were matched by which rule, and how many have no partner."""
    titles = {rule.id: rule.title for rule in RULES}
    by_table: dict[str, list[str]] = {}
    for one in made.covered:
        words = by_table.setdefault(one.table, [])
        if one.rule != NO_RULE_ID:
            words.append(f"{one.before:,} {titles[one.rule]}")
        else:
            sides = ((one.before, STATUS_TITLES[1]), (one.after, STATUS_TITLES[2]))
            words += [f"{count:,} {title}" for count, title in sides if count]
    yield from by_table.items()


def condition_words(judged: Judged) -> str:
    """The figures of a condition that holds: before, after and limit; or why it cannot be evaluated."""
    if judged.holds is None:
        return judged.why
    before, after, limit = sides(judged)
    return tr("{before} before, {after} after, limit {limit}", before=before, after=after, limit=limit)


def sides(judged: Judged) -> tuple[str, str, str]:
    """The figures before and after, and the limit; with all digits where rounded ones would be the same."""
    values = judged.before, judged.after, judged.limit
    texts = [format_value(value, judged.unit) for value in values]
    if texts[1] == texts[2] and judged.after != judged.limit:
        texts = [NO_DATA if value is None else exact(value, judged.unit) for value in values]
    return texts[0], texts[1], texts[2]


def conditions_section(judged: Sequence[Judged]) -> Section:
    """Every condition, with its result."""
    heads = (tr("Condition"), tr("Result"), tr("Baseline"), tr("Comparison"), tr("Limit"))
    cells = tuple((one.condition, result_word(one), *sides(one)) for one in judged)
    failed = any(one.holds is not False for one in judged)
    reasons = tuple(Sentence(one.why, "warning") for one in judged if one.why)
    return Section(
        tr("Conditions"), (Rows(heads, cells, frozenset({2, 3, 4})), *reasons), colour="error" if failed else "text"
    )


def result_word(judged: Judged) -> str:
    """What became of it."""
    if judged.holds is None:
        return tr("not evaluated")
    return tr("holds") if judged.holds else tr("does not hold")
