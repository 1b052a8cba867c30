"""What waits for what in a run of tasks on cores: a task is one node from its first to its last block, so that the
critical path is that of the toolkit (PyPTO, section 8)."""

from __future__ import annotations

import numpy as np

from app.analysis.pypto import block_slices, facts, has_path, longest_block
from app.analysis.time.classes import WORK
from app.analysis.time.graph import Graph
from app.analysis.time.links import STATED
from app.analysis.time.pieces import NEAR
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.pypto import CoreTasks


def tasks_with_path(profile: Profile) -> CoreTasks | None:
    """The tasks, if the files say what waits for what."""
    own = profile.core_tasks
    return own if own is not None and profile.timeline is not None and has_path(own) else None


def task_graph(profile: Profile, own: CoreTasks) -> Graph:
    """The graph of the tasks that ran. A task holds the core of its first block; its edges are the dependencies that
    the times agree with. ``least``: its longest block, which no other schedule makes shorter."""
    known, blocks = facts(own), own.blocks
    ran = np.flatnonzero(known.when.start >= 0)
    task = ran[np.lexsort((known.when.end[ran], known.when.start[ran]))]
    node = np.full(len(own.tasks), -1, np.int64)
    node[task] = np.arange(len(task))
    first = known.when.first[task]
    start, end = (times[task].astype(np.float64) for times in (known.when.start, known.when.end))
    held = known.pairs.kept
    source, target = node[known.pairs.before[held]], node[known.pairs.after[held]]
    order = np.lexsort((source, target))
    source, target = source[order], target[order]
    unsure: I64 = np.empty(0, np.int64)
    return Graph(
        slice=block_slices(profile)[first],
        lane=own.cores.lane[blocks.core[first]],
        kind=np.full(len(task), WORK, np.uint8),
        arrival=start,
        start=start,
        end=end,
        before=_before(known.before[first], known.owner, node),
        first=np.searchsorted(target, np.arange(len(task) + 1)),
        source=source,
        release=np.minimum(end[source], start[target]),
        early=end[source],
        origin=np.full(len(source), STATED, np.uint8),
        contradicting=int(known.pairs.violated.sum()),
        unsure=unsure,
        near=NEAR * known.span,
        least=longest_block(own)[task].astype(np.float64),
    )


def _before(block: I64, owner: I64, node: I64) -> I64:
    """int64[nodes]: the node of the block that ran before on the core, -1 for none that began earlier."""
    before = np.where(block >= 0, node[np.append(owner, -1)[block]], -1)
    return np.where(before < np.arange(len(before)), before, -1)
