"""What explains the difference of two profiles: totals first, then rows of all tables by what they contribute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from app.analysis.compare import explanations, noise, units
from app.analysis.compare.alignment import Check, never
from app.analysis.compare.changes import Change, changes
from app.analysis.compare.compared import ComparedTable
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.coverage import NO_RULE_ID, Covered, coverage
from app.analysis.compare.explanations import Amounts, Explanation
from app.analysis.compare.figures import ComparedFigure
from app.analysis.compare.plans import plan_of
from app.analysis.compare.subjects import SUBJECTS, Subject
from app.language import tr
from app.profile.profile import Profile

MOST: Final = 100
ISSUES: Final = "issues"
NEAR: Final = 0.9
"""Rows that contribute nearly the same are likely to show the same thing: the row of the most detailed table is the
best explanation."""


class Topic(Struct, frozen=True):
    """A subject: its total (None: the profiles have none in common), and the rows that explain it, the best explanation
    first."""

    subject: str
    title: str
    total: ComparedFigure | None
    rows: tuple[Explanation, ...]


class Refused(Struct, frozen=True):
    """Figures that cannot be compared, and why: those of a column, or ("") of a whole table."""

    table: str
    title: str
    column: str
    why: str


class Ranking(Struct, frozen=True):
    """``topics``: those that the profiles have. ``changes``: what is renamed, moved, only on one side or differs in a
    text. ``covered``: how much of each table was matched, and by which rule; ``inexact``: the tables of which some
    sequences differ too much to be aligned exactly; ``refused``: what could not be compared."""

    topics: tuple[Topic, ...]
    changes: tuple[Change, ...]
    covered: tuple[Covered, ...]
    inexact: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()

    @property
    def same(self) -> bool:
        """Whether nothing differs: no total, no row and no text, and every row has a partner."""
        differs = any(topic.rows or (topic.total is not None and topic.total.difference) for topic in self.topics)
        return not (differs or self.changes or any(one.rule == NO_RULE_ID for one in self.covered))


def ranking(comparison: Comparison, check: Check = never) -> Ranking:
    """Goes through all tables once."""
    maker = RankingMaker(comparison)
    for table in comparison.tables(check):
        check()
        maker.add(table)
    return maker.ranking()


class RankingMaker:
    """Makes a ranking from tables that are given one by one."""

    def __init__(self, comparison: Comparison) -> None:
        self._profiles = comparison.before, comparison.after
        self._totals = {subject.id: _total(comparison, subject) for subject in SUBJECTS}
        self._rows: dict[str, list[Explanation]] = {subject.id: [] for subject in SUBJECTS}
        self._covered: list[Covered] = []
        self._inexact: list[str] = []
        self._changes: list[Change] = []
        self._refused: list[Refused] = []

    def add(self, table: ComparedTable) -> None:
        """Take the rows of a table that explain something."""
        plan = plan_of(table.id, table.after, table.before)
        self._changes += changes(table, plan)
        self._covered += coverage(table)
        self._inexact += [] if table.matches.exact else [table.id]
        self._refused += refused(table)
        for subject in SUBJECTS:
            own = explanations.amounts(table, subject, plan, self._profiles)
            if own is not None:
                base = _base(self._totals[subject.id], own, self._profiles)
                self._rows[subject.id] += explanations.of_table(table, subject, own, base)

    def ranking(self) -> Ranking:
        """The ranking of what was added."""
        topics = (
            Topic(subject.id, subject.title, self._totals[subject.id], ranked(self._rows[subject.id]))
            for subject in SUBJECTS
        )
        filled = tuple(topic for topic in topics if topic.total is not None or topic.rows)
        return Ranking(filled, tuple(self._changes), tuple(self._covered), tuple(self._inexact), tuple(self._refused))


def ranked(rows: Iterable[Explanation]) -> tuple[Explanation, ...]:
    """The best explanation first: differences inside the spread last, large ones before small ones, and of those that
    are nearly the same the row of the most detailed table."""
    left = sorted(rows, key=lambda row: (row.verdict == noise.INSIDE, -row.weight))
    best: list[Explanation] = []
    while left and len(best) < MOST:
        first = left[0]
        near = [
            row
            for row in left
            if row.weight >= NEAR * first.weight and (row.verdict == noise.INSIDE) == (first.verdict == noise.INSIDE)
        ]
        chosen = max(near, key=lambda row: (row.rows, row.weight))
        left.remove(chosen)
        best.append(chosen)
    return tuple(best)


def refused(table: ComparedTable) -> Iterator[Refused]:
    """What of a table cannot be compared. A profile without issues lacks no table."""
    if table.id == ISSUES:
        return
    if table.after is None:
        yield Refused(table.id, table.title, "", tr("Only the baseline has this table."))
    elif table.before is None:
        yield Refused(table.id, table.title, "", tr("Only the comparison has this table."))
    else:
        yield from (Refused(table.id, table.title, column.title, column.why) for column in table.columns if column.why)


def _total(comparison: Comparison, subject: Subject) -> ComparedFigure | None:
    known = {figure.id: figure for figure in comparison.figures}
    wanted = (known.get(name) for name in subject.totals)
    return next((figure for figure in wanted if figure is not None and figure.difference is not None), None)


def _base(total: ComparedFigure | None, own: Amounts, profiles: tuple[Profile, Profile]) -> tuple[float, float] | None:
    """The total before and its difference, in the unit of the column; None if that cannot be converted."""
    if total is None or total.difference is None or not isinstance(total.before, (int, float)):
        return None
    factor = units.factor(total.unit, own.column.unit)
    if factor is None:
        clocks = {profile.target.clock_hz for profile in profiles if profile.target is not None}
        clock = clocks.pop() if len(clocks) == 1 else None
        seconds = units.factor(total.unit, "s")
        if not clock or seconds is None or own.column.unit != "cycles":
            return None
        factor = seconds * clock
    return total.before * factor, total.difference * factor
