"""Tasks, their blocks, functions, cores and dependencies of a PyPTO run (PyPTO, section 8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec.structs import replace

from app.analysis.amounts import spread
from app.analysis.capture.ranks import sums
from app.analysis.pypto import Gaps, block_slices, busy, facts, gaps, task_ready
from app.analysis.table import Coded, Column, OwnTime, RowItems, Table
from app.language import Text, tr
from app.profile.arrays import F64, I64, Array, Bool, Integers, combine_at, numbered
from app.profile.profile import Profile
from app.profile.pypto import KIND_NAMES, CoreTasks
from app.profile.selection import Kind
from app.profile.strings import Strings

DATA_HELP: Final = tr(
    "The core did nothing, because what the task depends on had not ended: from the end of the block before (the start "
    "of the run for the first) to the latest end of its producers."
)
DISPATCH_HELP: Final = tr(
    "The core did nothing although the data were there: until the scheduler sent the task, or until the task began if "
    "the file has no times of dispatch."
)
HANDING_HELP: Final = tr(
    "From the dispatch to the start of the task, while its core did nothing and its data were there."
)
UNKNOWN_HELP: Final = tr("The core did nothing, and the files do not say why: without deps.json, data may be missing.")
WAITS: Final[tuple[tuple[str, Text, Text], ...]] = (
    ("data_wait", tr("Data wait"), DATA_HELP),
    ("dispatch_wait", tr("Dispatch wait"), DISPATCH_HELP),
    ("handing", tr("Handing over"), HANDING_HELP),
    ("unexplained", tr("Unexplained"), UNKNOWN_HELP),
)
"""Key, title and help of the parts of a gap, in the order of ``Gaps.parts``."""
_BUSY: Final = "_busy_cycles"
_TOTAL: Final = "pmu_total_cycles"


def tasks(profile: Profile) -> Table | None:
    """One row per task that ran or that the graph has."""
    own = profile.core_tasks
    if own is None or not len(own.tasks):
        return None
    known, when = facts(own), facts(own).when
    ran = when.start >= 0
    first = np.where(ran, when.first, 0)
    held = np.bincount(known.pairs.after, minlength=len(own.tasks))
    waits = np.bincount(known.pairs.after[known.pairs.kept], minlength=len(own.tasks)) > 0
    columns = [
        _key("ring", tr("Ring"), own.tasks.token >> 32, tr("Of the runtime: token / 2³².")),
        _key("task", tr("Task"), own.tasks.token & 0xFFFFFFFF, tr("The number within the ring.")),
        _function(own, own.tasks.function),
        Column("blocks", tr("Blocks"), np.diff(own.tasks.first), help=tr("How many blocks of it ran on cores.")),
    ]
    if (own.tasks.blocks >= 0).any():
        text = tr("How many blocks the graph says that it has on each kind of core (block_num).")
        columns.append(
            Column("launched", tr("Launched blocks"), own.tasks.blocks, help=text, missing=own.tasks.blocks < 0)
        )
    if len(own.dependencies):
        text = tr("Distinct tasks that it depends on.")
        columns.append(Column("depends_on", tr("Depends on"), held, help=text, adds_up=False))
    if len(own.blocks):
        dispatch = own.blocks.dispatch[first]
        columns += [
            _time(
                "ready",
                tr("Ready"),
                task_ready(own),
                tr("Latest end of what it depends on."),
                ~(ran & waits),
                place=True,
            ),
            _time("dispatch", tr("Dispatch"), dispatch, tr("Of its first block."), ~ran | (dispatch < 0), place=True),
            _time("start", tr("Start"), when.start, tr("Of its first block."), ~ran, place=True),
            _time("end", tr("End"), when.end, tr("Of its last block."), ~ran, place=True),
            _time(
                "duration",
                tr("Duration"),
                when.end - when.start,
                tr("Start of the first to end of the last block."),
                ~ran,
            ),
        ]
    of_slice = _of_slices(profile, known.owner)
    return _table(profile, "tasks", tr("Tasks"), columns, items=(of_slice, np.arange(len(own.tasks))))


def blocks(profile: Profile) -> Table | None:
    """One row per block on a core, with the counters of the core."""
    own = profile.core_tasks
    if own is None or not len(own.blocks):
        return None
    part, task = own.blocks, facts(own).owner
    setup, tail = part.start - part.receive, part.finish - part.end
    columns = [
        _key("ring", tr("Ring"), own.tasks.token[task] >> 32, tr("Of the runtime: token / 2³².")),
        _key("task", tr("Task"), own.tasks.token[task] & 0xFFFFFFFF, tr("The number within the ring.")),
        _function(own, own.tasks.function[task]),
        _key("core", tr("Core"), own.cores.number[part.core], tr("The number in the file.")),
        _time("start", tr("Start"), part.start, "", place=True),
        _time("duration", tr("Duration"), part.end - part.start, tr("End minus start.")),
        *_waits(gaps(own)),
        _time("setup", tr("Setup"), setup, tr("From its receipt by the core to its start."), part.receive < 0),
        _time("tail", tr("Tail"), tail, tr("From its end until the scheduler saw it."), part.finish < 0),
    ]
    total = next((one.of_core(0) for one in part.pmu if one.name == _TOTAL), None)
    for one in part.pmu:
        values = one.of_core(0)
        columns.append(Column(one.name, one.name, values, help=tr("A counter of the core (pmu.csv)."), stored=True))
        if total is not None and one.name.endswith(_BUSY):
            columns.append(_share(one.name.removesuffix(_BUSY), values, total))
    return _table(profile, "task-blocks", tr("Blocks of tasks"), columns, "slice", block_slices(profile))


def functions(profile: Profile) -> Table | None:
    """One row per function that cores ran, the largest total first."""
    own = profile.core_tasks
    if own is None or not len(own.blocks):
        return None
    part, owner = own.blocks, facts(own).owner
    found, of_block = numbered(own.tasks.function[owner] + 1)
    length = (part.end - part.start).astype(np.float64)
    each, count = spread(of_block, length, len(found)), len(found)
    total = np.bincount(of_block, length, count)
    ran = np.flatnonzero(np.diff(own.tasks.first))
    of_task = of_block[own.tasks.first[ran]]
    order = np.argsort(-total, kind="stable")
    waits = gaps(own)
    waited = Gaps(*(sums(of_block, wait, count)[order] for wait in (waits.whole, *waits.parts)))
    columns = [
        _function(own, (found - 1)[order], "name"),
        Column("tasks", tr("Tasks"), np.bincount(of_task, minlength=count)[order], help=tr("Tasks that ran.")),
        Column("count", tr("Blocks"), each.count[order], help=tr("Blocks on cores.")),
        _time("total", tr("Total"), total[order], tr("Sum of the lengths of its blocks.")),
        Column(
            "share",
            tr("Share"),
            _percent(total, total.sum())[order],
            "%",
            tr("100 × total / that of all blocks."),
            share_of=tr("the work of all cores"),
        ),
        *(
            replace(_time(key, title, values[order], tr("Of one block.")), adds_up=False)
            for key, title, values in (
                ("min", tr("Min"), each.least),
                ("mean", tr("Mean"), each.mean),
                ("max", tr("Max"), each.most),
            )
        ),
        *_waits(waited),
    ]
    measured = {one.name: sums(of_block, one.of_core(0), count)[order] for one in part.pmu}
    if _TOTAL in measured:
        columns += [
            _share(key.removesuffix(_BUSY), cycles, measured[_TOTAL])
            for key, cycles in measured.items()
            if key.endswith(_BUSY)
        ]
    items = (_of_slices(profile, of_block), order)
    return _table(profile, "pypto-kernels", tr("Functions of tasks"), columns, items=items)


def cores(profile: Profile) -> Table | None:
    """One row per core of the chip, used or not."""
    own = profile.core_tasks
    if own is None or not len(own.cores):
        return None
    span, count, part, waits = facts(own).span, len(own.cores), own.blocks, gaps(own)
    work = busy(own)
    longest = np.zeros(count)
    combine_at(np.maximum, longest, part.core, waits.whole)
    ends = np.full(count, facts(own).start)
    combine_at(np.maximum, ends, part.core, part.end)
    waited = Gaps(*(sums(part.core, wait, count) for wait in (waits.whole, *waits.parts)))
    unused = np.bincount(part.core, minlength=count) == 0
    kinds = Coded(own.cores.kind.astype(np.int32), Strings.of(KIND_NAMES))
    columns = [
        _key("core", tr("Core"), own.cores.number, tr("The number in the file.")),
        Column("kind", tr("Kind"), kinds, role="kind"),
        _key("thread", tr("Scheduler"), own.cores.thread, tr("The thread that sends tasks to it.")),
        Column("blocks", tr("Blocks"), np.bincount(part.core, minlength=count), help=tr("Blocks that ran on it.")),
        _time("busy", tr("Busy"), work, tr("Sum of the lengths of its blocks.")),
        Column(
            "share",
            tr("Share"),
            _percent(work, span),
            "%",
            tr("100 × busy / span of the run."),
            share_of=tr("the span of the run"),
        ),
        *(replace(one, missing=unused if one.missing is None else one.missing | unused) for one in _waits(waited)),
        _time(
            "rest",
            tr("Without more work"),
            facts(own).end - ends,
            tr("From the end of its last block to that of the run."),
        ),
        replace(
            _time("longest_gap", tr("Longest gap"), longest, tr("Before any of its blocks."), unused), adds_up=False
        ),
    ]
    return _table(profile, "cores", tr("Cores"), columns, "lane", own.cores.lane.astype(np.int64))


def dependencies(profile: Profile) -> Table | None:
    """One row per entry of the graph: a pair of tasks may have several."""
    own = profile.core_tasks
    if own is None or not len(own.dependencies):
        return None
    part, when = own.dependencies, facts(own).when
    slack = when.start[part.after] - when.end[part.before]
    unknown = (when.start[part.after] < 0) | (when.start[part.before] < 0)
    columns = [
        _key("from_ring", tr("Producer's ring"), own.tasks.token[part.before] >> 32),
        _key("from_task", tr("Producer"), own.tasks.token[part.before] & 0xFFFFFFFF),
        _function(own, own.tasks.function[part.before], "from_function", tr("Function of the producer")),
        _key("to_ring", tr("Consumer's ring"), own.tasks.token[part.after] >> 32),
        _key("to_task", tr("Consumer"), own.tasks.token[part.after] & 0xFFFFFFFF),
        _function(own, own.tasks.function[part.after], "to_function", tr("Function of the consumer")),
        _key("argument", tr("Argument"), part.argument, tr("Of the consumer.")),
        Column(
            "source", tr("Source"), Coded(part.source, own.strings), help=tr("How the runtime found it."), role="kind"
        ),
        replace(
            _time(
                "slack",
                tr("Slack"),
                slack,
                tr("Start of the consumer minus end of the producer; negative: violated."),
                unknown,
            ),
            adds_up=False,
        ),
    ]
    items = None
    if profile.timeline is not None:
        items = (_of_slices(profile, facts(own).owner), part.after.astype(np.int64))
    return _table(profile, "dependencies", tr("Dependencies"), columns, items=items)


def _table(
    profile: Profile,
    table_id: str,
    title: Text,
    columns: Sequence[Column],
    selects: Kind | None = None,
    keys: I64 | None = None,
    items: tuple[I64, I64] | None = None,
) -> Table:
    own = profile.core_tasks
    rows = None if items is None or profile.timeline is None else RowItems("slice", *items)
    clock = None if own is None else own.clock_hz
    return Table(table_id, title, tuple(columns), selects, keys, "", OwnTime("cycles", clock), rows)


def _of_slices(profile: Profile, of_block: I64) -> I64:
    """int64[slices]: what ``of_block`` says of the block of each, -1 for slices that are none."""
    line = profile.timeline
    if line is None:
        return np.empty(0, np.int64)
    record = line.slices.record
    known = (record >= 0) & (record < len(of_block))
    return np.where(known, np.append(of_block, -1)[np.where(known, record, -1)], -1)


def _key(key: str, title: Text, values: I64, about: Text | str = "") -> Column:
    return Column(key, title, values, help=about, missing=values < 0 if (values < 0).any() else None, role="key")


def _function(own: CoreTasks, ids: Integers, key: str = "function", title: Text = tr("Function")) -> Column:
    return Column(
        key, title, Coded(ids, own.strings), help=tr("What its cores run (name map, else its number)."), role="name"
    )


def _time(
    key: str, title: Text, values: Array, about: Text | str, missing: Bool | None = None, *, place: bool = False
) -> Column:
    gone = missing if missing is not None and missing.any() else None
    return Column(key, title, values, "cycles", about, gone, role="place" if place else "")


def _waits(known: Gaps) -> list[Column]:
    """The parts of gaps that the files tell."""
    pairs = zip(WAITS, known.parts, strict=True)
    return [_time(key, title, values, about) for (key, title, about), values in pairs if not np.isnan(values).all()]


def _percent(part: Array, whole: float) -> F64:
    return 100.0 * part / whole if whole > 0 else np.full(len(part), np.nan)


def _share(unit: str, part: F64, whole: F64) -> Column:
    values = np.divide(100.0 * part, whole, out=np.full(len(part), np.nan), where=whole > 0)
    title = tr("{unit} share", unit=unit)
    return Column(
        f"{unit}_share",
        title,
        values,
        "%",
        tr("100 × busy cycles / total cycles of the core."),
        share_of=tr("the cycles of the core"),
    )
