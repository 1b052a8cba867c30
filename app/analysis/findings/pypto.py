"""Why a PyPTO run takes long: idle and uneven cores, waits for data and for the scheduler, small tasks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule, Saving
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Amount, sentence
from app.analysis.pypto import amount, block_slices, busy, chain, facts, gaps, has_path, least_chain, pool
from app.analysis.time.floors import at_most
from app.language import Message, plural, tr
from app.profile.arrays import F64, Bool, middle
from app.profile.profile import Profile
from app.profile.pypto import KIND_NAMES, CoreTasks
from app.profile.selection import Selection

NO_BLOCKS: Final = tr("no task ran")
NO_GRAPH: Final = tr("the dependencies of the tasks are unknown (deps.json)")
NO_DISPATCH: Final = tr("the record has no times of dispatch (they need level 2)")
_FEWEST: Final = 20
SPREAD: Final = tr("span - larger of the longest chain of dependencies and the mean work of the cores of a kind")


def _saving(own: CoreTasks, floor: float, formula: Message) -> Saving:
    length = amount(own, at_most(facts(own).span, floor))
    return Saving(length.value, length.unit, tr("run"), formula)


def _evidence(
    own: CoreTasks, table: str, key: str, figure: Message, cycles: float, selection: Selection | None = None
) -> Evidence:
    length = amount(own, cycles)
    return Evidence(table, key, figure, length.value, length.unit, selection)


def _core(own: CoreTasks, core: int, figure: Message, cycles: float) -> Evidence:
    """A figure of one core, and its lane."""
    lane = Selection("lane", (int(own.cores.lane[core]),))
    return _evidence(own, "cores", str(int(own.cores.number[core])), figure, cycles, lane)


def _of(profile: Profile) -> CoreTasks | None:
    own = profile.core_tasks
    return own if own is not None and len(own.blocks) and facts(own).span > 0 else None


def _pooled(own: CoreTasks, cores: Bool) -> float:
    """What remains, however tasks are spread over ``cores``: the longest chain of dependencies, or their even work."""
    return max(pool(own, cores)[0], float(least_chain(own)))


def _idle(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _of(profile)
    if own is None:
        return NotChecked(NO_BLOCKS)
    unused = ~facts(own).used
    working = [kind for kind in range(len(KIND_NAMES)) if (facts(own).used & (own.cores.kind == kind)).any()]
    idle = np.flatnonzero(unused)
    if not len(idle) or 100 * len(idle) < thresholds.unused_cores * len(own.cores):
        return ()
    text = plural(
        "{count:,} of {cores:,} cores runs no task. If the graph of tasks allows it, smaller or more tasks use it.",
        "{count:,} of {cores:,} cores run no task. If the graph of tasks allows it, smaller or more tasks use them.",
        count=len(idle),
        cores=len(own.cores),
    )
    evidence = tuple(_core(own, core, tr("work"), 0) for core in idle[:3].tolist())
    formula = tr("span - larger of the longest chain of dependencies and the work of a kind of cores / all its cores")
    helps = any((unused & (own.cores.kind == kind)).any() for kind in working)
    saving = _saving(own, _pooled(own, np.ones(len(unused), np.bool_)), formula) if helps else None
    return (Finding("warning" if helps else "info", tr("Cores without tasks"), (text,), evidence, saving),)


def _uneven(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _of(profile)
    if own is None:
        return NotChecked(NO_BLOCKS)
    work, used, span = busy(own), facts(own).used, facts(own).span
    worst, kind = 0.0, -1
    for one in sorted(set(own.cores.kind[used].tolist())):
        times = work[used & (own.cores.kind == one)]
        over = float(times.max() - times.mean())
        worst, kind = (over, one) if over > worst else (worst, kind)
    if kind < 0 or 100 * worst < thresholds.uneven_work * span:
        return ()
    floor = _pooled(own, used)
    if 100 * at_most(span, floor) < thresholds.uneven_work * span:
        return ()
    rows = np.flatnonzero(used & (own.cores.kind == kind))
    most, least = int(rows[work[rows].argmax()]), int(rows[work[rows].argmin()])
    text = tr(
        "Cores in use ({kind}) work from {least} to {most}, {mean} in the mean. Tasks of more even length, or "
        "another order, spread the work.",
        kind=KIND_NAMES[kind],
        least=amount(own, int(work[least])),
        most=amount(own, int(work[most])),
        mean=amount(own, float(work[rows].mean())),
    )
    evidence = (_core(own, most, tr("work"), int(work[most])), _core(own, least, tr("work"), int(work[least])))
    return (Finding("warning", tr("Uneven work of cores"), sentence(text), evidence, _saving(own, floor, SPREAD)),)


def _dispatch(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _of(profile)
    if own is None or not has_path(own):
        return NotChecked(NO_BLOCKS if own is None else NO_GRAPH)
    waits = gaps(own)
    lost = np.nan_to_num(waits.dispatch) + np.nan_to_num(waits.handing)
    share = _share(own, lost)
    floor = _pooled(own, facts(own).used)
    if share < thresholds.dispatch_gaps or 100 * at_most(facts(own).span, floor) < facts(own).span:
        return ()
    text = tr(
        "Cores in use wait {time} for tasks whose data are there, {share} of their time: the scheduler sends them "
        "late, or they begin late. Larger tasks, more scheduler threads or early dispatch help.",
        time=amount(own, float(lost.sum())),
        share=Amount(share, "%"),
    )
    evidence = _gap(profile, own, lost, tr("longest wait before a task"))
    return (
        Finding("warning", tr("Long gaps until tasks begin"), sentence(text), evidence, _saving(own, floor, SPREAD)),
    )


def _data(profile: Profile, thresholds: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _of(profile)
    if own is None or not has_path(own):
        return NotChecked(NO_BLOCKS if own is None else NO_GRAPH)
    lost = np.nan_to_num(gaps(own).data)
    share = _share(own, lost)
    if share < thresholds.data_wait:
        return ()
    floor = pool(own, facts(own).used)[0]
    text = tr(
        "Cores in use wait {time} for data of other tasks, {share} of their time. Dependencies alone demand {chain} of "
        "the {span}: only smaller tasks on that chain, or fewer dependencies, shorten it.",
        time=amount(own, float(lost.sum())),
        share=Amount(share, "%"),
        chain=amount(own, chain(own)[0]),
        span=amount(own, facts(own).span),
    )
    evidence = _gap(profile, own, lost, tr("longest wait for data"))
    formula = tr("span - work of a kind of cores / its cores in use")
    return (Finding("warning", tr("Cores wait for data"), sentence(text), evidence, _saving(own, floor, formula)),)


def _small(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    own = _of(profile)
    if own is None:
        return NotChecked(NO_BLOCKS)
    rows = np.flatnonzero(own.blocks.dispatch >= 0)
    if not len(rows):
        return NotChecked(NO_DISPATCH)
    head = (own.blocks.start - own.blocks.dispatch)[rows].astype(np.float64)
    length = (own.blocks.end - own.blocks.start)[rows].astype(np.float64)
    if len(rows) < _FEWEST or middle(length) >= middle(head):
        return ()
    text = tr(
        "Half of the blocks take less than {length}, and half of them begin more than {head} after their dispatch. "
        "Fewer, larger tasks spend less of their time on it.",
        length=amount(own, middle(length)),
        head=amount(own, middle(head)),
    )
    evidence = (
        _evidence(own, "task-blocks", "", tr("median length of a block"), middle(length)),
        _evidence(own, "task-blocks", "", tr("median time from dispatch to start"), middle(head)),
    )
    saving = _saving(own, _pooled(own, facts(own).used), SPREAD) if has_path(own) else None
    return (Finding("info", tr("Tasks are shorter than their dispatch"), sentence(text), evidence, saving),)


def _share(own: CoreTasks, lost: F64) -> float:
    """Percent of the span of all cores in use."""
    return 100 * float(lost.sum()) / (facts(own).span * max(int(facts(own).used.sum()), 1))


def _gap(profile: Profile, own: CoreTasks, lost: F64, figure: Message) -> tuple[Evidence, ...]:
    """The longest of the gaps, and the slice that ends it."""
    block = int(lost.argmax())
    slice_ = int(block_slices(profile)[block])
    chosen = Selection("slice", (slice_,)) if slice_ >= 0 else None
    return (_evidence(own, "task-blocks", str(block), figure, float(lost[block]), chosen),)


_TASKS: Final = ("core_tasks",)
RULES: Final = (
    Rule(
        "pypto.idle-cores",
        tr("Cores without tasks"),
        tr("Cores that the files name and on which no task runs, as a share of all."),
        _TASKS,
        _idle,
        ("unused_cores",),
    ),
    Rule(
        "pypto.uneven-cores",
        tr("Uneven work of cores"),
        tr("The largest work of a core minus the mean of the cores of its kind in use, as a share of the span."),
        _TASKS,
        _uneven,
        ("uneven_work",),
    ),
    Rule(
        "pypto.dispatch-gaps",
        tr("Long gaps until tasks begin"),
        tr("Time in which cores in use do nothing although the data of their next task are there, of all their time."),
        _TASKS,
        _dispatch,
        ("dispatch_gaps",),
    ),
    Rule(
        "pypto.data-wait",
        tr("Cores wait for data"),
        tr("Time in which cores in use do nothing until what their next task depends on has ended, of all their time."),
        _TASKS,
        _data,
        ("data_wait",),
    ),
    Rule(
        "pypto.small-tasks",
        tr("Tasks that are shorter than their dispatch"),
        tr("Median length of a block, compared with the median time from its dispatch to its start."),
        _TASKS,
        _small,
    ),
)
