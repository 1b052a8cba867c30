"""Main figures of a PyPTO run (PyPTO, section 8)."""

from __future__ import annotations

import numpy as np

from app.analysis.figures import Figure
from app.analysis.figures.time import CHEAP
from app.analysis.pypto import busy, chain, facts, has_path
from app.analysis.table import Unit
from app.analysis.time.model import is_made, time_model
from app.analysis.time.path import WORK
from app.language import Text, tr
from app.profile.arrays import numbered
from app.profile.profile import Profile
from app.profile.pypto import CoreTasks

_TOP = 5


def figures(profile: Profile, *, whole: bool) -> list[Figure]:
    """Empty for a profile without tasks; ``whole``: also those of the critical path where it takes seconds."""
    own = profile.core_tasks
    if own is None:
        return []
    made = [
        Figure("pypto.tasks", tr("Tasks"), int((np.diff(own.tasks.first) > 0).sum()), help=tr("Tasks that ran.")),
        Figure("pypto.blocks", tr("Blocks"), len(own.blocks), help=tr("Pieces of tasks on cores.")),
    ]
    if own.level:
        text = tr("1: times of tasks, 2: also dispatch and finish, 3: the scheduler, 4: the orchestrator.")
        made.insert(0, Figure("pypto.level", tr("Level"), own.level, help=text, role="key"))
    if own.clock_hz is not None:
        made.append(Figure("pypto.clock_hz", tr("Clock"), own.clock_hz, "Hz", tr("Of the counter of all times.")))
    if len(own.blocks):
        made += _run(own)
    if len(own.dependencies):
        made += _graph(own)
        if has_path(own) and profile.timeline is not None and (whole or len(own.blocks) <= CHEAP or is_made(profile)):
            made += _paths(profile, own)
    return made


def _length(own: CoreTasks, name: str, label: Text, cycles: float, text: Text) -> Figure:
    """A length in seconds, or in cycles without a clock."""
    if own.clock_hz is None:
        return Figure(f"pypto.{name}_cycles", label, int(cycles), "cycles", text, clocked=False)
    return Figure(f"pypto.{name}_s", label, cycles / own.clock_hz, "s", text)


def _run(own: CoreTasks) -> list[Figure]:
    known, work = facts(own), int(busy(own).sum())
    whole = known.span * len(own.cores)
    found, of_block = numbered(own.tasks.function[known.owner] + 1)
    total = np.bincount(of_block, own.blocks.end - own.blocks.start, len(found))
    order = np.argsort(-total, kind="stable")[:_TOP]
    scale: float = 1.0 if own.clock_hz is None else own.clock_hz
    top = {own.strings.get(int(found[one]) - 1, "task"): float(total[one]) / scale for one in order.tolist()}
    unit: Unit = "cycles" if own.clock_hz is None else "s"
    return [
        Figure("pypto.cores", tr("Cores"), len(own.cores), help=tr("Cores of the chip that the files name.")),
        Figure("pypto.cores_used", tr("Cores in use"), int(known.used.sum()), help=tr("Cores on which a block ran.")),
        _length(
            own, "span", tr("Span of the tasks"), known.span, tr("From the first start to the last end of a task.")
        ),
        _length(own, "busy", tr("Work of all cores"), work, tr("Sum of the lengths of all blocks.")),
        *(
            [Figure("pypto.utilization", tr("Utilisation"), 100 * work / whole, "%", tr("Work / (span × cores)."))]
            if whole
            else []
        ),
        Figure("pypto.top_kernels", tr("Functions with most work"), top, unit, tr("Sum of the lengths of blocks.")),
    ]


def _graph(own: CoreTasks) -> list[Figure]:
    found = facts(own).pairs
    return [
        Figure("pypto.dependencies", tr("Dependencies"), len(found.before), help=tr("Distinct pairs of tasks.")),
        Figure(
            "pypto.dependencies_violated",
            tr("Violated dependencies"),
            int(found.violated.sum()),
            help=tr("Pairs in which the second task started more than 2 cycles before the first had ended."),
        ),
    ]


def _paths(profile: Profile, own: CoreTasks) -> list[Figure]:
    """What dependencies demand, and how the toolkit divides the span: work and waits on its critical path."""
    longest, tasks = chain(own)
    path = time_model(profile).path
    work = path.total(WORK)
    demand = tr("The longest chain of dependencies, each task as long as it took: what they alone demand.")
    text = tr(
        "Of the critical path, as the toolkit of PyPTO has it: waits are data, resource waits and the time outside."
    )
    return [
        _length(own, "critical_path", tr("Longest chain of dependencies"), longest, demand),
        Figure("pypto.critical_path_tasks", tr("Tasks of that chain"), len(tasks), help=demand),
        _length(own, "observed_compute", tr("Work on the critical path"), work, text),
        _length(own, "observed_stall", tr("Waits on the critical path"), float(path.times.sum()) - work, text),
    ]
