"""Links between programs, steps, slices, compute sets, exchanges, vertex types and liveness nodes."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.live import programs_of_nodes
from app.analysis.poplar.trees import descendants
from app.profile.arrays import I32, I64, Array, Bool, Integers, Ragged, distinct
from app.profile.poplar import EXCHANGE_OF_TYPE, Programs, Steps
from app.profile.profile import Profile

NONE = np.empty(0, np.int64)


def program_steps(profile: Profile, programs: I64) -> I64:
    """The steps of the programs, and of any below them."""
    if profile.programs is None or profile.steps is None:
        return NONE
    return _holding(profile.steps.program, descendants(profile.programs, programs))


def step_programs(profile: Profile, steps: I64) -> I64:
    return NONE if profile.steps is None else known(_take(profile.steps.program, steps))


def slice_steps(profile: Profile, slices: I64) -> I64:
    """The step that each slice stands for (timelines of other formats have none)."""
    if profile.steps is None or profile.timeline is None:
        return NONE
    return known(_take(profile.timeline.slices.record, slices))


def step_slices(profile: Profile, steps: I64) -> I64:
    if profile.steps is None or profile.timeline is None:
        return NONE
    return _holding(profile.timeline.slices.record, steps)


def step_compute_sets(profile: Profile, steps: I64) -> I64:
    return NONE if profile.steps is None else known(_take(profile.steps.compute_set, steps))


def compute_set_steps(profile: Profile, sets: I64) -> I64:
    return NONE if profile.steps is None else _holding(profile.steps.compute_set, sets)


def program_compute_sets(profile: Profile, programs: I64) -> I64:
    """Compute sets that the programs, or any below them, run."""
    own = profile.programs
    return NONE if own is None else known(own.compute_set[descendants(own, programs)])


def compute_set_programs(profile: Profile, sets: I64) -> I64:
    return NONE if profile.programs is None else _holding(profile.programs.compute_set, sets)


def step_exchanges(profile: Profile, steps: I64) -> I64:
    return NONE if profile.steps is None else known(_take(exchange_numbers(profile, profile.steps), steps))


def exchange_steps(profile: Profile, exchanges: I64) -> I64:
    return NONE if profile.steps is None else _holding(exchange_numbers(profile, profile.steps), exchanges)


def program_exchanges(profile: Profile, programs: I64) -> I64:
    own = profile.programs
    return NONE if own is None else known(exchange_numbers(profile, own)[descendants(own, programs)])


def exchange_programs(profile: Profile, exchanges: I64) -> I64:
    own = profile.programs
    return NONE if own is None else _holding(exchange_numbers(profile, own), exchanges)


def compute_set_vertex_types(profile: Profile, sets: I64) -> I64:
    rows = _types_of_sets(profile)
    return NONE if rows is None else known(rows.items[np.isin(rows.owner, sets)])


def vertex_type_compute_sets(profile: Profile, types: I64) -> I64:
    rows = _types_of_sets(profile)
    return NONE if rows is None else known(rows.owner[np.isin(rows.items, types)])


def exchange_numbers(profile: Profile, of: Programs | Steps) -> I64:
    """int64: the exchange of each program or step, numbered over all kinds; -1 none."""
    out = np.full(len(of), -1, np.int64)
    exchanges = profile.exchanges
    for name, kind in EXCHANGE_OF_TYPE.items() if exchanges is not None else ():
        own = exchanges.of(kind) if exchanges is not None else None
        if own is not None and exchanges is not None:
            rows = of.of_type(name)
            rows = rows[(of.exchange[rows] >= 0) & (of.exchange[rows] < len(own))]
            out[rows] = exchanges.first(kind) + of.exchange[rows]
    return out


def liveness_programs(profile: Profile, nodes: I64) -> I64:
    """The programs of nodes of the liveness tree, if known."""
    of_nodes = programs_of_nodes(profile)
    return NONE if of_nodes is None else known(_take(of_nodes.program, nodes))


def program_liveness(profile: Profile, programs: I64) -> I64:
    of_nodes = programs_of_nodes(profile)
    return NONE if of_nodes is None else _holding(of_nodes.program, programs)


def _types_of_sets(profile: Profile) -> Ragged | None:
    return None if profile.compute_sets is None else profile.compute_sets.vertex_types


def _holding(column: Integers, wanted: I64) -> I64:
    """Rows of ``column`` with one of the values ``wanted``."""
    return where(np.isin(column, wanted[wanted >= 0]))


def _take(column: I32 | I64, indices: I64) -> I32 | I64:
    return column[indices[(indices >= 0) & (indices < len(column))]]


def known(indices: Array) -> I64:
    """int64, ascending: the indices without negative ones and duplicates."""
    return distinct(indices[indices >= 0]).astype(np.int64)


def where(mask: Bool) -> I64:
    """int64: the indices of true values."""
    return np.flatnonzero(mask).astype(np.int64)
