"""What explains the difference of two profiles: for each total, causes that sum to it (time-model.md, section 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from app.analysis.compare import sums
from app.analysis.compare.alignment import Check, never
from app.analysis.compare.cause import Cause, Causes, is_large, ranked
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.schedules import schedule_causes
from app.language import tr

REST: Final = tr("Everything else")
SMALL: Final = tr("More causes follow, none of them larger than these.")
UNMATCHED: Final = tr("The rows of the file do not add up to the total.")
REPLAYS: Final = tr("Replays of the two runs do not end when the runs did: some dependencies contradict the times.")
SUMMED: Final[dict[str, tuple[str, str, float]]] = {
    "memory.total_bytes": ("memory-by-category", "total", 1.0),
    "report.bytes_read": ("report-table/Memory", "read_main_memory_datas(KB)", 1024.0),
    "report.bytes_written": ("report-table/Memory", "write_main_memory_datas(KB)", 1024.0),
    "popef.bytes": ("blobs", "size", 1.0),
    "tensors.bytes": ("mapped-tensors", "bytes", 1.0),
    "capture.kernel_time_s": ("kernel-types", "total", 1.0),
}
"""Totals that are sums of a column: by figure the table, the column, and its unit in that of the figure."""
_STEP: Final = "capture.stage_s"
_PARTS: Final = {
    "capture.computing_s": 1,
    "capture.communication_exposed_s": 1,
    "capture.free_s": 1,
    "capture.bubble_s": -1,
}
"""Figures that add up to the time of the steps of a rank, with their signs."""


def all_causes(comparison: Comparison, check: Check = never) -> list[Causes]:
    """For each total that differs, in the order of time, memory, moved bytes. ``check`` is called at times, and may
    raise to stop."""
    return list(_each(comparison, {figure.id: figure for figure in comparison.figures}, check))


def _each(comparison: Comparison, figures: dict[str, ComparedFigure], check: Check) -> Iterator[Causes]:
    yield from _of_time(comparison, figures, check)
    check()
    one, other = comparison.before.tile_memory, comparison.after.tile_memory
    if one is not None and other is not None:
        yield from _made(figures.get("memory.max_tile_bytes"), partial(sums.of_fullest_tile, one, other), "")
    for name, (table, column, factor) in SUMMED.items():
        check()
        made = partial(sums.of_table, comparison, table, column, factor)
        yield from _made(figures.get(name), made, UNMATCHED)


def _of_time(comparison: Comparison, figures: dict[str, ComparedFigure], check: Check) -> Iterator[Causes]:
    """Of a run by its steps, of an operator by its blocks, and of a timeline that is no run by replays."""
    run = list(_made(figures.get("execution.cycles"), partial(_of_run, comparison, figures), UNMATCHED))
    yield from run
    blocks = partial(sums.of_blocks, comparison.before, comparison.after)
    yield from _made(figures.get("operator.duration_s"), blocks, UNMATCHED)
    yield from _made(figures.get(_STEP), partial(_parts, figures), UNMATCHED)
    if not run:
        yield from _made(figures.get("timeline.span"), partial(schedule_causes, comparison, check), REPLAYS, True)


def _parts(figures: dict[str, ComparedFigure]) -> list[Cause]:
    """What the steps of a rank are made of."""
    known = [(figures[name], sign) for name, sign in _PARTS.items() if name in figures]
    return [Cause(figure.label, "category", sign * (figure.difference or 0)) for figure, sign in known]


def _of_run(comparison: Comparison, figures: dict[str, ComparedFigure]) -> list[Cause]:
    rows = sums.of_steps(comparison)
    total = figures["execution.cycles"].difference or 0
    return [*rows, *sums.between_steps(total, rows)] if rows else []


def _made(
    figure: ComparedFigure | None, rows_of: Callable[[], list[Cause]], why: str, estimated: bool = False
) -> Iterator[Causes]:
    """The causes of one total; none where it is the same, or nothing is known of it."""
    if figure is None or not figure.difference:
        return
    assert isinstance(figure.before, (int, float))
    assert isinstance(figure.after, (int, float))
    rows = rows_of()
    ordered = ranked(rows, REST, figure.difference)
    if all(row.kind == "rest" for row in ordered):
        return
    reason = why if is_large(figure.difference - sum(row.difference for row in rows), rows) else ""
    if not reason and any(row.kind == "rest" and is_large(row.difference, rows) for row in ordered):
        reason = SMALL
    yield Causes(figure.id, figure.label, figure.unit, figure.before, figure.after, ordered, estimated, reason)
