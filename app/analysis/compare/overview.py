"""A comparison as tables: totals, their causes, other changes, all main figures, how rows were matched, and what
cannot be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare import noise
from app.analysis.compare.cause import Cause, Causes
from app.analysis.compare.changes import HOW_TITLES, Change
from app.analysis.compare.comparison import ComparedFigure, Comparison, Value
from app.analysis.compare.matched import INEXACT, RULES
from app.analysis.compare.ranking import NO_RULE_ID, Amount, Covered, Explanation, Ranking, Topic
from app.analysis.compare.tables import BOTH, STATUS_TITLES
from app.analysis.findings.compared import TITLES as CHANGES
from app.analysis.findings.compared import FindingChange
from app.analysis.table import Coded, Column, Table, Unit, difference_unit
from app.language import joined, labelled, tr
from app.profile.arrays import F64, Bool
from app.profile.profile import Profile
from app.profile.strings import Strings


def coded(texts: Iterable[str]) -> Coded:
    """The texts, each stored once; "" is no text."""
    numbers: dict[str, int] = {}
    ids = [numbers.setdefault(text, len(numbers)) if text else -1 for text in texts]
    return Coded(np.array(ids, np.int32), Strings.of(numbers))


def _numbers(values: Sequence[float | None]) -> tuple[F64, Bool]:
    """float64 and bool: the values, and which of them are missing."""
    missing = np.array([value is None for value in values], np.bool_)
    return np.array([0.0 if value is None else value for value in values], np.float64), missing


def amounts(key: str, title: str, values: Sequence[float | None], units: Sequence[str], help_: str = "") -> Column:
    """A column of figures in the unit of each row."""
    numbers, missing = _numbers(values)
    return Column(key, title, numbers, help=help_, missing=missing, units=coded(units), adds_up=False)


def percentages(key: str, title: str, values: Sequence[float | None], help_: str, share_of: str) -> Column:
    """A column of signed percentages."""
    numbers, missing = _numbers(values)
    return Column(key, title, numbers, "%", help_, missing, share_of=share_of)


SIDE_A: Final = tr("The profile that is shown.")
SIDE_B: Final = tr("The baseline.")
DIFFERENCE: Final = tr("Comparison minus baseline.")
PERCENT: Final = tr("100 × difference / figure of the baseline.")
VERDICT_HELP: Final = tr(
    "By the rows that explain the total: above the noise if any row is; within it if all rows that are known are. "
)


def verdict_column(verdicts: Iterable[int], runs: int, help_: str = noise.HELP) -> Column:
    """What the difference is, measured by the spread of single measurements, or of several ``runs``."""
    texts = (noise.words(verdict, runs) for verdict in verdicts)
    return Column("spread", tr("Noise"), coded(texts), help=help_, role="kind")


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
    columns = (
        Column("total", tr("Total"), coded(_name(line) for line in lines), role="name"),
        *_figure_columns(own),
        verdict_column((verdict_of(line.topic) for line in lines), comparison.runs, VERDICT_HELP + noise.HELP),
    )
    return Table("comparison-totals", tr("Totals"), columns)


def _figure_columns(figures: Sequence[ComparedFigure]) -> Iterator[Column]:
    units = [figure.unit for figure in figures]
    differences, changes = [figure.difference for figure in figures], [figure.percent for figure in figures]
    yield amounts("after", tr("A"), [_number(figure.after) for figure in figures], units, SIDE_A)
    yield amounts("before", tr("B"), [_number(figure.before) for figure in figures], units, SIDE_B)
    yield amounts("difference", tr("Δ"), differences, [*map(difference_unit, units)], DIFFERENCE)
    yield percentages("percent", tr("Δ"), changes, PERCENT, tr("the figure of the baseline"))


def verdict_of(topic: Topic) -> int:
    """The verdict on the total, from those on its rows."""
    if topic.total is None or not topic.total.difference:
        return noise.UNKNOWN
    if topic.total.spread is not None:
        return verdict_of_figure(topic.total)
    verdicts = {row.verdict for row in topic.rows}
    if noise.OUTSIDE in verdicts:
        return noise.OUTSIDE
    return noise.INSIDE if noise.INSIDE in verdicts else noise.UNKNOWN


def verdict_of_figure(figure: ComparedFigure) -> int:
    """By the runs of the baseline."""
    if figure.spread is None or not figure.changed:
        return noise.UNKNOWN
    return noise.INSIDE if figure.inside_spread else noise.OUTSIDE


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


def without_causes(topics: Sequence[Topic], causes: Iterable[Causes]) -> list[Topic]:
    """The topics whose total has no causes: rows of tables stand for them, which need not sum to it."""
    explained = {own.figure for own in causes}
    return [topic for topic in topics if topic.total is None or topic.total.id not in explained]


def topic_rows(topics: Iterable[Topic]) -> list[tuple[str, Explanation]]:
    """The rows of these topics, each with the name of its total; those within the noise last."""
    rows = [(_total_name(topic), row) for topic in topics for row in topic.rows]
    return sorted(rows, key=lambda one: one[1].verdict == noise.INSIDE)


def _total_name(topic: Topic) -> str:
    return topic.title if topic.total is None else topic.total.label or topic.title


def cause_table(
    causes: Sequence[Causes], rows: Sequence[tuple[str, Explanation]], written: Callable[[float, Unit], str], runs: int
) -> Table:
    """One row for each cause; those of a total sum to its difference. Below, ``rows`` of tables with the names of their
    totals: without shares, since they need not sum to anything. ``written``: a signed amount as text; ``runs``: of the
    baseline, if they have a spread."""
    own = [(one, row) for one in causes for row in one.rows]
    none: list[None] = [None] * len(rows)
    units = [difference_unit(unit) for unit in (*(one.unit for one, _ in own), *(row.unit for _, row in rows))]
    works = [row.work for _, row in own]
    has_work = any(work is not None for work in works)
    work = [amounts("work", tr("Its own work"), [*works, *none], units, WORK_HELP)] if has_work else []
    names = coded([*(row.cause for _, row in own), *(row.name for _, row in rows)])
    shares = [*(one.share(row) for one, row in own), *none]
    differences = [*(row.difference for _, row in own), *(row.difference for _, row in rows)]
    totals_ = coded([*(one.label for one, _ in own), *(total for total, _ in rows)])
    made_of = coded([*(_parts(one, row, written) for one, row in own), *(_source(row, runs) for _, row in rows)])
    columns = (
        Column("name", tr("Cause"), names, role="name"),
        percentages("share", tr("Share"), shares, CAUSE_SHARE, OF_TOTAL),
        amounts("difference", tr("Difference"), differences, units, CAUSE_HELP),
        *work,
        Column("total", tr("Total"), totals_, role="kind"),
        Column("parts", tr("Made of"), made_of),
    )
    return Table("comparison-causes", tr("Causes"), columns)


def _source(row: Explanation, runs: int) -> str:
    """The table of a row, and what else is to be said of it."""
    remarks = [] if row.status == BOTH else [STATUS_TITLES[row.status]]
    remarks += [noise.words(row.verdict, runs)] if row.verdict == noise.INSIDE else []
    return joined(", ", [tr("row of the table {table}", table=row.title), *remarks])


def _parts(own: Causes, row: Cause, written: Callable[[float, Unit], str]) -> str:
    texts = [f"{part.cause} {written(part.difference, own.unit)}" for part in row.parts]
    reason = [own.why] if own.why and row.kind == "rest" else []
    return joined(" ", [*reason, joined(", ", texts)] if texts else reason)


def finding_table(changes: Sequence[FindingChange]) -> Table:
    """One row for each finding of either side."""
    savings = [[None if one is None else one.saving for one in (change.before, change.after)] for change in changes]
    units = [next((saving.unit for saving in pair if saving is not None), "") for pair in savings]
    sides = [[None if saving is None else saving.at_most for saving in pair] for pair in savings]
    columns = (
        Column("change", tr("Change"), coded(CHANGES[change.change] for change in changes), role="kind"),
        Column("title", tr("Finding"), coded(change.shown.title for change in changes), role="name"),
        amounts("before", tr("Saves at most, baseline"), [pair[0] for pair in sides], units),
        amounts("after", tr("Saves at most, comparison"), [pair[1] for pair in sides], units),
        Column("rule", tr("Rule"), coded(change.rule.id for change in changes), role="code"),
    )
    return Table("comparison-findings", tr("Findings"), columns)


OF_TOTAL: Final = tr("the difference of the total")
CAUSE_SHARE: Final = tr("100 × difference of the row / difference of the total. The shares of a total add up to 100 %.")
CAUSE_HELP: Final = tr(
    "How much the total changed because of this. The rows of a total sum to its difference. Times of a timeline are "
    "estimated: both runs are replayed, and what changed is put in one cause at a time."
)
WORK_HELP: Final = tr("By how much the work itself changed: beside a longer chain it costs less, or nothing.")


def changed(changes: Sequence[Change]) -> Table:
    """One row for each change."""
    columns = (
        Column("name", tr("Item"), coded(change.name for change in changes), role="name"),
        Column("how", tr("Change"), coded(HOW_TITLES[change.how] for change in changes), role="kind"),
        Column("table", tr("Table"), coded(change.title for change in changes), role="kind"),
        Column("column", tr("Column"), coded(change.column for change in changes), role="kind"),
        Column("before", tr("Baseline"), coded(change.before for change in changes)),
        Column("after", tr("Comparison"), coded(change.after for change in changes)),
    )
    return Table("comparison-changes", tr("Other changes"), columns)


def limits(comparison: Comparison, made: Ranking) -> Table:
    """One row for each reason."""
    rows = list(_reasons(comparison, made))
    columns = (
        Column("what", tr("Item"), coded(what for what, _ in rows), role="name"),
        Column("why", tr("Limitation"), coded(why for _, why in rows)),
    )
    return Table("comparison-limits", tr("Not comparable"), columns)


def _reasons(comparison: Comparison, made: Ranking) -> Iterator[tuple[str, str]]:
    for why in comparison.limits:
        yield tr("Profiles"), why
    for figure in comparison.figures:
        if figure.why:
            yield figure.label or figure.id, figure.why
    for refused in made.refused:
        what = labelled(refused.title, refused.column) if refused.column else refused.title
        yield what, refused.why
    for title in made.inexact:
        yield title, INEXACT


NO_RULE_TITLE: Final = tr("no partner")
NO_RULE_HELP: Final = tr("No rule matched this row: it is on one side only and counts with its whole value.")
BYTES: Final = "B"


def rule_help(rule: str) -> str:
    """What a rule does, by its id."""
    return next((one.help for one in RULES if one.id == rule), NO_RULE_HELP)


def rule_title(rule: str) -> str:
    """What a rule is called, by its id."""
    return next((one.title for one in RULES if one.id == rule), NO_RULE_TITLE)


def all_rules() -> str:
    """What every rule does, in the order in which they are applied."""
    first = tr("Two rows are matched by the first rule that applies:")
    return "\n".join(
        [first, *(labelled(rule.title, rule.help) for rule in RULES), labelled(NO_RULE_TITLE, NO_RULE_HELP)]
    )


def matched(covered: Sequence[Covered], note: str = "") -> Table:
    """One row for each rule of each table."""
    before = np.array([one.before for one in covered], np.int64)
    after = np.array([one.after for one in covered], np.int64)
    wholes: dict[str, int] = {}
    for one in covered:
        wholes[one.table] = wholes.get(one.table, 0) + one.before + one.after
    shares = [100.0 * (one.before + one.after) / max(wholes[one.table], 1) for one in covered]
    sizes = [one.amounts.get(BYTES) for one in covered]
    works = [_work(one) for one in covered]
    units = [unit for unit, _ in works]
    columns = (
        Column("table", tr("Table"), coded(one.title or one.table for one in covered), role="name"),
        Column("rule", tr("Matched by"), coded(rule_title(one.rule) for one in covered), help=all_rules(), role="kind"),
        percentages("rows", tr("Rows"), shares, tr("Rows on both sides."), tr("the rows of the table")),
        Column("rows_before", tr("Rows in the baseline"), before),
        Column("rows_after", tr("Rows in the comparison"), after),
        _byte_sums("bytes_before", tr("Bytes, baseline"), sizes, after=False),
        _byte_sums("bytes_after", tr("Bytes, comparison"), sizes, after=True),
        amounts("work_before", tr("Cycles or time, baseline"), [_side(one, False) for _, one in works], units),
        amounts("work_after", tr("Cycles or time, comparison"), [_side(one, True) for _, one in works], units),
    )
    return Table("comparison-matched", tr("Matched rows"), columns, note=note)


def matched_share(covered: Sequence[Covered]) -> float | None:
    """Percent of the rows of both sides that have a partner; None without any rows."""
    whole = sum(one.before + one.after for one in covered)
    alone = sum(one.before + one.after for one in covered if one.rule == NO_RULE_ID)
    return 100.0 * (whole - alone) / whole if whole else None


def rules_used(covered: Sequence[Covered]) -> str:
    """How many rows of both sides each rule matched, in all tables together: a line for each."""
    rows: dict[str, int] = {}
    for one in covered:
        rows[one.rule] = rows.get(one.rule, 0) + one.before + one.after
    order = [*(rule.id for rule in RULES), NO_RULE_ID]
    return "\n".join(labelled(rule_title(rule), f"{rows[rule]:,}") for rule in order if rule in rows)


def _work(one: Covered) -> tuple[str, Amount | None]:
    """The first amount that is no size, with its unit."""
    return next(((unit, amount) for unit, amount in one.amounts.items() if unit != BYTES), ("", None))


def _side(amount: Amount | None, after: bool) -> float | None:
    return None if amount is None else amount.after if after else amount.before


def _byte_sums(key: str, title: str, sizes: Sequence[Amount | None], *, after: bool) -> Column:
    missing = np.array([amount is None for amount in sizes], np.bool_)
    values = np.array([_side(amount, after) or 0 for amount in sizes], np.int64)
    return Column(key, title, values, BYTES, missing=missing, compared="bytes")


def all_figures(figures: Sequence[ComparedFigure], runs: int = 0) -> Table:
    """One row for each figure with a label, those that differ first. ``runs``: of the baseline, if they have a
    spread."""
    own = sorted((figure for figure in figures if figure.label), key=lambda figure: not figure.changed)
    columns = (
        Column("figure", tr("Figure"), coded(figure.label for figure in own), role="name"),
        *_figure_columns(own),
        *([verdict_column(map(verdict_of_figure, own), runs)] if runs else []),
        Column("texts", tr("Text"), coded(_figure_texts(figure) for figure in own), help=TEXTS),
    )
    return Table("comparison-figures", tr("Main figures"), columns)


TEXTS = tr("For figures that are not numbers: the value in the baseline and, if it differs, in the comparison.")


def _figure_texts(figure: ComparedFigure) -> str:
    sides = [_text(side) for side in figure.display]
    return sides[0] if sides[0] == sides[1] else " → ".join(side or "–" for side in sides) if any(sides) else ""


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return value if isinstance(value, str) else ""
