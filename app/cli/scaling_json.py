"""`scaling --json`: the figures, the curve and the checklist as one object."""

from __future__ import annotations

from typing import Any

from app import __version__
from app.analysis.export import clean_text
from app.analysis.scaling.advice import Facts, checklist
from app.analysis.scaling.inputs import FIELDS, Input
from app.analysis.scaling.measure import Derived, Missing
from app.analysis.scaling.model import fit_figures, results
from app.analysis.table import Table
from app.analysis.tables.scaling import curve_table
from app.views.pages.scaling import Pair


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
