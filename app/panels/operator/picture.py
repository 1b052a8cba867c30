"""What the operator panel shows, alone or beside a baseline: bars of block durations, and base information."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from app.analysis.ascend import launch
from app.analysis.ascend.launch import NotChecked, in_waves, waves
from app.analysis.figures import Value
from app.analysis.figures.ascend import figures
from app.analysis.table import Unit
from app.language import joined, labelled, plural, tr
from app.panels.spec import scene_plot
from app.profile.ascend import Operator
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.views.axis import TileAxis
from app.views.colours import GREY, sub_block_colour
from app.views.look import Look
from app.views.pages.document import Line
from app.views.plot import Limit, PlotPicture, plot_picture
from app.views.units import NO_DATA, change, exact, format_value, percent_change, three_digits
from app.widgets.display import Display
from app.widgets.plot.scene import PlotScene
from app.widgets.sheet import Sheet

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.operators import ComparedDurations, ComparedFact

TITLE = tr("Duration of each block")
DOUBTFUL = tr("as stored; the unit is uncertain")
UNEVEN = 1.05
"""The longest block is compared with the mean if it takes at least this many times as long."""
THROTTLED = tr("The chip ran clearly below its rated frequency; times are longer than necessary.")


def picture_of(base: Operator, both: ComparedDurations | None = None) -> PlotPicture | None:
    """A group of bars per block, a bar per sub-block; with ``both``, that of the baseline beside each. None if there
    are no durations of blocks. If a block takes longer than its operator, the file's unit cannot be right, so no unit
    is shown."""
    layers, colours = [], []
    if both is None:
        stored, blocks, doubtful = launch.of_blocks(base), launch.block_names(base), launch.doubtful(base)
        for place, name in enumerate(launch.sub_block_names(base) if stored.size else ()):
            layers.append((name, stored[:, place]))
            colours.append(sub_block_colour(name))
    else:
        blocks, doubtful = both.names, both.doubtful
        known = np.isfinite(both.before).any() or np.isfinite(both.after).any()
        for place, name in enumerate(both.sub_blocks if known else ()):
            layers += [(tr("{name}, baseline", name=name), both.before[:, place]), (name, both.after[:, place])]
            colours += [GREY, sub_block_colour(name)]
    if not layers:
        return None
    names = Strings.of(tr("block {name}", name=name) for name in blocks)
    return plot_picture(
        joined(", ", (TITLE, DOUBTFUL)) if doubtful else TITLE,
        "" if doubtful else "µs",
        TileAxis(len(blocks), tr("Block"), names=names),
        layers,
        limit=Limit(base.duration_us, tr("Operator")) if base.duration_us and not doubtful else None,
        colours=tuple(colours) if len(layers) > 1 else (),
        grouped=True,
    )


def about_blocks(base: Operator) -> str:
    """How many blocks there are, and how much longer the longest took than the mean; "" without durations."""
    unit: Unit = "" if launch.doubtful(base) else "µs"
    names: Sequence[str] = launch.block_names(base)
    parts: list[str] = []
    for spread in launch.spreads(base):
        over = spread.longest / spread.mean if spread.mean > 0 else 1.0
        longest, block = format_value(spread.longest, unit), names[spread.block]
        mean = tr(
            "mean {mean}, median {median}",
            mean=format_value(spread.mean, unit),
            median=format_value(spread.median, unit),
        )
        text = (
            tr(
                "longest {longest} in block {block}, {over} × the mean",
                longest=longest,
                block=block,
                over=three_digits(over),
            )
            if over >= UNEVEN
            else tr("longest {longest} in block {block}", longest=longest, block=block)
        )
        parts += [text if spread.name == tr("Duration") else labelled(spread.name, text), mean]
    schedule = waves(base)
    blocks: str = plural("{count:,} block", "{count:,} blocks", count=len(names))
    if not isinstance(schedule, NotChecked):
        blocks = in_waves(schedule, blocks)
    return " · ".join([blocks, *parts]) if parts else ""


def stated(profile: Profile) -> dict[str, Value]:
    """What the summary says of the operator, by label."""
    return {figure.label: figure.display for figure in figures(profile) if figure.label}


def _is_stated(fact: launch.Fact, said: Mapping[str, Value]) -> bool:
    """Whether the summary has it; a text may differ in what it adds."""
    return fact.label in said and (not isinstance(fact.value, str) or fact.value == said[fact.label])


def page(
    base: Operator, display: Display, comparison: Comparison | None = None, said: Mapping[str, Value] | None = None
) -> Sheet:
    """Name, and the facts that are not ``said`` in the summary, which has the advice, too; with a baseline, all facts
    of both with their difference."""
    sheet = Sheet(display)
    name = _name(base)
    sheet.title(name)
    if comparison is not None:
        before = comparison.before.operator
        other = tr("no operator") if before is None else _name(before)
        if other != name:
            sheet.say(tr("Baseline: {name}", name=other), "muted")
    for text in _remarks(base) if comparison is not None or not base.advice else ():
        sheet.say(f"▲ {text}", "warning")
    sheet.space(4)
    if comparison is None:
        sheet.facts(_line(fact) for fact in launch.facts(base) if not _is_stated(fact, said or {}))
    else:
        from app.analysis.compare.operators import compared_facts

        sheet.facts(_compared_line(fact, display.look) for fact in compared_facts(comparison))
    sheet.end()
    return sheet


def _name(base: Operator) -> str:
    return base.name or tr("Operator without a name")


def _remarks(base: Operator) -> tuple[str, ...]:
    """What the file advises, or that the chip was throttled."""
    return (*base.advice, *((THROTTLED,) if launch.throttled(base) and not base.advice else ()))


def _line(fact: launch.Fact) -> Line:
    shown = format_value(fact.value, fact.unit)
    full = exact(fact.value, fact.unit)
    help_ = "\n".join(part for part in (fact.help, full if full != shown else "") if part)
    return Line(fact.label, shown, help_)


def _compared_line(fact: ComparedFact, look: Look) -> Line:
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


def _scene(profile: Profile, _look: Look) -> PlotScene | None:
    picture = None if profile.operator is None else picture_of(profile.operator)
    return None if picture is None else PlotScene(picture)


PLOTS = (
    scene_plot(
        "block-durations",
        tr("Duration of each block"),
        lambda profile: profile.operator is not None and picture_of(profile.operator) is not None,
        _scene,
    ),
)
