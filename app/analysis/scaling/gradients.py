"""The allreduce of the gradients in a run: which steps it consists of, and how long it takes for each weight update."""

from __future__ import annotations

import numpy as np
from msgspec import Struct, field

from app.analysis.scaling.naming import NORMALISES, REDUCES, WORDS, StepNames, root_of
from app.analysis.scaling.repeats import NOTHING, Repeats, kinds_of
from app.analysis.unions import union_lengths
from app.language import tr
from app.profile.arrays import I64, Bool, among, distinct
from app.profile.poplar import Steps
from app.profile.profile import Profile

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
