"""What `scaling` prints: one object for programs, or the same for people."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import orjson

from app import __version__
from app.analysis.export import clean_text
from app.analysis.figures.figure import Figure
from app.analysis.scaling.advice import Advice, Facts, checklist
from app.analysis.scaling.doubling import counts
from app.analysis.scaling.fields import FIELDS, GROUPS, Field
from app.analysis.scaling.finding import Found, Missing
from app.analysis.scaling.inputs import Given
from app.analysis.scaling.model import Model
from app.analysis.scaling.quantities import written
from app.analysis.scaling.results import results
from app.analysis.table import Column, Table
from app.analysis.tables.scaling_model import curve_table
from app.widgets.units import NO_DATA, format_value

WITHOUT: Final = "the time of the allreduce is not known, so these are figures without it"
SHOWN: Final = (
    "replicas",
    "throughput",
    "efficiency",
    "measured",
    "seconds",
    "host",
    "transfer",
    "ipu",
    "links",
    "waiting",
    "constant",
)
SIGNS: Final = {"due": "!", "unknown": "?", "fine": " "}
MOST_ROWS: Final = 20


def write(facts: Facts, compared: Sequence[Table], *, as_json: bool) -> None:
    """All of it on standard output."""
    if as_json:
        options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        sys.stdout.buffer.write(orjson.dumps(as_object(facts, compared), option=options))
    else:
        print(clean_text("\n".join(lines(facts, compared))))


# -- for programs ---------------------------------------------------------------------------------------------


def as_object(facts: Facts, compared: Sequence[Table]) -> dict[str, Any]:
    """Numbers in seconds, bytes, samples per second; shares 0..1; what is not known is left out."""
    found: dict[str, Any] = {"tilesight": __version__}
    model = facts.model
    if model is not None:
        found["complete"] = model.complete
        found["inputs"] = {field.key: _input(model.inputs[field.key]) for field in FIELDS}
        found["figures"] = {figure.name: _plain(figure.value, figure.unit) for figure in results(model)}
        found["curve"] = _rows(curve_table(model))
        if model.diagnosis is not None:
            found["host"] = {"limit": model.diagnosis.limit, "grows": model.diagnosis.grows}
        found["checklist"] = [
            {"id": item.id, "state": item.state, "figures": item.figures} for item in checklist(facts)
        ]
    if compared:
        found["compared"] = {table.id: _rows(table) for table in compared}
    return found


def _input(given: Given) -> dict[str, Any]:
    found: dict[str, Any] = {"value": given.value, "origin": given.origin}
    if isinstance(given.finding, Found):
        found["profile"] = {"value": given.finding.value, "how": given.finding.how, "steps": len(given.finding.steps)}
    elif isinstance(given.finding, Missing):
        found["profile"] = {"why_not": given.finding.why}
    return found


def _rows(table: Table) -> list[dict[str, Any]]:
    cells = [
        {column.key: _plain(value, column.unit) for column in table.columns if (value := column.value(row)) is not None}
        for row in range(table.rows)
    ]
    return [
        {key: clean_text(value) if isinstance(value, str) else value for key, value in row.items()} for row in cells
    ]


def _plain(value: object, unit: str) -> object:
    return value / 100 if unit == "%" and isinstance(value, int | float) else value


# -- for people -----------------------------------------------------------------------------------------------


def lines(facts: Facts, compared: Sequence[Table]) -> Iterator[str]:
    """The page, line by line."""
    model = facts.model
    if model is not None:
        yield "Inputs"
        yield from _inputs(model)
        yield ""
        yield f"With {model.replicas:,} replica{'' if model.replicas == 1 else 's'}"
        yield from _figures(results(model))
        yield ""
        yield "Over replicas"
        yield from _aligned(curve_table(model), SHOWN)
        if model.diagnosis is not None:
            yield ""
            yield f"Host: {model.diagnosis.text}"
        yield ""
        yield "Checklist (! the figures call for it, ? cannot be told)"
        yield from _advice(checklist(facts))
    for number, table in enumerate(compared):
        if number or model is not None:
            yield ""
        yield table.title
        yield f"  {table.note}"
        yield f"  {', '.join(f'{word}: {count:,}' for word, count in counts(table).items())}"
        yield from _aligned(table)


def _inputs(model: Model) -> Iterator[str]:
    shown = [(field, model.inputs[field.key]) for group in GROUPS for field in FIELDS if field.group == group]
    shown = [pair for pair in shown if _worth(*pair)]
    cells = [(_label(field), _value(field, given), _origin(given)) for field, given in shown]
    first, second = (max(len(cell[place]) for cell in cells) for place in (0, 1))
    for label, value, origin in cells:
        yield f"  {label:{first}}  {value:>{second}}  {origin}".rstrip()


def _worth(field: Field, given: Given) -> bool:
    """Whether it is worth a line: not what nobody gave and nobody needs."""
    return given.origin in ("typed", "profile") or (not field.more and given.value != 0 and given.origin == "default")


def _label(field: Field) -> str:
    return f"{field.group}: {field.label}" if field.group == "One micro-batch" else field.label


def _value(field: Field, given: Given) -> str:
    if given.value is None:
        return NO_DATA
    if field.kind == "time":
        return format_value(given.value, "s")
    return f"{given.value:,.0f}" if field.kind == "count" else written(given.value, field.kind)


def _origin(given: Given) -> str:
    finding = given.finding
    if given.origin == "profile" and isinstance(finding, Found):
        count = len(finding.steps)
        return f"profile: {finding.how}" + (f" ({count:,} step{'' if count == 1 else 's'})" if count else "")
    return given.origin


def _figures(found: Sequence[Figure]) -> Iterator[str]:
    width = max(len(figure.label) for figure in found)
    for figure in found:
        value = figure.value if isinstance(figure.value, str | int | float) else str(figure.value)
        yield f"  {figure.label:{width}}  {format_value(value, figure.unit)}"


def _advice(items: Sequence[Advice]) -> Iterator[str]:
    width = max(len(item.title) for item in items)
    for item in items:
        yield f"  {SIGNS[item.state]} {item.title:{width}}  {item.figures}"
        if item.state == "due":
            yield f"    {'':{width}}  {item.what}"


def _aligned(table: Table, keys: Sequence[str] = ()) -> Iterator[str]:
    """Columns one below the other, figures at the right; MOST_ROWS of them."""
    columns = [column for column in table.columns if (_seen(column, keys) if keys else column.key != "meaning")]
    rows = min(table.rows, MOST_ROWS)
    cells = [[column.title, *_cells(column, rows)] for column in columns]
    widths = [max(map(len, column)) for column in cells]
    for row in range(rows + 1):
        parts = (
            f"{cell[row]:>{width}}" if column.numeric else f"{cell[row]:{width}}"
            for cell, width, column in zip(cells, widths, columns, strict=True)
        )
        yield "  " + "  ".join(parts).rstrip()
    if table.rows > rows:
        yield f"  and {table.rows - rows:,} more; --json has all of them"


def _seen(column: Column, keys: Sequence[str]) -> bool:
    """One of ``keys``; a part that is nothing anywhere needs no column."""
    nothing = column.unit == "s" and isinstance(column.values, np.ndarray) and not column.values.any()
    return column.key in keys and not nothing


def _cells(column: Column, rows: int) -> Iterator[str]:
    for row in range(rows):
        yield format_value(column.value(row), column.unit).removesuffix(" cycles")
