"""The output of `scaling`, as a JSON object or as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app import __version__
from app.analysis.export import clean_text
from app.analysis.figures.figure import Figure
from app.analysis.scaling.advice import Advice, Facts, checklist
from app.analysis.scaling.doubling import counted_words
from app.analysis.scaling.fields import FIELDS, GROUPS, MICRO_BATCH, Field
from app.analysis.scaling.finding import Derived, Missing
from app.analysis.scaling.inputs import Input
from app.analysis.scaling.model import Model
from app.analysis.scaling.quantities import written
from app.analysis.scaling.results import fit_figures, results
from app.analysis.table import Column, Table
from app.analysis.tables.scaling_model import curve_table
from app.cli.columns import left, right, width
from app.cli.terminal import say, say_json
from app.language import plural, tr
from app.views.scales import column_scales, titled
from app.views.units import NO_DATA, Scale, format_value, percent

WITHOUT: Final = tr("the allreduce time is unknown, so the figures exclude it")
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


class Pair(Struct, frozen=True):
    """Two profiles compared; ``constant``: the share of the time that more replicas do not reduce, None if the runs do
    not show it."""

    tables: Sequence[Table] = ()
    constant: float | None = None


def write(facts: Facts, pair: Pair, *, as_json: bool) -> None:
    """Prints everything to standard output."""
    if as_json:
        say_json(as_object(facts, pair))
    else:
        say(lines(facts, pair))


# -- as JSON --------------------------------------------------------------------------------------------------


def as_object(facts: Facts, pair: Pair) -> dict[str, Any]:
    """Numbers in seconds, bytes, samples per second; shares are 0..1; unknown values are omitted."""
    document: dict[str, Any] = {"tilesight": __version__}
    model = facts.model
    if model is not None:
        document["complete"] = model.complete
        document["inputs"] = {field.key: _input(model.inputs[field.key]) for field in FIELDS}
        document["figures"] = {figure.name: _plain(figure.value, figure.unit) for figure in results(model)}
        document["curve"] = _rows(curve_table(model))
    else:
        document["figures"] = {figure.name: _plain(figure.value, figure.unit) for figure in fit_figures(facts.fit)}
    if facts.diagnosis is not None:
        document["host"] = {"limit": facts.diagnosis.limit, "grows": facts.diagnosis.grows}
    document["checklist"] = [{"id": item.id, "state": item.state, "figures": item.figures} for item in checklist(facts)]
    if pair.tables:
        document["compared"] = {table.id: _rows(table) for table in pair.tables}
    if pair.constant is not None:
        document["constant_share"] = pair.constant
    return document


def _input(given: Input) -> dict[str, Any]:
    described: dict[str, Any] = {"value": given.value, "origin": given.origin}
    if isinstance(given.finding, Derived):
        described["profile"] = {
            "value": given.finding.value,
            "how": given.finding.how,
            "steps": len(given.finding.steps),
        }
    elif isinstance(given.finding, Missing):
        described["profile"] = {"why_not": given.finding.why}
    return described


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


# -- as text --------------------------------------------------------------------------------------------------


def lines(facts: Facts, pair: Pair) -> Iterator[str]:
    """The page, line by line."""
    model = facts.model
    if model is not None:
        yield tr("Inputs")
        yield from _inputs(model)
        yield ""
        yield plural("With {count:,} replica", "With {count:,} replicas", count=model.replicas)
        yield from _figures(results(model))
        yield ""
        yield tr("Over replicas")
        yield from _aligned(curve_table(model), SHOWN)
    elif facts.fit is not None:
        yield tr("Measured")
        yield from _figures(list(fit_figures(facts.fit)))
    if facts.diagnosis is not None:
        yield ""
        yield tr("Host: {diagnosis}", diagnosis=facts.diagnosis.text)
    yield ""
    yield tr("Checklist (! recommended by the figures, ? cannot be determined)")
    yield from _advice(checklist(facts))
    if pair.constant is not None:
        yield ""
        yield tr(
            "{constant} of the time does not shrink with more replicas.",
            constant=percent(100 * pair.constant),
        )
    for table in pair.tables:
        yield ""
        yield table.title
        yield f"  {table.note}"
        yield f"  {counted_words(table)}"
        yield from _aligned(table)


def _inputs(model: Model) -> Iterator[str]:
    shown = [(field, model.inputs[field.key]) for group in GROUPS for field in FIELDS if field.group == group]
    shown = [pair for pair in shown if _worth(*pair)]
    cells = [(_label(field), _value(field, given), _origin(given)) for field, given in shown]
    first, second = (max(width(cell[place]) for cell in cells) for place in (0, 1))
    for label, value, origin in cells:
        yield f"  {left(label, first)}  {right(value, second)}  {origin}".rstrip()


def _worth(field: Field, given: Input) -> bool:
    """Whether to print it: not if nobody gave it and nothing needs it."""
    return given.origin in ("typed", "profile") or (not field.more and given.value != 0 and given.origin == "default")


def _label(field: Field) -> str:
    return f"{field.group}: {field.label}" if field.group == MICRO_BATCH else field.label


def _value(field: Field, given: Input) -> str:
    if given.value is None:
        return NO_DATA
    if field.kind == "time":
        return format_value(given.value, "s")
    return f"{given.value:,.0f}" if field.kind == "count" else written(given.value, field.kind)


def _origin(given: Input) -> str:
    finding = given.finding
    if given.origin == "profile" and isinstance(finding, Derived):
        count = len(finding.steps)
        return tr("profile: {how}", how=finding.how) + (
            plural(" ({count:,} step)", " ({count:,} steps)", count=count) if count else ""
        )
    return given.origin


def _figures(figures: Sequence[Figure]) -> Iterator[str]:
    first = max(width(figure.label) for figure in figures)
    for figure in figures:
        value = figure.value if isinstance(figure.value, str | int | float) else str(figure.value)
        yield f"  {left(figure.label, first)}  {format_value(value, figure.unit)}"


def _advice(items: Sequence[Advice]) -> Iterator[str]:
    first = max(width(item.title) for item in items)
    for item in items:
        yield f"  {SIGNS[item.state]} {left(item.title, first)}  {item.figures}"
        if item.state == "due":
            yield f"    {' ' * first}  {item.what}"


def _aligned(table: Table, keys: Sequence[str] = ()) -> Iterator[str]:
    """Aligned columns with figures on the right, at most MOST_ROWS rows."""
    columns = [column for column in table.columns if (_seen(column, keys) if keys else column.key != "meaning")]
    rows = min(table.rows, MOST_ROWS)
    scales = column_scales(replace(table, columns=tuple(columns)), None, None)
    cells = [
        [titled(column, scale, column.title), *_texts(column, scale, rows)]
        for column, scale in zip(columns, scales, strict=True)
    ]
    widths = [max(map(width, column)) for column in cells]
    for row in range(rows + 1):
        parts = (
            right(cell[row], size) if column.numeric else left(cell[row], size)
            for cell, size, column in zip(cells, widths, columns, strict=True)
        )
        yield "  " + "  ".join(parts).rstrip()
    if table.rows > rows:
        yield tr("  and {rows:,} more; --json has all of them", rows=table.rows - rows)


def _seen(column: Column, keys: Sequence[str]) -> bool:
    """Whether to print this column: it is one of ``keys``, and not a time that is zero everywhere."""
    nothing = column.unit == "s" and isinstance(column.values, np.ndarray) and not column.values.any()
    return column.key in keys and not nothing


def _texts(column: Column, scale: Scale | None, rows: int) -> Iterator[str]:
    for row in range(rows):
        value = column.value(row)
        if scale is None or isinstance(value, str):
            yield format_value(value, column.unit)
        else:
            yield scale.number(value)
