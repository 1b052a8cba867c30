"""What explains the difference of two profiles: for each total, causes that sum to it (time-model.md, section 9).
Here are those that are sums: rows of a table that add up to the total, programs of a run, categories on the fullest
tile, and the longest block of an operator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np

from app.analysis.ascend.block_times import BlockTimes, block_times
from app.analysis.ascend.sub_cores import LastCore, last_of, sub_cores
from app.analysis.compare.alignment import Check, never
from app.analysis.compare.as_table import row_names
from app.analysis.compare.cause import Cause, Causes, Part, Place, is_large, parts_of, ranked
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.schedules import schedule_causes
from app.analysis.compare.tables import ComparedTable
from app.language import plural, tr
from app.profile.arrays import I64
from app.profile.poplar import Steps, TileMemory
from app.profile.profile import Profile

OUTSIDE: Final = tr("Outside of the blocks")
NO_PIPE: Final = tr("No pipe")
BETWEEN: Final = tr("Outside of all steps, and overlaps")
GAPS: Final = tr("Gaps and overlaps")


def of_table(comparison: Comparison, table_id: str, key: str, factor: float) -> list[Cause]:
    """The rows of a table by the column ``key``, which times ``factor`` is in the unit of the total. What only one side
    has counts with its whole value."""
    table = comparison.table(table_id)
    column = None if table is None else table.column(key)
    if table is None or column is None or not column.numeric:
        return []
    difference = table.difference(column)
    rows = np.flatnonzero(difference.known & (difference.values != 0))
    rows = rows[np.argsort(-np.abs(difference.values[rows]), kind="stable")]
    amounts = difference.values[rows] * factor if factor != 1.0 else difference.values[rows]
    every = zip(row_names(table, rows), amounts.tolist(), rows.tolist(), strict=True)
    return [Cause(name, "row", amount, place=_place(table, row)) for name, amount, row in every]


def _place(table: ComparedTable, row: int) -> Place:
    """Where a row of a compared table is."""
    before, after = int(table.rows_before[row]), int(table.rows_after[row])
    return Place(table.kind, table.item(row), table.id, before, after)


# -- steps of a run -------------------------------------------------------------------------------------------


def of_steps(comparison: Comparison) -> list[Cause]:
    """The programs of two runs by the cycles of their steps that are not hidden under earlier ones; of each how many
    more runs, and how much longer each is."""
    before, after = comparison.before.steps, comparison.after.steps
    table = comparison.table("programs")
    if before is None or after is None or table is None or table.before is None or table.after is None:
        return []
    sums = [_of_programs(before, table.before.rows), _of_programs(after, table.after.rows)]
    if sums[0] is None or sums[1] is None:
        return []
    made = []
    names = row_names(table, np.arange(table.rows, dtype=np.int64))
    pairs = zip(table.rows_before.tolist(), table.rows_after.tolist(), strict=True)
    for row, (name, (one, other)) in enumerate(zip(names, pairs, strict=True)):
        cycles, runs = (
            [0 if row < 0 else int(side[place][row]) for side, row in ((sums[0], one), (sums[1], other))]
            for place in (0, 1)
        )
        if cycles[0] != cycles[1]:
            parts, place = _of_runs(cycles, runs), _place(table, row)
            made.append(Cause(name, "program", cycles[1] - cycles[0], parts, place=place))
    return made


def _of_programs(steps: Steps, count: int) -> tuple[I64, I64] | None:
    """(int64[programs]: cycles; how often each ran); None if a step names no program of the list."""
    known = steps.cycles >= 0
    if not known.any() or (steps.program[known] < 0).any() or (steps.program[known] >= count).any():
        return None
    own = np.maximum(steps.cycles - np.maximum(steps.overlapped, 0), 0)[known]
    cycles = np.zeros(count, np.int64)
    order = np.argsort(steps.program[known], kind="stable")
    program = steps.program[known][order]
    first = np.flatnonzero(np.concatenate(([True], program[1:] != program[:-1])))
    cycles[program[first]] = np.add.reduceat(own[order], first)
    return cycles, np.bincount(steps.program[known], minlength=count)


def _of_runs(cycles: list[int], runs: list[int]) -> tuple[Part, ...]:
    """More runs, each as long as before, and longer runs."""
    if not all(runs) or runs[0] == runs[1]:
        return ()
    more = runs[1] - runs[0]
    of_more = more * cycles[0] / runs[0]
    count = plural("{count:,} more run", "{count:,} more runs", count=more)
    if more < 0:
        count = plural("{count:,} fewer run", "{count:,} fewer runs", count=-more)
    return parts_of([(count, of_more), (tr("Length of each run"), cycles[1] - cycles[0] - of_more)])


# -- the fullest tile -----------------------------------------------------------------------------------------


def of_fullest_tile(before: TileMemory, after: TileMemory) -> list[Cause]:
    """The categories of the tile that is the fullest now, and how much less it had than the fullest before."""
    one, other = before.total_with_gaps, after.total_with_gaps
    if one is None or other is None or not len(one) or not len(other):
        return []
    was, now = int(np.argmax(one)), int(np.argmax(other))
    rows = []
    if now < len(one) and len(one) == len(other):
        if one[now] != one[was]:
            text = tr("Tile {now:,} had less than tile {was:,} before", now=now, was=was)
            rows.append(Cause(text, "outside", int(one[now]) - int(one[was])))
        was = now
    parts = [_categories(memory, tile) for memory, tile in ((before, was), (after, now))]
    amounts = {name: parts[1].get(name, 0) - parts[0].get(name, 0) for name in (*parts[1], *parts[0])}
    rows += [Cause(name, "category", amount) for name, amount in amounts.items() if amount]
    left = int(other[now]) - int(one[was]) - sum(amounts.values())
    return [*rows, Cause(GAPS, "category", left)] if left else rows


def _categories(memory: TileMemory, tile: int) -> dict[str, int]:
    """The bytes of each category on one tile; empty without categories."""
    own = memory.categories
    sums: dict[str, int] = {}
    if own is None:
        return sums
    for category, amount in zip(own.category.tolist(), own.bytes[:, tile].tolist(), strict=True):
        name = own.names[category]
        sums[name] = sums.get(name, 0) + int(amount)
    return sums


# -- blocks of an operator ------------------------------------------------------------------------------------


def of_blocks(before: Profile, after: Profile) -> list[Cause]:
    """What passes outside the blocks, and the sub-core that ends last with its pipes, in seconds. One that runs beside
    it adds nothing. Empty where blocks do not run at once, or their times are unknown."""
    sides = [_last(profile) for profile in (before, after)]
    if sides[0] is None or sides[1] is None:
        return []
    (duration, one), (duration_now, other) = sides[0], sides[1]
    outside = (duration_now - other.span) - (duration - one.span)
    text = tr("Longest block: {name}", name=_name(other))
    longest = Cause(text, "block", other.span - one.span, _block_parts(before, one, other))
    return [Cause(OUTSIDE, "outside", outside), longest]


def _last(profile: Profile) -> tuple[float, LastCore] | None:
    """The duration of an operator whose blocks run at once, and its sub-core that ends last."""
    times, operator = block_times(profile), profile.operator
    if operator is None or not operator.duration_us or not isinstance(times, BlockTimes) or not times.at_once:
        return None
    last = last_of(profile)
    return None if last is None or last.unit != "s" else (operator.duration_us / 1e6, last)


def _name(last: LastCore) -> str:
    return tr("block {block}, {core}", block=int(last.own.block[last.row]), core=last.own.title)


def _block_parts(before: Profile, one: LastCore, other: LastCore) -> tuple[Part, ...]:
    """The pipes of the block that is the longest now, and how much shorter it was than the longest before."""
    was = next((own for own in sub_cores(before) if own.kind == other.own.kind), None)
    rows = [] if was is None else np.flatnonzero(was.block == other.own.block[other.row]).tolist()
    if was is None or len(rows) != 1 or np.isnan(was.seconds[rows[0]]):
        return ()
    span = float(was.seconds[rows[0]])
    less = span - one.span
    shorter = [Part(tr("Before it was shorter than {name}", name=_name(one)), less)] if less else []
    scale = span / float(was.whole[rows[0]])
    pipes = {pipe: float(cycles[rows[0]]) * scale for pipe, cycles in was.work.items() if np.isfinite(cycles[rows[0]])}
    own = other.span - span
    fits = all(sum(work.values()) <= time * (1 + 1e-9) for work, time in ((pipes, span), (other.work, other.span)))
    if set(pipes) != set(other.work) or not fits:  # they overlap: shares of its time, and not parts
        return (*parts_of([(tr("Its own time"), own)]), *shorter)
    amounts = [(pipe, other.work[pipe] - pipes[pipe]) for pipe in other.work]
    left = own - sum(amount for _, amount in amounts)
    return (*parts_of([*amounts, (NO_PIPE, left)]), *shorter)


def between_steps(total: float, rows: list[Cause]) -> Iterator[Cause]:
    """What steps do not explain of a run: the moments of none."""
    left = total - sum(row.difference for row in rows)
    if left:
        yield Cause(BETWEEN, "outside", left)


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
    "tenstorrent.kernel_s": ("op-codes", "total", 1.0),
    "timeline.tile_event_cycles": ("tile-events", "cycles", 1.0),
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
        yield from _made(figures.get("memory.max_tile_bytes"), partial(of_fullest_tile, one, other), "")
    for name, (table, column, factor) in SUMMED.items():
        check()
        made = partial(of_table, comparison, table, column, factor)
        yield from _made(figures.get(name), made, UNMATCHED)


def _of_time(comparison: Comparison, figures: dict[str, ComparedFigure], check: Check) -> Iterator[Causes]:
    """Of a run by its steps, of an operator by its blocks, and of a timeline that is no run by replays."""
    run = list(_made(figures.get("execution.cycles"), partial(_of_run, comparison, figures), UNMATCHED))
    yield from run
    blocks = partial(of_blocks, comparison.before, comparison.after)
    yield from _made(figures.get("operator.duration_s"), blocks, UNMATCHED)
    yield from _made(figures.get(_STEP), partial(_parts, figures), UNMATCHED)
    if not run:
        yield from _made(figures.get("timeline.span"), partial(schedule_causes, comparison, check), REPLAYS, True)


def _parts(figures: dict[str, ComparedFigure]) -> list[Cause]:
    """What the steps of a rank are made of."""
    known = [(figures[name], sign) for name, sign in _PARTS.items() if name in figures]
    return [Cause(figure.label, "category", sign * (figure.difference or 0)) for figure, sign in known]


def _of_run(comparison: Comparison, figures: dict[str, ComparedFigure]) -> list[Cause]:
    rows = of_steps(comparison)
    total = figures["execution.cycles"].difference or 0
    return [*rows, *between_steps(total, rows)] if rows else []


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
