"""The scope of a selected program, step, compute set or exchange: what it runs, and the steps that ran it."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.poplar import links
from app.analysis.poplar.trees import descendants
from app.profile.arrays import I64, Array, distinct
from app.profile.profile import Profile

NONE: Final = np.empty(0, np.int64)


class Scope(Struct, frozen=True, eq=False):
    """int64 indices, ascending: ``programs`` (with all below them), ``sets`` and ``exchanges`` (numbered over all
    kinds) that they run, ``steps`` that ran these."""

    programs: I64
    sets: I64
    exchanges: I64
    steps: I64


def of_program(profile: Profile, index: I64) -> Scope | None:
    """The scope of one program; None if there is no such program."""
    own = profile.programs
    if own is None or not 0 <= index[0] < len(own):
        return None
    below = descendants(own, index)
    sets, exchanges = own.compute_set[below], links.exchange_numbers(profile, own)[below]
    steps = profile.steps
    ran = NONE if steps is None else np.flatnonzero(np.isin(steps.program, below)).astype(np.int64)
    return Scope(below, _known(sets), _known(exchanges), ran)


def of_step(profile: Profile, index: I64) -> Scope | None:
    """The program that the step ran, and all steps of its compute set or exchange."""
    sets, exchanges = links.step_compute_sets(profile, index), links.step_exchanges(profile, index)
    programs = links.step_programs(profile, index)
    if not len(sets) and not len(exchanges) and not len(programs):
        return None
    steps = links.compute_set_steps(profile, sets) if len(sets) else links.exchange_steps(profile, exchanges)
    return Scope(programs, sets, exchanges, steps)


def of_slice(profile: Profile, index: I64) -> Scope | None:
    steps = links.slice_steps(profile, index)
    return of_step(profile, steps) if len(steps) else None


def of_compute_set(profile: Profile, index: I64) -> Scope:
    return Scope(NONE, index, NONE, links.compute_set_steps(profile, index))


def of_exchange(profile: Profile, index: I64) -> Scope:
    programs = links.exchange_programs(profile, index)
    return Scope(programs, NONE, index, links.exchange_steps(profile, index))


def _known(indices: Array) -> I64:
    return distinct(indices[indices >= 0]).astype(np.int64)
