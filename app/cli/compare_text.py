"""`compare` for people: what differs most, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from app.analysis.compare import noise
from app.analysis.compare.as_table import row_names
from app.analysis.compare.changes import HOW_TITLES, Change
from app.analysis.compare.comparison import ComparedFigure, Comparison, Value
from app.analysis.compare.contents import ContentDifference
from app.analysis.compare.names import TITLES
from app.analysis.compare.ranking import NO_RULE_ID, Explanation, Ranking, Topic
from app.analysis.compare.rules import INEXACT, RULES, SIMILAR
from app.analysis.compare.tables import BOTH, STATUS_TITLES, ComparedColumn, ComparedTable
from app.analysis.table import Unit
from app.cli.columns import left, width
from app.language import labelled, plural, tr
from app.views.content_words import content_words
from app.views.units import NO_DATA, change, format_value, percent_change

MOST_ROWS: Final = 10


def lines(
    comparison: Comparison, made: Ranking, contents: Sequence[ContentDifference], limit: int | None
) -> Iterator[str]:
    """The comparison of the whole profiles."""
    yield tr("{after} compared with {before} (baseline)", after=comparison.after.name, before=comparison.before.name)
    yield from (f"  {limitation}" for limitation in comparison.limits)
    changed = [figure for figure in comparison.figures if figure.changed and figure.label]
    yield ""
    if changed:
        yield tr("Main figures that differ:")
        yield from _aligned([_figure(figure) for figure in changed])
    else:
        yield tr("All main figures are the same.")
    for topic in made.topics:
        yield from _topic(topic, limit)
    yield from _contents(contents, limit)
    yield from _changes(made.changes, limit)
    yield from _matched(made, comparison)


def table_lines(table: ComparedTable, limit: int | None) -> Iterator[str]:
    """The rows of one table that differ, the largest differences first."""
    order = table.order()
    rows = order[table.changed[order]]
    shown = rows[: MOST_ROWS if limit is None else limit]
    same = plural("{count:,} is the same", "{count:,} are the same", count=table.rows - len(rows))
    yield plural(
        "{title}: {count:,} row differs, {same}",
        "{title}: {count:,} rows differ, {same}",
        count=len(rows),
        title=table.title,
        same=same,
    )
    columns = [column for column in table.columns if column.subtracts]
    columns = [column for column in columns if bool(table.difference(column, rows).values.any())]
    for row, name in zip(shown.tolist(), row_names(table, shown), strict=True):
        yield f"  {name}" + ("" if table.status[row] == BOTH else f" ({STATUS_TITLES[int(table.status[row])]})")
        yield from _aligned([cells for column in columns if (cells := _cells(table, column, row))], "    ")
    if len(shown) < len(rows):
        yield f"  {plural('{count:,} more row', '{count:,} more rows', count=len(rows) - len(shown))}"
    totals = [(column, total) for column in table.columns if (total := table.total(column)) is not None]
    if totals:
        yield f"  {tr('Total')}"
        yield from _aligned([_line(c.title, t.before, t.after, t.difference, c.unit) for c, t in totals], "    ")
    yield from (f"  {labelled(column.title, column.why)}" for column in table.columns if column.why)


def _cells(table: ComparedTable, column: ComparedColumn, row: int) -> tuple[str, ...]:
    rows = np.array([row])
    sides = [table.cells(column, after=after, rows=rows) for after in (False, True)]
    difference = table.difference(column, rows)
    if not difference.known[0] or not difference.values[0]:
        return ()
    before, after = (side.values[0].item() if side.known[0] else None for side in sides)
    return _line(column.title, before, after, difference.values[0].item(), column.unit)


def _figure(figure: ComparedFigure) -> tuple[str, ...]:
    return _line(figure.label, *figure.display, figure.difference, figure.unit, figure.why)


def _line(
    label: str, before: Value, after: Value, difference: float | None, unit: Unit, why: str = ""
) -> tuple[str, ...]:
    texts = (format_value(before, unit), "→", format_value(after, unit))
    if difference is None:
        return (label, *texts, why, "")
    percent = ""
    if isinstance(before, (int, float)) and before and unit != "%":
        percent = f"({percent_change(difference, before)})"
    return (label, *texts, change(difference, unit), percent)


def _topic(topic: Topic, limit: int | None) -> Iterator[str]:
    yield ""
    total = "" if topic.total is None else "  ".join(part for part in _figure(topic.total) if part)
    yield labelled(topic.title, total or tr("no total in both profiles"))
    if not topic.rows:
        differs = topic.total is not None and bool(topic.total.difference)
        yield f"  {tr('No table explains this.') if differs else tr('No row differs.')}"
        return
    count = MOST_ROWS if limit is None else limit
    yield from _aligned([_explanation(row) for row in topic.rows[:count]])
    if len(topic.rows) > count:
        yield f"  {plural('{count:,} more row', '{count:,} more rows', count=len(topic.rows) - count)}"


def _explanation(row: Explanation) -> tuple[str, ...]:
    share = NO_DATA if row.share is None else format_value(row.share, "%")
    remarks = [] if row.status == BOTH else [STATUS_TITLES[row.status]]
    remarks += [tr("inside the spread")] if row.verdict == noise.INSIDE else []
    return (change(row.difference, row.unit), share, row.title, row.name, ", ".join(remarks))


def _contents(contents: Sequence[ContentDifference], limit: int | None) -> Iterator[str]:
    """Stored data that differs, the largest differences first."""
    if not contents:
        return
    other = [content for content in contents if not content.same]
    other.sort(key=lambda content: -(content.values.largest or 0.0) if content.values is not None else 0.0)
    same = plural("{count:,} is the same", "{count:,} are the same", count=len(contents) - len(other))
    yield ""
    yield tr("Stored data: {count:,} different, {same}", count=len(other), same=same)
    count = MOST_ROWS if limit is None else limit
    yield from _aligned([(content.kind, content.name, content_words(content)) for content in other[:count]])
    if len(other) > count:
        yield f"  {tr('{count:,} more', count=len(other) - count)}"


def _changes(changes: Sequence[Change], limit: int | None) -> Iterator[str]:
    if not changes:
        return
    yield ""
    yield tr("Other changes:")
    count = MOST_ROWS if limit is None else limit
    yield from _aligned([_change(change) for change in changes[:count]])
    if len(changes) > count:
        yield f"  {plural('{count:,} more change', '{count:,} more changes', count=len(changes) - count)}"


def _change(change: Change) -> tuple[str, ...]:
    what = f"{change.column}: {change.before or NO_DATA} → {change.after or NO_DATA}" if change.column else ""
    return (change.title, change.name, HOW_TITLES[change.how], what)


def _matched(made: Ranking, comparison: Comparison) -> Iterator[str]:
    titles = {rule.id: rule.title for rule in RULES}
    by_table: dict[str, list[str]] = {}
    for one in made.covered:
        words = by_table.setdefault(one.table, [])
        if one.rule != NO_RULE_ID:
            words.append(f"{one.before:,} {titles[one.rule]}")
        else:
            sides = ((one.before, STATUS_TITLES[1]), (one.after, STATUS_TITLES[2]))
            words += [f"{count:,} {title}" for count, title in sides if count]
    yield ""
    yield tr("Rows matched:")
    yield from _aligned([(table, ", ".join(words)) for table, words in by_table.items()])
    if any(one.rule == RULES[SIMILAR].id for one in made.covered):
        yield f"  {TITLES[comparison.names]}"
    if made.inexact:
        yield f"  {', '.join(made.inexact)}: {INEXACT}"


def _aligned(rows: Sequence[tuple[str, ...]], indent: str = "  ") -> Iterator[str]:
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)] if rows else []
    for row in rows:
        yield indent + "  ".join(left(cell, columns) for cell, columns in zip(row, widths, strict=True)).rstrip()
