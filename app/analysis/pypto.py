"""Tasks of a PyPTO program: what fills the time of their cores, and the critical path as the toolkit defines it
(PyPTO, section 8). All times are cycles."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.language import Text, tr
from app.profile.arrays import F64, I64, Bool, combine_at
from app.profile.kept import kept
from app.profile.pypto import CoreTasks, Pairs, Spans, pairs, spans

DATA, CORE, FRONT = range(3)
CAUSES: Final[tuple[Text, ...]] = (tr("data"), tr("core"), tr("start"))
"""What a task of the critical path waited for: the end of what it depends on, the end of what its core did before, or
nothing (the start of the run)."""


class Facts(Struct, frozen=True, eq=False):
    """``when``: of each task; ``pairs``: dependencies; ``start``, ``end``: of the run; ``owner``: int64[blocks], their
    tasks; ``before``: int64[blocks], what ran before on the core, -1 for the first; ``used``: bool[cores], whether any
    block of positive length ran on each."""

    when: Spans
    pairs: Pairs
    start: int
    end: int
    owner: I64
    before: I64
    used: Bool

    @property
    def span(self) -> int:
        return self.end - self.start


def facts(own: CoreTasks) -> Facts:
    """Computed once."""
    return kept(own, _facts)


def _facts(own: CoreTasks) -> Facts:
    blocks, when = own.blocks, spans(own)
    order = np.lexsort((blocks.end, blocks.start, blocks.core))
    before = np.full(len(blocks), -1, np.int64)
    same = blocks.core[order][1:] == blocks.core[order][:-1]
    before[order[1:][same]] = order[:-1][same]
    used = np.zeros(len(own.cores), np.bool_)
    used[blocks.core[blocks.end > blocks.start]] = True
    start, end = (int(blocks.start.min()), int(blocks.end.max())) if len(blocks) else (0, 0)
    owner = np.repeat(np.arange(len(own.tasks)), np.diff(own.tasks.first))
    return Facts(when, pairs(own, when), start, end, owner, before, used)


# -- what cores do ----------------------------------------------------------------------------------------


class Gaps(Struct, frozen=True, eq=False):
    """float64[blocks]: the time in which a core did nothing before each block, from the end of the block before (the
    start of the run for the first), in parts that add up: ``data``, until what its task depends on had ended;
    ``dispatch``, until it was sent to the core; ``handing``, until it began; ``unknown``, the rest. NaN where the files
    do not tell. ``whole``: their sum."""

    whole: F64
    data: F64
    dispatch: F64
    handing: F64
    unknown: F64

    @property
    def parts(self) -> tuple[F64, F64, F64, F64]:
        return self.data, self.dispatch, self.handing, self.unknown


def gaps(own: CoreTasks) -> Gaps:
    """Computed once."""
    return kept(own, _gaps)


def _gaps(own: CoreTasks) -> Gaps:
    known, blocks = facts(own), own.blocks
    since = np.where(known.before >= 0, blocks.end[known.before] if len(blocks) else -1, known.start)
    since = np.minimum(since, blocks.start)
    ready = np.clip(task_ready(own)[known.owner], since, blocks.start)
    sent = np.where(blocks.dispatch >= 0, np.clip(blocks.dispatch, ready, blocks.start), -1)
    no_data, has = np.full(len(blocks), np.nan), sent >= 0
    handing = np.where(has, (blocks.start - sent).astype(np.float64), np.nan)
    whole = (blocks.start - since).astype(np.float64)
    if has_path(own):
        data = (ready - since).astype(np.float64)
        return Gaps(whole, data, whole - data - np.nan_to_num(handing), handing, no_data)
    return Gaps(whole, no_data, no_data, handing, whole - np.nan_to_num(handing))


def task_ready(own: CoreTasks) -> I64:
    """int64[tasks]: the latest end of what each task depends on, the start of the run without such."""
    known = facts(own)
    ready = np.full(len(own.tasks), known.start, np.int64)
    held = known.pairs.kept
    combine_at(np.maximum, ready, known.pairs.after[held], known.when.end[known.pairs.before[held]])
    return ready


def busy(own: CoreTasks) -> I64:
    """int64[cores]: the lengths of the blocks of each core, added."""
    lengths = own.blocks.end - own.blocks.start
    return np.bincount(own.blocks.core, lengths, len(own.cores)).astype(np.int64)


def pool(own: CoreTasks, cores: Bool) -> tuple[float, int]:
    """(the work of a kind of cores divided by its cores, of the kind where that is most; that kind). Only ``cores``
    (bool[cores]) count: whatever runs when and where on these, it takes at least so long."""
    work, kind = busy(own), own.cores.kind
    shared = [
        float(work[kind == one].sum()) / max(int((cores & (kind == one)).sum()), 1)
        for one in range(int(kind.max()) + 1)
    ]
    most = int(np.argmax(shared))
    return shared[most], most


# -- critical paths ---------------------------------------------------------------------------------------


class Path(Struct, frozen=True, eq=False):
    """The observed path in order. ``task``: int64; ``stall``, ``compute``: int64 cycles, which add up to the span;
    ``cause``: int64, what it waited for (DATA, CORE, FRONT)."""

    task: I64
    stall: I64
    compute: I64
    cause: I64


def has_path(own: CoreTasks) -> bool:
    """Whether the files say what waits for what, of tasks that ran."""
    return bool(facts(own).pairs.kept.any())


def observed(own: CoreTasks) -> Path:
    """The chain of tasks that fills the run: from the task that ends last back to what ended latest of what it depends
    on and what its core did before. Computed once."""
    return kept(own, _observed)


def _observed(own: CoreTasks) -> Path:
    known, when = facts(own), facts(own).when
    if not len(own.blocks):
        return Path(*(np.empty(0, np.int64) for _ in range(4)))
    held = np.flatnonzero(known.pairs.kept)
    after = known.pairs.after[held]  # ascending
    first = np.searchsorted(after, np.arange(len(own.tasks) + 1))
    sources = known.pairs.before[held]
    task = int(np.argmax(when.end))
    chain: list[tuple[int, int]] = []
    seen: set[int] = set()
    while task not in seen:
        seen.add(task)
        producers = sources[first[task] : first[task + 1]]
        producer = int(producers[np.argmax(when.end[producers])]) if len(producers) else -1
        block = int(known.before[when.first[task]])
        released = when.end[producer] if producer >= 0 else -1
        freed = own.blocks.end[block] if block >= 0 else -1
        if producer < 0 and block < 0:
            chain.append((task, FRONT))
            break
        from_data = producer >= 0 and released >= freed
        chain.append((task, DATA if from_data else CORE))
        task = producer if from_data else int(known.owner[block])
    tasks, causes = np.array(chain[::-1], np.int64).T
    frontier = np.maximum.accumulate(np.concatenate(([known.start], when.end[tasks])))[:-1]
    stall = np.maximum(when.start[tasks] - frontier, 0)
    compute = np.maximum(when.end[tasks] - np.maximum(when.start[tasks], frontier), 0)
    return Path(tasks, stall, compute, causes)


def static(own: CoreTasks) -> tuple[int, I64]:
    """(cycles, tasks) of the longest chain of dependencies, each task as long as from its first start to its last end:
    what dependencies alone demand. Computed once."""
    return kept(own, _static)


def _static(own: CoreTasks) -> tuple[int, I64]:
    known, when = facts(own), facts(own).when
    if not len(own.blocks):
        return 0, np.empty(0, np.int64)
    length = np.where(when.start >= 0, when.end - when.start, 0)
    held = np.flatnonzero(known.pairs.kept)
    order = held[np.argsort(when.start[known.pairs.after[held]], kind="stable")]
    total, came, own_length = length.tolist(), [-1] * len(length), length.tolist()
    for one, other in zip(known.pairs.before[order].tolist(), known.pairs.after[order].tolist(), strict=True):
        if total[one] + own_length[other] > total[other]:
            total[other], came[other] = total[one] + own_length[other], one
    last = int(np.argmax(total))
    chain = [last]
    while came[chain[-1]] >= 0:
        chain.append(came[chain[-1]])
    return int(total[last]), np.array(chain[::-1], np.int64)
