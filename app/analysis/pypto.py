"""Tasks of a PyPTO program: what fills the time of their cores, and what their dependencies demand (PyPTO, section 8).
All times are cycles."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.part import Amount
from app.profile.arrays import F64, I64, Bool, combine_at
from app.profile.kept import kept
from app.profile.profile import Profile
from app.profile.pypto import CoreTasks, Pairs, Spans, pairs, spans


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


def amount(own: CoreTasks, cycles: float) -> Amount:
    """A length in seconds, or in cycles without a clock."""
    return Amount(cycles, "cycles") if own.clock_hz is None else Amount(cycles / own.clock_hz, "s")


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


# -- dependencies -----------------------------------------------------------------------------------------


def has_path(own: CoreTasks) -> bool:
    """Whether the files say what waits for what, of tasks that ran."""
    return bool(facts(own).pairs.kept.any())


def chain(own: CoreTasks) -> tuple[int, I64]:
    """(cycles, tasks) of the longest chain of dependencies, each task as long as from its first start to its last end:
    what the toolkit says that dependencies alone demand. Computed once."""
    return kept(own, _chain)


def least_chain(own: CoreTasks) -> int:
    """The cycles of the longest chain with each task as long as its longest block: no schedule is shorter."""
    return kept(own, _least_chain)


def longest_block(own: CoreTasks) -> I64:
    """int64[tasks]: the length of the longest block of each task, 0 without blocks."""
    longest = np.zeros(len(own.tasks), np.int64)
    combine_at(np.maximum, longest, facts(own).owner, own.blocks.end - own.blocks.start)
    return longest


def _chain(own: CoreTasks) -> tuple[int, I64]:
    when = facts(own).when
    return _longest(own, np.where(when.start >= 0, when.end - when.start, 0))


def _least_chain(own: CoreTasks) -> int:
    return _longest(own, longest_block(own))[0]


def _longest(own: CoreTasks, length: I64) -> tuple[int, I64]:
    known, when = facts(own), facts(own).when
    if not len(own.blocks):
        return 0, np.empty(0, np.int64)
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


def block_slices(profile: Profile) -> I64:
    """int64[blocks]: the slice of each block, -1 without a timeline."""
    own, line = profile.core_tasks, profile.timeline
    count = 0 if own is None else len(own.blocks)
    found = np.full(count, -1, np.int64)
    if line is not None:
        record = line.slices.record
        rows = np.flatnonzero((record >= 0) & (record < count))
        found[record[rows]] = rows
    return found
