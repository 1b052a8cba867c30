"""The scaling model as sections of a page: its inputs, figures, curve and checklist, and two profiles compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.figures import Figure
from app.analysis.scaling.advice import Advice, Facts, State, checklist
from app.analysis.scaling.doubling import counted_words
from app.analysis.scaling.inputs import FIELDS, GROUPS, MICRO_BATCH, Field, Input
from app.analysis.scaling.measure import Derived
from app.analysis.scaling.model import Model, fit_figures, machines, results
from app.analysis.scaling.quantities import written
from app.analysis.table import Column, Table
from app.analysis.tables.scaling import curve_table
from app.language import labelled, plural, tr
from app.views.differences import compared_with
from app.views.look import Look, TextColour
from app.views.pages.document import Block, Line, Rows, Section, Sentence
from app.views.scales import column_scales, titled
from app.views.units import NO_DATA, Scale, exact, format_value, percent

SHOWN: Final = (
    *("replicas", "throughput", "efficiency", "measured", "seconds", "host"),
    *("transfer", "ipu", "links", "waiting", "constant"),
)
"""The columns of the curve."""
MOST_ROWS: Final = 20
SIGNS: Final[dict[State, str]] = {"due": "▲", "unknown": "?", "fine": "✓"}
COLOURS: Final[dict[State, TextColour]] = {"due": "warning", "unknown": "muted", "fine": "ok"}
HEADINGS: Final[dict[State, str]] = {
    "due": tr("Recommended by the figures"),
    "unknown": tr("Cannot be determined yet"),
    "fine": tr("Not needed"),
}


class Pair(Struct, frozen=True):
    """Two profiles compared; ``constant``: the share of the time that more replicas do not reduce, None if the runs do
    not show it."""

    tables: Sequence[Table] = ()
    constant: float | None = None


def scaling_sections(facts: Facts, pair: Pair) -> Iterator[Section]:
    """Everything that is known, in the order in which one follows from the other."""
    if facts.model is not None:
        yield Section(tr("Inputs"), (_inputs(facts.model),))
        yield figures_section(facts.model, None)
        yield Section(tr("Over replicas"), (_rows(curve_table(facts.model), SHOWN),))
    elif facts.fit is not None:
        yield Section(tr("Measured"), tuple(figure_line(figure, None) for figure in fit_figures(facts.fit)))
    if facts.diagnosis is not None:
        yield Section(tr("Host"), (Sentence(facts.diagnosis.text),))
    yield Section(tr("Checklist"), tuple(checklist_sections(checklist(facts))))
    for table in pair.tables:
        notes = Sentence(table.note, "muted"), Sentence(counted_words(table), "muted")
        yield Section(table.title, (*notes, _rows(table)))
    if pair.constant is not None:
        share = percent(100 * pair.constant)
        text = tr("{constant} of the time does not shrink with more replicas.", constant=share)
        yield Section(tr("Both profiles"), (Sentence(text),))


def figures_section(model: Model, look: Look | None, before: Model | None = None) -> Section:
    """The figures of a model; ``before``: that of the baseline, whose figures stand beside."""
    title = plural("With {count:,} replica", "With {count:,} replicas", count=model.replicas)
    blocks: list[Block] = []
    if model.now is None:
        blocks.append(Sentence(tr("The fixed batch is too small for this many replicas."), "warning"))
    if not model.complete:
        blocks.append(Sentence(tr("▲ Without the allreduce: its time is unknown."), "warning"))
    known = {} if before is None else {one.name: one for one in results(before)}
    blocks += (figure_line(figure, look, known.get(figure.name)) for figure in results(model))
    blocks.append(Section(tr("Machines and links"), tuple(figure_line(figure, look) for figure in machines())))
    return Section(title, tuple(blocks))


def checklist_sections(advice: Sequence[Advice]) -> Iterator[Section]:
    """What the figures recommend, what they cannot tell, and what is not needed."""
    for state, heading in HEADINGS.items():
        if items := [item for item in advice if item.state == state]:
            yield Section(heading, tuple(sentence for item in items for sentence in _advice(item)))


def figure_line(figure: Figure, look: Look | None, before: Figure | None = None) -> Line:
    """A figure, beside that of the baseline."""
    value = figure.value if isinstance(figure.value, str | int | float) else str(figure.value)
    shown = format_value(value, figure.unit, look)
    full = exact(value, figure.unit)
    help_ = "\n".join(part for part in (figure.help, full if full != shown else "") if part)
    return Line(figure.label, shown if before is None else _beside(figure, before, shown, look), help_)


def _beside(figure: Figure, before: Figure, shown: str, look: Look | None) -> str:
    sides = before.value, figure.value
    if not all(isinstance(side, int | float) for side in sides) or before.unit != figure.unit:
        return shown if sides[0] == sides[1] else f"{shown} · {tr('baseline {before}', before=str(before.value))}"
    return f"{shown} · {compared_with(sides[0], sides[1], figure.unit, look)}"  # type: ignore[arg-type]


def _advice(item: Advice) -> Iterator[Sentence]:
    due = item.state == "due"
    yield Sentence(f"{SIGNS[item.state]} {labelled(item.title, item.figures)}", COLOURS[item.state], strong=due)
    if due:
        yield Sentence(item.what, depth=1)


def _inputs(model: Model) -> Rows:
    shown = [(field, model.inputs[field.key]) for group in GROUPS for field in FIELDS if field.group == group]
    cells = [(_label(field), _value(field, given), _origin(given)) for field, given in shown if _worth(field, given)]
    return Rows((), tuple(cells), frozenset({1}))


def _worth(field: Field, given: Input) -> bool:
    """Whether to show it: not if nobody gave it and nothing needs it."""
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


def _rows(table: Table, keys: Sequence[str] = ()) -> Rows:
    """At most MOST_ROWS rows of a table; ``keys``: of these columns."""
    columns = [column for column in table.columns if (_seen(column, keys) if keys else column.key != "meaning")]
    count = min(table.rows, MOST_ROWS)
    scales = column_scales(replace(table, columns=tuple(columns)), None, None)
    shown = [list(_texts(column, scale, count)) for column, scale in zip(columns, scales, strict=True)]
    heads = tuple(titled(column, scale, column.title) for column, scale in zip(columns, scales, strict=True))
    numbers = frozenset(place for place, column in enumerate(columns) if column.numeric)
    left = table.rows - count
    more = tr("and {rows:,} more; --json has all of them", rows=left) if left else ""
    return Rows(heads, tuple(zip(*shown, strict=True)), numbers, more)


def _seen(column: Column, keys: Sequence[str]) -> bool:
    """Whether to show this column: it is one of ``keys``, and not a time that is zero everywhere."""
    nothing = column.unit == "s" and isinstance(column.values, np.ndarray) and not column.values.any()
    return column.key in keys and not nothing


def _texts(column: Column, scale: Scale | None, rows: int) -> Iterator[str]:
    for row in range(rows):
        value = column.value(row)
        if scale is None or isinstance(value, str):
            yield format_value(value, column.unit)
        else:
            yield scale.number(value)
