"""What the operator panel shows with a baseline. Imported only then."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.operators import ComparedDurations, ComparedFact, compared_facts
from app.language import joined, labelled, tr
from app.panels.operator.picture import DOUBTFUL, TITLE
from app.profile.ascend import Operator
from app.profile.strings import Strings
from app.views.colours import GREY, sub_block_colour
from app.views.line import Line
from app.views.look import Look
from app.views.plot.picture import Limit, PlotPicture, plot_picture
from app.views.tile_axis import TileAxis
from app.views.units import NO_DATA, change, exact, format_value, percent_change
from app.widgets.display import Display
from app.widgets.sheet import Sheet


def compared_picture(both: ComparedDurations, base: Operator) -> PlotPicture | None:
    """A group of bars per block: for each sub-block, that of the baseline and beside it that of the comparison."""
    if not np.isfinite(both.before).any() and not np.isfinite(both.after).any():
        return None
    layers, colours = [], []
    for place, name in enumerate(both.sub_blocks):
        layers += [(tr("{name}, baseline", name=name), both.before[:, place]), (name, both.after[:, place])]
        colours += [GREY, sub_block_colour(name)]
    names = Strings.of(tr("block {name}", name=name) for name in both.names)
    axis = TileAxis(len(both.names), tr("Block"), names=names)
    limit = Limit(base.duration_us, tr("Operator")) if base.duration_us and not both.doubtful else None
    return plot_picture(
        joined(", ", (TITLE, DOUBTFUL)) if both.doubtful else TITLE,
        "" if both.doubtful else "µs",
        axis,
        layers,
        limit=limit,
        colours=tuple(colours),
        grouped=True,
    )


def page(comparison: Comparison, display: Display, remarks: tuple[str, ...]) -> Sheet:
    """Name, facts of both with their difference, and advice."""
    look = display.look
    own, other = comparison.before.operator, comparison.after.operator
    sheet = Sheet(display)
    names = [tr("no operator") if one is None else one.name or tr("Operator without a name") for one in (own, other)]
    sheet.title(names[1])
    if names[0] != names[1]:
        sheet.say(tr("Baseline: {name}", name=names[0]), "muted")
    for text in remarks:
        sheet.say(f"▲ {text}", "warning")
    sheet.space(4)
    sheet.facts(line_of(fact, look) for fact in compared_facts(comparison))
    sheet.end()
    return sheet


def line_of(fact: ComparedFact, look: Look) -> Line:
    """``212 µs (baseline 198 µs, +14 µs, +7.1 %)``; the figure alone where both are the same."""
    shown = fact.shown
    after, before = (
        NO_DATA if one is None else format_value(one.value, one.unit, look) for one in (fact.after, fact.before)
    )
    full = [
        part if one is None else labelled(part, exact(one.value, one.unit))
        for one, part in ((fact.after, ""), (fact.before, tr("Baseline")))
        if one is not None
    ]
    help_ = "\n".join(part for part in (shown.help, *(text.removeprefix(": ") for text in full)) if part)
    difference = fact.difference
    if difference is None or fact.before is None:
        text = after if after == before else tr("{after} (baseline: {before})", after=after, before=before)
        return Line(shown.label, text, help_)
    parts = [change(difference, shown.unit, look)]
    value = fact.before.value
    if difference and isinstance(value, int | float) and value and shown.unit != "%":
        parts.append(percent_change(difference, value))
    if not difference:
        return Line(shown.label, tr("{after} (same)", after=after), help_)
    changes = ", ".join(parts)
    text = tr("{after} (baseline {before}, {changes})", after=after, before=before, changes=changes)
    return Line(shown.label, text, help_)
