"""The main figures of two profiles, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.compare.figures import ComparedFigure, Value
from app.analysis.compare.overview.texts import amounts, coded, percentages
from app.analysis.compare.overview.totals import DIFFERENCE, PERCENT
from app.analysis.table import Column, Table, difference_unit
from app.language import tr


def all_figures(figures: Sequence[ComparedFigure]) -> Table:
    """One row for each figure with a label, those that differ first."""
    own = sorted((figure for figure in figures if figure.label), key=lambda figure: not figure.changed)
    units = [figure.unit for figure in own]
    differences = [difference_unit(unit) for unit in units]
    columns = (
        Column("figure", tr("Figure"), coded(figure.label for figure in own), role="name"),
        amounts("before", tr("Baseline"), [_number(figure.before) for figure in own], units),
        amounts("after", tr("Comparison"), [_number(figure.after) for figure in own], units),
        amounts("difference", tr("Difference"), [figure.difference for figure in own], differences, DIFFERENCE),
        percentages(
            "percent", tr("Change"), [figure.percent for figure in own], PERCENT, tr("the figure of the baseline")
        ),
        Column("texts", tr("Text"), coded(_texts(figure) for figure in own), help=TEXTS),
    )
    return Table("comparison-figures", tr("Main figures"), columns)


TEXTS = tr("For figures that are not numbers: the value in the baseline and, if it differs, in the comparison.")


def _number(value: Value) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _texts(figure: ComparedFigure) -> str:
    sides = [_text(side) for side in figure.display]
    return sides[0] if sides[0] == sides[1] else " → ".join(side or "–" for side in sides) if any(sides) else ""


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return value if isinstance(value, str) else ""
