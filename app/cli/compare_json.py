"""`compare --json`: the comparison as one object, written table by table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np

from app import __version__
from app.analysis.compare.cause import Causes
from app.analysis.compare.changes import Change
from app.analysis.compare.codes import Plain, plain_cells
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.conditions import Judged
from app.analysis.compare.contents import ContentDifference
from app.analysis.compare.ranking import NO_RULE_ID, Covered, Explanation, RankingMaker, Topic
from app.analysis.compare.tables import STATUSES, Cells, ComparedColumn, ComparedTable
from app.analysis.findings.compared import FindingChange
from app.analysis.schema import per_second
from app.analysis.table import Column
from app.cli.terminal import json_text
from app.language import untranslated
from app.profile.arrays import I64
from app.profile.profile import Profile

BLOCK: Final = 4096
WHOLE_UNITS: Final = ("B", "cycles")
VERDICTS: Final = (None, "inside", "outside")


def pieces(
    comparison: Comparison,
    tables: Iterable[ComparedTable],
    limit: int | None,
    contents: Iterable[ContentDifference] = (),
    conditions: Iterable[Judged] = (),
    causes: Iterable[Causes] = (),
    findings: Iterable[FindingChange] = (),
) -> Iterator[str]:
    """The text of the object in pieces. ``limit``: rows of each table, those with the largest differences.
    ``contents``: of tensors and other stored data; ``causes``, ``findings``: of the whole profiles."""
    maker = RankingMaker(comparison)
    head = {
        "tilesight": __version__,
        "before": _profile(comparison.before),
        "after": _profile(comparison.after),
        "names": comparison.names,
        "limits": comparison.limits,
        "conditions": [_condition(judged) for judged in conditions],
        "figures": [_figure(figure) for figure in comparison.figures],
    }
    yield json_text(head, indented=False)[:-1] + ',\n"tables":['
    between = "\n"
    for table in tables:
        maker.add(table)
        yield between
        yield from _table(table, limit)
        between = ",\n"
    made = maker.ranking()
    tail = {
        "causes": [entry for own in causes for entry in cause_entries(own)],
        "findings": [_finding(change) for change in findings],
        "topics": [_topic(topic) for topic in made.topics],
        "changes": [_change(change) for change in made.changes],
        "contents": [_content(content) for content in contents],
        "matched": matched(made.covered),
    }
    yield "],\n" + json_text(tail, indented=False)[1:] + "\n"


def _finding(change: FindingChange) -> dict[str, Any]:
    before, after = (None if one is None else one.saving for one in (change.before, change.after))
    return {
        "change": change.change,
        "rule": change.rule.id,
        "severity": change.shown.severity,
        "title": change.shown.title,
        "at_most_before": None if before is None else before.at_most,
        "at_most_after": None if after is None else after.at_most,
        "unit": next((saving.unit for saving in (after, before) if saving is not None), ""),
    }


def cause_entries(own: Causes) -> list[dict[str, Any]]:
    """The rows that sum to the difference of one total."""
    return [
        {
            "cause": untranslated(row.cause),
            "kind": row.kind,
            "figure": own.figure,
            "difference": row.difference,
            "share": own.share(row),
            "work": row.work,
            "estimated": own.estimated,
            "why": own.why if row.kind == "rest" else "",
            "parts": [{"cause": untranslated(part.cause), "difference": part.difference} for part in row.parts],
        }
        for row in own.rows
    ]


def matched(covered: Iterable[Covered]) -> list[dict[str, Any]]:
    """How much each rule matched of each table; "none": the amounts of rows without a partner.
    ``share``: percent of the rows of both sides."""
    by_table: dict[str, list[Covered]] = {}
    for one in covered:
        by_table.setdefault(one.table, []).append(one)
    entries = []
    for table, parts in by_table.items():
        alone = next((part for part in parts if part.rule == NO_RULE_ID), None)
        rows = sum(part.before + part.after for part in parts)
        entries += [
            {
                "kind": table,
                "rule": part.rule,
                "rows": 0 if part is alone else part.before,
                "share": 100.0 * (part.before + part.after) / rows,
                "only_before": 0 if alone is None else alone.before,
                "only_after": 0 if alone is None else alone.after,
                "amounts": {
                    unit: {"column": amount.column, "before": amount.before, "after": amount.after}
                    for unit, amount in part.amounts.items()
                },
            }
            for part in parts
        ]
    return entries


def _profile(profile: Profile) -> dict[str, Any]:
    paths = [str(path) for path in profile.origin.paths]
    return {"name": profile.name, "format": profile.origin.format, "files": paths}


def _condition(judged: Judged) -> dict[str, Any]:
    made = {name: getattr(judged, name) for name in ("condition", "holds", "before", "after", "limit", "unit")}
    return made | ({"why": judged.why} if judged.why else {})


def _figure(figure: ComparedFigure) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": figure.id,
        "unit": figure.unit,
        "before": figure.before,
        "after": figure.after,
        "difference": figure.difference,
        "percent": figure.percent,
    }
    spread = {} if figure.spread is None else {"min": figure.spread[0], "max": figure.spread[1]}
    return made | spread | ({"why": figure.why} if figure.why else {})


def _table(table: ComparedTable, limit: int | None) -> Iterator[str]:
    shown = [column.shown for column in table.columns]
    rows = np.flatnonzero(table.changed)
    order = table.order()
    rows = order[table.changed[order]]
    chosen = rows if limit is None else rows[:limit]
    head: dict[str, Any] = {
        "id": table.id,
        "title": table.title,
        "columns": [column.key for column in shown],
        "units": ["s" if seconds(table, column) != 1 else column.unit for column in shown],
        "equal": table.rows - len(rows),
    }
    if len(chosen) < len(rows):
        head["left_out"] = len(rows) - len(chosen)
    if not table.matches.exact:
        head["aligned_exactly"] = False
    if not_compared := {column.key: column.why for column in table.columns if column.why}:
        head["not_compared"] = not_compared
    yield json_text(head, indented=False)[:-1] + ',"rows":['
    between = "\n"
    for start in range(0, len(chosen), BLOCK):
        for row in _rows(table, chosen[start : start + BLOCK]):
            yield between + json_text(row, indented=False)
            between = ",\n"
    totals = [(table.total(column), seconds(table, column.shown)) for column in table.columns]
    sums = {
        side: [None if total is None else _in_seconds(getattr(total, side), own) for total, own in totals]
        for side in SIDES
    }
    yield '],"totals":' + json_text(sums, indented=False) + "}"


SIDES: Final = ("before", "after", "difference")


def _rows(table: ComparedTable, rows: I64) -> Iterator[dict[str, Any]]:
    sides = [[_cells(table, column, rows, after=after) for column in table.columns] for after in (False, True)]
    differences = [_differences(table, column, rows) for column in table.columns]
    status = [STATUSES[number] for number in table.status[rows].tolist()]
    for place, text in enumerate(status):
        yield {
            "status": text,
            "before": [cells[place] for cells in sides[0]],
            "after": [cells[place] for cells in sides[1]],
            "difference": [cells[place] for cells in differences],
        }


def _cells(table: ComparedTable, column: ComparedColumn, rows: I64, *, after: bool) -> list[Plain]:
    if column.numeric:
        return _plain(table, column, table.cells(column, after=after, rows=rows))
    return plain_cells(column.of_side(after=after), (table.rows_after if after else table.rows_before)[rows])


def _differences(table: ComparedTable, column: ComparedColumn, rows: I64) -> list[Plain]:
    """None for texts, identifying numbers and places, and where one side has no figure."""
    before, after = (table.cells(column, after=side, rows=rows) for side in (False, True))
    known = before.known & after.known & column.subtracts
    return _plain(table, column, Cells(np.where(known, after.values - before.values, 0), known))


def seconds(table: ComparedTable, column: Column) -> float:
    """What figures of the column are divided by for programs."""
    return per_second(table.id, column.key, column.unit)


def _in_seconds(value: float | None, factor: float) -> float | None:
    return value if value is None or factor == 1 else value / factor


def _plain(table: ComparedTable, column: ComparedColumn, cells: Cells) -> list[Plain]:
    whole, factor = column.unit in WHOLE_UNITS, seconds(table, column.shown)
    if factor != 1:
        cells = Cells(cells.values / factor, cells.known)
    made: list[Plain] = []
    for value, known in zip(cells.values.tolist(), cells.known.tolist(), strict=True):
        number = int(value) if whole and isinstance(value, float) and value.is_integer() else value
        made.append(number if known else None)
    return made


def _topic(topic: Topic) -> dict[str, Any]:
    return {
        "id": topic.subject,
        "title": topic.title,
        "total": None if topic.total is None else _figure(topic.total),
        "rows": [_explanation(row) for row in topic.rows],
    }


def _explanation(row: Explanation) -> dict[str, Any]:
    return {
        "table": row.table,
        "name": row.name,
        "status": STATUSES[row.status],
        "before": row.before,
        "after": row.after,
        "difference": row.difference,
        "unit": row.unit,
        "share": row.share,
        "noise": VERDICTS[row.verdict],
    }


def _content(content: ContentDifference) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": content.kind, "name": content.name, "same": content.same}
    if content.values is not None:
        values = content.values
        made |= {"elements": values.elements, "different": values.different, "not_finite": values.not_finite}
        made |= {"largest_difference": values.largest, "mean_difference": values.mean}
    return made | ({"why": content.why} if content.why else {})


def _change(change: Change) -> dict[str, Any]:
    made = {"table": change.table, "name": change.name, "how": change.how}
    return made | ({"column": change.column, "before": change.before, "after": change.after} if change.column else {})
