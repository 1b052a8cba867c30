"""The totals of two profiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from app.analysis.compare import noise
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.figures import ComparedFigure
from app.analysis.compare.overview.texts import amounts, coded, percentages
from app.analysis.compare.overview.verdicts import verdict_column
from app.analysis.compare.ranking import Ranking, Topic
from app.analysis.table import Column, Table, difference_unit
from app.language import labelled, tr
from app.profile.profile import Profile

VERDICT_HELP: Final = tr(
    "By the rows that explain the total: outside the spread if any row is; inside if all rows with a verdict are. "
)


class Total(Struct, frozen=True):
    """A line of the table: a figure of ``topic``."""

    topic: Topic
    figure: ComparedFigure


def total_lines(comparison: Comparison, made: Ranking) -> list[Total]:
    """The total of each topic; with other clocks its time beside its cycles, with other numbers of tiles what it is per
    tile."""
    lines = []
    for topic in made.topics:
        if topic.total is None:
            continue
        lines.append(Total(topic, topic.total))
        lines += [Total(topic, figure) for figure in _beside(comparison, topic.total)]
    return lines


def totals(comparison: Comparison, made: Ranking) -> Table:
    """One row for each line."""
    lines = total_lines(comparison, made)
    own = [line.figure for line in lines]
    units = [figure.unit for figure in own]
    differences = [difference_unit(unit) for unit in units]
    columns = (
        Column("total", tr("Total"), coded(_name(line) for line in lines), role="name"),
        amounts("before", tr("Baseline"), [_number(figure.before) for figure in own], units),
        amounts("after", tr("Comparison"), [_number(figure.after) for figure in own], units),
        amounts("difference", tr("Difference"), [figure.difference for figure in own], differences, DIFFERENCE),
        percentages(
            "percent", tr("Change"), [figure.percent for figure in own], PERCENT, tr("the figure of the baseline")
        ),
        verdict_column((verdict_of(line.topic) for line in lines), VERDICT_HELP + noise.HELP),
    )
    return Table("comparison-totals", tr("Totals"), columns)


DIFFERENCE: Final = tr("Comparison minus baseline.")
PERCENT: Final = tr("100 × difference / figure of the baseline.")


def verdict_of(topic: Topic) -> int:
    """The verdict on the total, from those on its rows."""
    if topic.total is None or not topic.total.difference:
        return noise.UNKNOWN
    verdicts = {row.verdict for row in topic.rows}
    if noise.OUTSIDE in verdicts:
        return noise.OUTSIDE
    return noise.INSIDE if noise.INSIDE in verdicts else noise.UNKNOWN


def _name(line: Total) -> str:
    figure, title = line.figure, line.topic.title
    return title if not figure.label or figure.label == title else labelled(title, figure.label)


def _beside(comparison: Comparison, total: ComparedFigure) -> Iterator[ComparedFigure]:
    known = {figure.id: figure for figure in comparison.figures}
    each = known.get(f"{total.id}.per_tile")
    if each is not None:
        yield each
    clocks = [_clock(profile) for profile in (comparison.before, comparison.after)]
    before, after = _number(total.before), _number(total.after)
    if total.unit == "cycles" and all(clocks) and clocks[0] != clocks[1] and before is not None and after is not None:
        label = tr("{label}, as time", label=total.label)
        yield ComparedFigure(f"{total.id}.seconds", label, before / (clocks[0] or 1), after / (clocks[1] or 1), "s")


def _clock(profile: Profile) -> float | None:
    return None if profile.target is None else profile.target.clock_hz


def _number(value: object) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
