"""What belongs to matched programs of a Poplar report: compute sets, exchanges, steps, and the slices of these."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.compare.codes import Codes
from app.analysis.compare.rules import Matches
from app.analysis.poplar.graph import exchange_numbers
from app.analysis.table import Table
from app.profile.arrays import I64, Integers
from app.profile.profile import Profile

KINDS: Final = ("compute_set", "exchange", "step", "slice")
"""What rows stand for that belong to programs."""
NONE: Final = (-1, -2)
"""Of both sides: no program, or one without a partner."""


def belong_to_programs(table: Table, profile: Profile) -> bool:
    """Whether its rows are things that programs have."""
    return profile.programs is not None and table.selects in KINDS


def of_programs(tables: tuple[Table, Table], profiles: tuple[Profile, Profile], programs: Matches) -> Codes | None:
    """Equal codes for rows that belong to programs that are matched with one another, in ``programs``; None if rows
    belong to none."""
    owned = [_owned(profile, table) for profile, table in zip(profiles, tables, strict=True)]
    before, after = owned
    if before is None or after is None:
        return None
    partner = np.append(programs.of_before.astype(np.int64), -1)
    if tables[0].selects in ("step", "slice"):
        known = np.where((before >= 0) & (before < len(partner)), before, -1)
        return Codes(_or_none(partner[known], 0), _or_none(after, 1))
    one, other = (_things(profile, table) for profile, table in zip(profiles, tables, strict=True))
    first, second = programs.pairs
    both = (one[first] >= 0) & (other[second] >= 0)
    mine, theirs = one[first[both]], other[second[both]]
    of_thing = np.full(int(max(before.max(initial=-1), one.max(initial=-1))) + 2, -1, np.int64)
    of_thing[mine[::-1]] = theirs[::-1]  # of several programs the first
    return Codes(_or_none(of_thing[before], 0), _or_none(after, 1))


def _or_none(numbers: I64, side: int) -> I64:
    return np.where(numbers >= 0, numbers, NONE[side])


def _owned(profile: Profile, table: Table) -> I64 | None:
    """int64[rows]: the programs of steps and slices, -1 none; the numbers of other things."""
    keys = np.arange(table.rows, dtype=np.int64) if table.keys is None else table.keys
    steps, line = profile.steps, profile.timeline
    if table.selects not in ("step", "slice"):
        return keys
    if steps is None or (table.selects == "slice" and line is None):
        return None
    own: Integers = keys
    if table.selects == "slice" and line is not None:
        own = line.slices.record[keys]
    program = np.append(steps.program.astype(np.int64), -1)
    return program[np.where((own >= 0) & (own < len(steps)), own, -1)]


def _things(profile: Profile, table: Table) -> I64:
    """int64[programs]: the compute set or the exchange of each, -1 none."""
    programs = profile.programs
    assert programs is not None
    if table.selects == "compute_set":
        return programs.compute_set.astype(np.int64)
    return exchange_numbers(profile, programs)
