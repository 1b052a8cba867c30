"""Whether an Ascend capture agrees with itself: step times and sums by type, recomputed from its kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from app.analysis.capture.kernels import kernel_types, timed
from app.analysis.capture.ranks import SECOND, of_rank, several
from app.analysis.capture.steps import StepTimes, step_times
from app.language import plural, tr
from app.profile.arrays import F64, I64
from app.profile.ascend import TypedColumn, column_named
from app.profile.ascend_capture import TEXT
from app.profile.ascend_report import ReportTable
from app.profile.issue import Issue
from app.profile.profile import Profile

STEP_TIME: Final = 3.5e-8
"""Seconds by which step times computed from kernel_details may differ from the producer's (section 5: 0.03 µs)."""
EXACT: Final = 1.5e-9
"""The same for tasks of a database, which have whole nanoseconds."""
STAGE: Final = 2.6e-7
"""The same of stage and preparing, which the producer computes with float64 of the time since 1970."""
SUM: Final = 1.1e-9
"""Seconds by which a sum may differ for each kernel in it: the table cuts times to nanoseconds."""
_COLUMNS: Final = (
    ("computing", tr("computing"), STEP_TIME),
    ("communication", tr("communication"), STEP_TIME),
    ("exposed", tr("exposed communication"), STEP_TIME),
    ("free", tr("free"), STEP_TIME),
    ("bubble", tr("bubble"), STEP_TIME),
    ("stage", tr("stage"), STAGE),
    ("preparing", tr("preparing"), STAGE),
)


def check(profile: Profile) -> list[Issue]:
    """All issues; none for a profile that is no capture."""
    if profile.capture is None:
        return []
    return [*_steps(profile), *_types(profile)]


def _steps(profile: Profile) -> Iterator[Issue]:
    """Step times that differ from the producer's own by more than rounding."""
    stated, own = profile.training_steps, step_times(profile)
    if stated is None:
        return
    place = {key: row for row, key in enumerate(zip(own.rank.tolist(), own.step.tolist(), strict=True))}
    keys = zip(stated.rank.tolist(), stated.step.tolist(), strict=True)
    row = np.array([place.get(key, -1) for key in keys], np.int64)
    there = np.flatnonzero((row >= 0) & own.exact[row] if len(row) else row >= 0)
    assert profile.capture is not None
    texts = bool((profile.capture.mode == TEXT).any())
    for name, title, bound in _COLUMNS:
        limit = bound if texts or bound == STAGE else EXACT
        yield from _differing(profile, own, row[there], getattr(stated, name)[there], name, title, limit)


def _differing(
    profile: Profile, own: StepTimes, row: I64, stated: F64, name: str, title: str, bound: float
) -> Iterator[Issue]:
    computed: F64 = getattr(own, name)[row]
    differs = np.flatnonzero(np.abs(computed - stated) > bound)
    if not len(differs):
        return
    worst = int(differs[np.abs(computed - stated)[differs].argmax()])
    where = of_rank(profile, int(own.rank[row[worst]]), int(own.step[row[worst]]))
    text = plural(
        "{title} is stored as {stated} µs, but kernels and communication give {computed} µs, which are shown",
        "{title} differs from the stored time in {count:,} steps, most in this one: {stated} µs stored, {computed} µs "
        "from kernels and communication; the computed times are shown",
        count=len(differs),
        title=title,
        stated=f"{float(stated[worst]) * 1e6:.3f}",
        computed=f"{float(computed[worst]) * 1e6:.3f}",
    )
    yield Issue("warning", where, text)


def _types(profile: Profile) -> Iterator[Issue]:
    """Sums by type in op_statistic that differ from those of the kernels."""
    own, tables = profile.kernels, profile.report_tables
    table = None if tables is None else tables.named_like("op_statistic")
    if own is None or table is None or several(profile):
        return
    columns = [column_named(table.columns, title) for title in ("OP Type", "Core Type", "Count", "Total Time(us)")]
    if any(column is None for column in columns):
        return
    sums = _sums(profile)
    wrong = [line for line in _lines(table, columns) if _contradicts(sums.get(line[:2]), line[2], line[3])]
    if wrong:
        kind, core, count, total = wrong[0]
        known = sums.get((kind, core), (0, 0.0))
        text = plural(
            "{kind} on {core} has {stored} kernels with {total} µs in this table, but {known} with {sum} µs in the "
            "list of kernels",
            "{count:,} types differ from the list of kernels. First: {kind} on {core} has {stored} kernels with "
            "{total} µs in this table, but {known} with {sum} µs in the list",
            count=len(wrong),
            kind=kind,
            core=core,
            stored=f"{count:,.0f}",
            total=f"{total * 1e6:.3f}",
            known=f"{known[0]:,}",
            sum=f"{known[1] * 1e6:.3f}",
        )
        yield Issue("warning", table.file, text)


def _contradicts(known: tuple[int, float] | None, count: float, total: float) -> bool:
    return known is None or known[0] != count or abs(known[1] - total) > SUM * max(count, 1)


def _lines(table: ReportTable, columns: list[TypedColumn | None]) -> Iterator[tuple[str, str, float, float]]:
    """(type, core, count, seconds) of the rows of op_statistic."""
    kind, core, count, total = (column for column in columns if column is not None)
    for row in range(table.rows):
        texts = [_text(column, row) for column in (kind, core)]
        numbers = [float(column.values[row, 0]) for column in (count, total) if column.strings is None]
        if len(numbers) == 2 and all(number == number for number in numbers):
            yield texts[0], texts[1], numbers[0], numbers[1] / 1e6


def _text(column: TypedColumn, row: int) -> str:
    return "" if column.strings is None else column.strings.get(int(column.values[row, 0]))


def _sums(profile: Profile) -> dict[tuple[str, str], tuple[int, float]]:
    """(kernels, seconds) by type and core."""
    own, made = profile.kernels, kernel_types(profile)
    assert own is not None
    counts = np.bincount(made.of_row, minlength=len(made.row)).tolist()
    totals = (np.bincount(made.of_row, timed(own), len(made.row)) / SECOND).tolist()
    keys = [(own.strings.get(int(own.type[row])), own.strings.get(int(own.core[row]))) for row in made.row.tolist()]
    return {key: (count, total) for key, count, total in zip(keys, counts, totals, strict=True)}
