"""The allreduce of the gradients in a run: which steps it consists of, judged by their names, and how long it takes
for each weight update."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct, field

from app.analysis.poplar.names import compute_set_names
from app.analysis.scaling.loops import NOTHING, Repeats, kinds_of
from app.analysis.timeline.intervals import union_lengths
from app.language import tr
from app.profile.arrays import I32, I64, Bool, Integers, among, distinct
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.strings import Strings

REDUCES: Final = re.compile(r"all_?reduce|cross_?replica|reduce_?scatter|all_?gather", re.IGNORECASE)
"""Scaling over replicas, section 7.9.2, names these operations."""
NORMALISES: Final = re.compile(r"batch_?norm|(^|[/_.])bn([/_.\d]|$)|group_?norm|layer_?norm", re.IGNORECASE)
"""Distributed batch norm reduces as well, for each micro-batch: that is not the allreduce of the gradients."""
WORDS: Final = tr("AllReduce, CrossReplica, ReduceScatter or AllGather")


class StepNames:
    """The name of each step: its own, else that of its program, else that of its compute set. ``ids``: int32[steps],
    -1 without a name; the same text may have several ids."""

    def __init__(self, profile: Profile, steps: Steps) -> None:
        self._tables: list[Strings] = []
        self._first: list[int] = []
        self.ids: I32 = np.full(len(steps), -1, np.int32)
        self._add(steps.name, steps.strings)
        if profile.programs is not None:
            self._add(_through(steps.program, profile.programs.name), profile.programs.strings)
        if profile.compute_sets is not None:
            names = compute_set_names(profile, len(profile.compute_sets))
            self._add(_through(steps.compute_set, np.arange(len(names))), names)

    def __getitem__(self, number: int) -> str:
        """The text of an id; "" for -1."""
        for table, first in zip(reversed(self._tables), reversed(self._first), strict=True):
            if number >= first:
                return table.get(number - first)
        return ""

    def matching(self, test: Callable[[str], object]) -> Bool:
        """bool[steps]: those whose name passes ``test``, which is called once per id."""
        known, place = np.unique(self.ids, return_inverse=True)
        good = np.array([number >= 0 and bool(test(self[number])) for number in known.tolist()], np.bool_)
        passing: Bool = good[place] if len(known) else np.zeros(0, np.bool_)
        return passing

    def texts(self) -> tuple[I64, tuple[str, ...]]:
        """(int64[steps] indices into the texts, the distinct texts): steps with the same name have the same index."""
        known, place = np.unique(self.ids, return_inverse=True)
        where: dict[str, int] = {}
        places = [where.setdefault(self[number], len(where)) for number in known.tolist()]
        return np.array(places, np.int64)[place], tuple(where)

    def _add(self, ids: Integers, table: Strings) -> None:
        """Set the names of steps that have none yet."""
        first = self._first[-1] + len(self._tables[-1]) if self._tables else 0
        free = (self.ids < 0) & (ids >= 0) & (ids < len(table))
        self.ids[free] = ids[free] + first
        self._tables.append(table)
        self._first.append(first)


def root_of(name: str) -> str:
    """The prefix of the path that all steps of one reduction share: up to the first component that names it."""
    match = REDUCES.search(name)
    if match is None:
        return name
    end = name.find("/", match.end())
    return name if end < 0 else name[:end]


def _through(index: I32, ids: Integers) -> I64:
    """int64[steps]: ``ids`` of the items that ``index`` refers to, -1 for none."""
    out = np.full(len(index), -1, np.int64)
    inside = (index >= 0) & (index < len(ids))
    out[inside] = ids[index[inside]]
    return out


NONE: I64 = np.empty(0, np.int64)


class Named(Struct, frozen=True, eq=False):
    """bool[steps]: ``every`` step whose name is one of a reduction between replicas, and those that reduce
    ``gradients``."""

    names: StepNames
    every: Bool
    gradients: Bool


def named(profile: Profile, steps: Steps, belongs: Bool | None = None) -> Named:
    """The steps that reduce. ``belongs``: bool[steps], those in the micro-batch loop. If some reducing steps are
    outside of it, those inside belong to each micro-batch (distributed batch norm), as do those whose names contain a
    norm."""
    names = StepNames(profile, steps)
    every = names.matching(REDUCES.search)
    gradients = every & ~names.matching(NORMALISES.search)
    if belongs is not None and bool(np.any(gradients & ~belongs)):
        gradients &= ~belongs
    return Named(names, every, gradients)


class Reductions(Struct, frozen=True, eq=False):
    """``why`` there are none, else "". ``rows``: the steps; ``update``: the weight update that each belongs to (0, 1,
    …); ``length``: cycles of each update. ``accumulation``: repeats per update, None if they differ. ``outside``:
    cycles per update of the other steps outside of the loop; ``outside_rows``: these steps, ``outside_update``: their
    updates; ``periods``: cycles from update to update. All int64."""

    why: str = ""
    rows: I64 = field(default_factory=NONE.copy)
    update: I64 = field(default_factory=NONE.copy)
    length: I64 = field(default_factory=NONE.copy)
    accumulation: int | None = None
    outside: I64 = field(default_factory=NONE.copy)
    outside_rows: I64 = field(default_factory=NONE.copy)
    outside_update: I64 = field(default_factory=NONE.copy)
    periods: I64 = field(default_factory=NONE.copy)

    def steps_of(self, update: int) -> I64:
        steps: I64 = self.rows[self.update == update]
        return steps

    def outside_steps(self, update: int) -> I64:
        steps: I64 = self.outside_rows[self.outside_update == update]
        return steps


def reductions(steps: Steps, own: Repeats, reducing: Named) -> Reductions:
    """The reductions of gradients. Steps before the first repeat belong to no update."""
    timed = (steps.cycles_from >= 0) & (steps.cycles_to >= steps.cycles_from)
    starts = own.loop.starts
    rows, repeat = _after(starts, np.flatnonzero(reducing.gradients & timed))
    if not len(rows):
        return Reductions(_why(reducing))
    repeats, update = np.unique(repeat, return_inverse=True)
    update = update.astype(np.int64)
    each = _each(repeats)
    outside = _outside(steps, own, reducing, timed, repeats)
    return Reductions(
        "",
        rows.astype(np.int64),
        update,
        _lengths(steps, rows, update, len(repeats)),
        each,
        *outside,
        _periods(steps.cycles_from, starts, repeats, each),
    )


def roots(reducing: Named, rows: I64) -> frozenset[str]:
    """The distinct reductions that these steps name."""
    return frozenset(root_of(reducing.names[number]) for number in distinct(reducing.names.ids[rows]).tolist())


def _why(reducing: Named) -> str:
    if bool(np.any(reducing.every)):
        return tr("Every step that names an allreduce belongs to a norm of each micro-batch, or comes before the loop.")
    return tr("No step name contains {words}.", words=WORDS)


def _after(starts: I64, rows: I64) -> tuple[I64, I64]:
    """(rows that come after a start, the index of that start)."""
    place = np.searchsorted(starts, rows, "right") - 1
    return rows[place >= 0], place[place >= 0]


def _each(repeats: I64) -> int | None:
    """Repeats from one allreduce to the next, None if they differ; for a single one, those since the run began."""
    if len(repeats) == 1:
        return int(repeats[0]) + 1
    apart = distinct(np.diff(repeats))
    return int(apart[0]) if len(apart) == 1 else None


def _outside(steps: Steps, own: Repeats, reducing: Named, timed: Bool, repeats: I64) -> tuple[I64, I64, I64]:
    """(cycles, rows, updates) of the other work outside of the loop after the last repeat of each update. After the
    very last one the program may do anything, so that counts only if there is no other."""
    working = timed & ~own.belongs & ~reducing.every & (kinds_of(steps) != NOTHING)
    rows, repeat = _after(own.loop.starts, np.flatnonzero(working))
    known = repeats[:-1] if len(repeats) > 1 else repeats
    keep = among(repeat, known)
    rows, update = rows[keep], np.searchsorted(known, repeat[keep]).astype(np.int64)
    if not len(rows):
        return NONE, NONE, NONE
    return _lengths(steps, rows, update, len(known)), rows.astype(np.int64), update


def _lengths(steps: Steps, rows: I64, update: I64, count: int) -> I64:
    return union_lengths(steps.cycles_from[rows], steps.cycles_to[rows], update, count).astype(np.int64)


def _periods(begin: I64, starts: I64, repeats: I64, each: int | None) -> I64:
    """Cycles from the first repeat of an update to that of the next."""
    firsts = repeats + 1
    if each is not None and int(repeats[0]) + 1 == each:
        firsts = np.concatenate((np.zeros(1, np.int64), firsts))
    firsts = firsts[firsts < len(starts)]
    length = np.diff(begin[starts[firsts]])
    return length[length > 0]
