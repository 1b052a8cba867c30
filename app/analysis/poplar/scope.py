"""The scope of a selected program, step, compute set or exchange: what it runs, and the steps that ran it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from app.analysis.poplar.trees import descendants
from app.analysis.relations import NONE, direct
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind

SCHEDULED: Final[tuple[Kind, Kind]] = ("compute_set", "exchange")


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
    sets, exchanges = (direct(profile, "program", kind, below) for kind in SCHEDULED)
    return Scope(below, sets, exchanges, direct(profile, "program", "step", below))


def of_step(profile: Profile, index: I64) -> Scope | None:
    """The program that the step ran, and all steps of its compute set or exchange."""
    sets, exchanges = (direct(profile, "step", kind, index) for kind in SCHEDULED)
    programs = direct(profile, "step", "program", index)
    if not len(sets) and not len(exchanges) and not len(programs):
        return None
    kind, ran = (SCHEDULED[0], sets) if len(sets) else (SCHEDULED[1], exchanges)
    return Scope(programs, sets, exchanges, direct(profile, kind, "step", ran))


def of_slice(profile: Profile, index: I64) -> Scope | None:
    steps = direct(profile, "slice", "step", index)
    return of_step(profile, steps) if len(steps) else None


def of_compute_set(profile: Profile, index: I64) -> Scope:
    return Scope(NONE, index, NONE, direct(profile, "compute_set", "step", index))


def of_exchange(profile: Profile, index: I64) -> Scope:
    programs = direct(profile, "exchange", "program", index)
    return Scope(programs, NONE, index, direct(profile, "exchange", "step", index))
