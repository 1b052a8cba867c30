"""What explains the difference of two profiles: totals first, then rows of all tables by what they contribute.

A comparison has a few subjects (``SUBJECTS``: time, memory, traffic). Rows of tables explain the total of a subject;
rows that were matched by each rule are counted on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare import noise
from app.analysis.compare.alignment import Check, never
from app.analysis.compare.as_table import row_names
from app.analysis.compare.changes import Change, changes
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.matched import NO_RULE, RULES
from app.analysis.compare.plans import Plan, plan_of
from app.analysis.compare.tables import ComparedColumn, ComparedTable, unit_scale
from app.analysis.table import Unit
from app.language import tr
from app.profile.arrays import F64, U8, Bool
from app.profile.profile import Profile
from app.profile.selection import Kind


class Subject(Struct, frozen=True):
    """``totals``: ids of figures, the first that both profiles have is the total. ``columns``: for each table (its id,
    or the part before "/") the key of the column; one that ends in "." stands for the sum of all columns that begin
    with it."""

    id: str
    title: str
    totals: tuple[str, ...]
    columns: dict[str, str]


SUBJECTS: Final[tuple[Subject, ...]] = (
    Subject(
        "time",
        tr("Time"),
        (
            *("execution.cycles", "operator.duration_s", "report.block_time_max_s", "capture.stage_s"),
            *("tenstorrent.kernel_s", "timeline.tile_event_cycles", "timeline.span"),
        ),
        {
            "step-types": "cycles",
            "steps-by-compute-set": "cycles",
            "steps-by-name": "own",
            "steps": "cycles",
            "programs": "cycles",
            "exchanges": "run_cycles",
            "tile-cycles": "average",
            "lanes": "busy",
            "slice-statistics": "total",
            "slices": "duration",
            "steps-of-training": "stage",
            "kernel-types": "total",
            "kernels": "duration",
            "collectives": "duration",
            "block-details": "duration",
            "workload": "cycles",
            "core-load": "cycles",
            "source-lines": "cycles.",
            "instructions": "cycles.",
            "op-codes": "total",
            "device-zones": "cycles",
        },
    ),
    Subject(
        "memory",
        tr("Memory"),
        (
            "memory.total_bytes",
            "popef.bytes",
            "onchip.peak_bytes",
            "tensors.bytes",
            "capture.memory_peak_allocated_bytes",
            "tenstorrent.l1_peak_bytes",
        ),
        {
            "memory-by-category": "total",
            "tiles": "total",
            "variables": "size",
            "live-variables": "size",
            "compute-sets": "total_bytes",
            "blobs": "size",
            "executables": "bytes",
            "tensors": "bytes",
            "feeds": "bytes",
            "opaques": "bytes",
            "onchip-memories": "peak",
            "l1-per-core": "used",
            "onchip-blocks": "size",
            "mapped-tensors": "bytes",
            "mapped-tiles": "bytes",
        },
    ),
    Subject(
        "traffic",
        tr("Data moved"),
        ("events.bytes_to_device", "report.bytes_read"),
        {"exchanges": "data", "steps": "data", "transfers": "bytes", "transferred-tensors": "bytes"},
    ),
)


NO_RULE_ID: Final = "none"


class Amount(Struct, frozen=True):
    """Sums of the column ``column`` on both sides."""

    column: str
    before: int | float
    after: int | float


class Covered(Struct, frozen=True):
    """``rule``: the id of a rule, or NO_RULE_ID for rows without a partner. ``before``, ``after``: rows of each side.
    ``amounts``: by unit, of the first column of that unit that adds up. ``title``: of the table."""

    table: str
    rule: str
    before: int
    after: int
    amounts: dict[str, Amount]
    title: str = ""


def coverage(table: ComparedTable) -> list[Covered]:
    """One entry for each rule that matched anything, and one for the rows without a partner, if there are any."""
    rule = table.rule
    columns = table.amounts()
    numbers = [number for number in (*range(len(RULES)), NO_RULE) if bool((rule == number).any())]
    return [_of_rule(table, rule == number, number, columns) for number in numbers]


def _of_rule(table: ComparedTable, rows: Bool, number: int, columns: dict[str, ComparedColumn]) -> Covered:
    amounts = {unit: _amount(table, rows, column) for unit, column in columns.items()}
    return Covered(
        table.id,
        NO_RULE_ID if number == NO_RULE else RULES[number].id,
        int((table.rows_before[rows] >= 0).sum()),
        int((table.rows_after[rows] >= 0).sum()),
        amounts,
        table.title,
    )


def _amount(table: ComparedTable, rows: Bool, column: ComparedColumn) -> Amount:
    places = np.flatnonzero(rows)
    before, after = (table.cells(column, after=side, rows=places).values.sum().item() for side in (False, True))
    return Amount(column.key, before, after)


MOST_ROWS: Final = 50
"""Rows of one table that are considered, the largest differences first."""
ROUNDING: Final = 1e-9


class Explanation(Struct, frozen=True):
    """A row: where it is (``row`` of the compared table ``table``), what it is called, and its figures in ``unit``
    (None: that side has none). ``share``: its difference in percent of the total's, None where these cannot be
    related. ``verdict``: of ``noise``. ``rows``: how many rows its table has. ``weight``: by which it is ranked.
    ``kind``, ``item``: what the row stands for in the profile after (-1: nothing); ``row_before``, ``row_after``: the
    rows of the tables (-1: none)."""

    subject: str
    table: str
    title: str
    row: int
    name: str
    status: int
    before: float | None
    after: float | None
    difference: float
    unit: Unit
    share: float | None
    verdict: int
    rows: int
    weight: float
    kind: Kind | None = None
    item: int = -1
    row_before: int = -1
    row_after: int = -1


class Amounts(Struct, frozen=True, eq=False):
    """The figures of a subject, by row of a compared table. float64, NaN without data; ``difference`` counts what only
    one side has with its whole value."""

    column: ComparedColumn
    before: F64
    after: F64
    difference: F64
    verdict: U8


def subject_amounts(
    table: ComparedTable, subject: Subject, plan: Plan, profiles: tuple[Profile, Profile]
) -> Amounts | None:
    """The figures of ``subject`` in this table; None if it has none."""
    key = subject.columns.get(table.id) or subject.columns.get(table.id.partition("/")[0])
    if key is None:
        return None
    columns = [
        column
        for column in table.columns
        if column.numeric
        and not table.lacks(column)
        and (column.key == key or (key.endswith((".", "duration")) and _is_part(column.key, key)))
    ]
    if not columns:
        return None
    if len(columns) > 1 and not key.endswith("."):  # durations of cores that work side by side
        before, after = (_longest(table, columns, after=side) for side in (False, True))
        difference = np.nan_to_num(after) - np.nan_to_num(before)
    else:
        before, after = (_sum(table, columns, after=side) for side in (False, True))
        difference = np.nansum([_difference(table, column) for column in columns], axis=0)
    verdict = noise.of_rows(table, columns[0], plan, profiles) if len(columns) == 1 else np.zeros(table.rows, np.uint8)
    return Amounts(columns[0], before, after, difference, verdict)


def _is_part(column: str, key: str) -> bool:
    return column.startswith(key) if key.endswith(".") else column.endswith(f"_{key}")


def _sum(table: ComparedTable, columns: list[ComparedColumn], *, after: bool) -> F64:
    total = np.zeros(table.rows)
    known: Bool = np.zeros(table.rows, np.bool_)
    for column in columns:
        cells = table.cells(column, after=after)
        total += cells.values
        known |= cells.known
    return np.where(known, total, np.nan)


def _longest(table: ComparedTable, columns: list[ComparedColumn], *, after: bool) -> F64:
    cells = [table.cells(column, after=after) for column in columns]
    longest: F64 = np.fmax.reduce([np.where(own.known, own.values, np.nan) for own in cells])
    return longest


def _difference(table: ComparedTable, column: ComparedColumn) -> F64:
    cells = table.difference(column)
    return np.where(cells.known, cells.values, 0).astype(np.float64)


def explanations_of(
    table: ComparedTable, subject: Subject, own: Amounts, base: tuple[float, float] | None
) -> Iterator[Explanation]:
    """The rows with the largest differences. ``base``: the total before and its difference in the unit of the column;
    None where there is none: rows are then weighed by the sum of the column."""
    whole = np.nansum(np.abs(own.before)) if base is None else abs(base[0])
    whole = whole or np.nansum(np.abs(own.after)) or 1.0
    size = np.abs(own.difference)
    most = np.fmax(np.abs(own.before), np.abs(own.after))
    rows = np.flatnonzero(size > ROUNDING * np.nan_to_num(most))
    rows = rows[np.argsort(-size[rows], kind="stable")][:MOST_ROWS]
    names = row_names(table, rows)
    for row, name in zip(rows.tolist(), names, strict=True):
        difference = float(own.difference[row])
        yield Explanation(
            subject=subject.id,
            table=table.id,
            title=table.title,
            row=row,
            name=name,
            status=int(table.status[row]),
            before=_plain(own.before[row]),
            after=_plain(own.after[row]),
            difference=difference,
            unit=own.column.unit,
            share=100.0 * difference / base[1] if base is not None and base[1] else None,
            verdict=int(own.verdict[row]),
            rows=table.rows,
            weight=abs(difference) / float(whole),
            kind=table.kind,
            item=table.item(row),
            row_before=int(table.rows_before[row]),
            row_after=int(table.rows_after[row]),
        )


def _plain(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


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
        self._totals = total_figures(comparison)
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
            own = subject_amounts(table, subject, plan, self._profiles)
            if own is not None:
                base = _base(self._totals[subject.id], own, self._profiles)
                self._rows[subject.id] += explanations_of(table, subject, own, base)

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


def total_figures(comparison: Comparison) -> dict[str, ComparedFigure | None]:
    """The total of each subject, by its id; None where one side has none."""
    known = {figure.id: figure for figure in comparison.figures if figure.difference is not None}
    found = {subject.id: (known[name] for name in subject.totals if name in known) for subject in SUBJECTS}
    return {name: next(totals, None) for name, totals in found.items()}


def _base(total: ComparedFigure | None, own: Amounts, profiles: tuple[Profile, Profile]) -> tuple[float, float] | None:
    """The total before and its difference, in the unit of the column; None if that cannot be converted."""
    if total is None or total.difference is None or not isinstance(total.before, (int, float)):
        return None
    factor = unit_scale(total.unit, own.column.unit)
    if factor is None:
        clocks = {profile.target.clock_hz for profile in profiles if profile.target is not None}
        clock = clocks.pop() if len(clocks) == 1 else None
        seconds = unit_scale(total.unit, "s")
        if not clock or seconds is None or own.column.unit != "cycles":
            return None
        factor = seconds * clock
    return total.before * factor, total.difference * factor
