"""The main figures and the checklist as pages."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.figures import Figure
from app.analysis.scaling.advice import Advice, State
from app.analysis.scaling.results import machines, results
from app.language import labelled, plural, tr
from app.views.differences import compared_with
from app.views.line import Line
from app.views.scaling.study import Study
from app.views.theme import TextColour
from app.views.units import exact, format_value
from app.widgets.display import Display
from app.widgets.sheet import Sheet

SIGNS: dict[State, str] = {"due": "▲", "unknown": "?", "fine": "✓"}
COLOURS: dict[State, TextColour] = {"due": "warning", "unknown": "muted", "fine": "ok"}
HEADINGS: dict[State, str] = {
    "due": tr("Recommended by the figures"),
    "unknown": tr("Cannot be determined yet"),
    "fine": tr("Not needed"),
}


def figures_sheet(study: Study, display: Display, before: Study | None = None) -> Sheet:
    """The figures of a study that has a model; ``before``: the baseline, whose figures stand beside."""
    sheet = Sheet(display)
    assert study.model is not None
    count = study.model.replicas
    sheet.title(plural("With {count:,} replica", "With {count:,} replicas", count=count))
    if study.model.now is None:
        sheet.say(tr("The fixed batch is too small for this many replicas."), "warning")
    if not study.model.complete:
        sheet.say(tr("▲ Without the allreduce: its time is unknown."), "warning")
    known = {} if before is None or before.model is None else {one.name: one for one in results(before.model)}
    sheet.facts(_line(figure, display, known.get(figure.name)) for figure in results(study.model))
    sheet.heading(tr("Machines and links"))
    sheet.facts(_line(figure, display) for figure in machines())
    sheet.end()
    return sheet


def _line(figure: Figure, display: Display, before: Figure | None = None) -> Line:
    value = figure.value if isinstance(figure.value, str | int | float) else str(figure.value)
    shown = format_value(value, figure.unit, display.look)
    full = exact(value, figure.unit)
    help_ = "\n".join(part for part in (figure.help, full if full != shown else "") if part)
    return Line(figure.label, shown if before is None else _beside(figure, before, shown, display), help_)


def _beside(figure: Figure, before: Figure, shown: str, display: Display) -> str:
    """The figure, and that of the baseline."""
    sides = before.value, figure.value
    if not all(isinstance(side, int | float) for side in sides) or before.unit != figure.unit:
        return shown if sides[0] == sides[1] else f"{shown} · {tr('baseline {before}', before=str(before.value))}"
    return f"{shown} · {compared_with(sides[0], sides[1], figure.unit, display.look)}"  # type: ignore[arg-type]


def checklist_sheet(advice: Sequence[Advice], display: Display) -> Sheet:
    """The checklist; items that are due stand out, the others are muted."""
    sheet = Sheet(display)
    before: State | None = None
    for item in advice:
        if item.state != before:
            sheet.space(4 if before else 0)
            sheet.heading(HEADINGS[item.state])
            before = item.state
        sheet.say(
            f"{SIGNS[item.state]} {labelled(item.title, item.figures)}", COLOURS[item.state], strong=item.state == "due"
        )
        if item.state == "due":
            sheet.say(item.what, depth=1)
    sheet.end()
    return sheet
