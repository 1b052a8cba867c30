"""What a selected program, step, compute set or exchange stands for: what it runs, and the steps that ran that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.analysis.poplar import links
from app.analysis.poplar.trees import descendants
from app.profile.arrays import I64, Array
from app.profile.profile import Profile
from app.profile.selection import Kind

NONE: Final = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """int64 indices, rising: ``programs`` (with all below them), ``sets`` and ``exchanges`` (counted in one row) that
    they run, ``steps`` that ran these."""

    programs: I64
    sets: I64
    exchanges: I64
    steps: I64


def scope(profile: Profile, kind: Kind, index: int) -> Scope | None:
    """None for kinds that are none of these, and where the files know nothing of it."""
    make = _MAKERS.get(kind)
    return None if make is None or profile.origin.format != "poplar" else make(profile, np.array([index], np.int64))


def _program(profile: Profile, index: I64) -> Scope | None:
    own = profile.programs
    if own is None or not 0 <= index[0] < len(own):
        return None
    below = descendants(own, index)
    sets, exchanges = own.compute_set[below], links.exchange_numbers(profile, own)[below]
    steps = profile.steps
    ran = NONE if steps is None else np.flatnonzero(np.isin(steps.program, below)).astype(np.int64)
    return Scope(below, _known(sets), _known(exchanges), ran)


def _step(profile: Profile, index: I64) -> Scope | None:
    """The very program that the step ran, and all steps of its compute set or exchange."""
    sets, exchanges = links.step_compute_sets(profile, index), links.step_exchanges(profile, index)
    programs = links.step_programs(profile, index)
    if not len(sets) and not len(exchanges) and not len(programs):
        return None
    steps = links.compute_set_steps(profile, sets) if len(sets) else links.exchange_steps(profile, exchanges)
    return Scope(programs, sets, exchanges, steps)


def _slice(profile: Profile, index: I64) -> Scope | None:
    steps = links.slice_steps(profile, index)
    return _step(profile, steps) if len(steps) else None


def _compute_set(profile: Profile, index: I64) -> Scope:
    return Scope(NONE, index, NONE, links.compute_set_steps(profile, index))


def _exchange(profile: Profile, index: I64) -> Scope:
    programs = links.exchange_programs(profile, index)
    return Scope(programs, NONE, index, links.exchange_steps(profile, index))


def _known(indices: Array) -> I64:
    return np.unique(indices[indices >= 0]).astype(np.int64)


_MAKERS: Final[dict[Kind, Callable[[Profile, I64], Scope | None]]] = {
    "program": _program,
    "step": _step,
    "slice": _slice,
    "compute_set": _compute_set,
    "exchange": _exchange,
}
