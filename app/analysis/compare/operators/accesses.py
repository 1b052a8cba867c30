"""The memory accesses of two profiles in one order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.polling import Check, never
from app.language import tr
from app.profile.arrays import I64, U8
from app.profile.memory_accesses import MemoryAccesses

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

IN_BOTH, ONLY_AFTER, ONLY_BEFORE = 1, 2, 4
"""One bit for each, so that a pixel can hold several."""
_KINDS: Final = np.array([IN_BOTH, ONLY_BEFORE, ONLY_AFTER], np.uint8)
"""By the status of a row of a ComparedTable."""


class MergedAccesses(Struct, frozen=True, eq=False):
    """The accesses of both: those after in their order, and each that only the baseline has behind the one that it
    follows there. ``rows_before``, ``rows_after``: int64[rows], -1 none; ``kind``: uint8[rows], a bit; ``section``:
    what each is, that of the comparison if both have it, with its place in this order as the record number. ``exact``:
    whether they were aligned exactly."""

    comparison: Comparison
    rows_before: I64
    rows_after: I64
    kind: U8
    section: MemoryAccesses
    exact: bool

    def count(self, kind: int) -> int:
        """How many accesses of a kind there are."""
        return int(np.count_nonzero(self.kind == kind))


def merged_accesses(comparison: Comparison, check: Check = never) -> MergedAccesses | None:
    """The accesses of both, matched as in the table "memory-accesses"; None without any after."""
    before, after = comparison.before.memory_accesses, comparison.after.memory_accesses
    table = comparison.table("memory-accesses", check)
    if after is None or table is None:
        return None
    both = joined_accesses(before, after)
    count = 0 if before is None else len(before.record)
    rows = np.where(table.rows_after >= 0, count + table.rows_after, table.rows_before)
    section = MemoryAccesses(
        both.operation[rows],
        both.core[rows],
        both.space[rows],
        both.block_type[rows],
        np.arange(len(rows), dtype=np.int64),
        both.address[rows],
        both.size[rows],
        both.pc[rows],
    )
    exact = table.matches.exact
    return MergedAccesses(comparison, table.rows_before, table.rows_after, _KINDS[table.status], section, exact)


def joined_accesses(before: MemoryAccesses | None, after: MemoryAccesses) -> MemoryAccesses:
    """Those of the baseline followed by those of the comparison, unmatched and without call stacks."""
    if before is None:
        return after
    return MemoryAccesses(
        np.concatenate((before.operation, after.operation)),
        np.concatenate((before.core, after.core)),
        np.concatenate((before.space, after.space)),
        np.concatenate((before.block_type, after.block_type)),
        np.concatenate((before.record, after.record)),
        np.concatenate((before.address, after.address)),
        np.concatenate((before.size, after.size)),
        np.concatenate((before.pc, after.pc)),
    )


def not_compared(comparison: Comparison, merged: MergedAccesses) -> list[str]:
    """Why accesses have no partner: one sentence each."""
    if comparison.before.memory_accesses is None:
        return [tr("The baseline has no memory accesses.")]
    if not merged.exact:
        return [
            tr(
                "The sequences differ too much for an exact alignment: accesses of the same kind are matched in their "
                "order where possible."
            )
        ]
    return []
