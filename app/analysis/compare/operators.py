"""Parts of two Ascend operators side by side: blocks and facts, cores, memory paths, computing units, stall reasons,
cache maps and memory accesses; and what of each cannot be compared."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.ascend import launch
from app.analysis.ascend.cores import Metric, sub_core_name, values
from app.analysis.ascend.diagram.figures import BaselineFigures, BlockFigures, figures_of
from app.analysis.ascend.launch import Fact
from app.analysis.ascend.workload import Share, block_shares
from app.analysis.compare.alignment import Check, never
from app.analysis.compare.codes import pairs_by_name, with_alone
from app.analysis.compare.comparison import Comparison
from app.language import plural, tr
from app.profile.arrays import F64, I64, U8
from app.profile.ascend import CoreLoad, MemoryAccesses, MemoryPaths, Operator, StallReasons
from app.profile.profile import Profile

Item = TypeVar("Item")
MOST_NAMED: Final = 12


def _listed(names: Sequence[str]) -> str:
    more = [tr("{count:,} more", count=len(names) - MOST_NAMED)] if len(names) > MOST_NAMED else []
    return ", ".join([*names[:MOST_NAMED], *more])


def _side_by_side(
    before: Sequence[Item], after: Sequence[Item], name: Callable[[Item], Hashable]
) -> list[tuple[Item | None, Item | None]]:
    """Items of the same name, None where a side has none: all after in their order, then those that are only before."""
    rows = pairs_by_name(map(name, before), map(name, after))
    return [
        (before[first] if first >= 0 else None, after[second] if second >= 0 else None)
        for first, second in zip(*(side.tolist() for side in rows), strict=True)
    ]


def _taken(values: F64, rows: I64) -> F64:
    """float64[rows]: NaN for row -1."""
    return np.append(values, np.nan)[rows]


class ComparedDurations(Struct, frozen=True, eq=False):
    """Blocks of both: ``names``; ``rows_before``, ``rows_after``: int64[blocks], -1 none; for each of ``sub_blocks``,
    ``before`` and ``after``: float64[blocks, sub-blocks], NaN no data. ``doubtful``: the unit is not known."""

    names: tuple[str, ...]
    sub_blocks: tuple[str, ...]
    rows_before: I64
    rows_after: I64
    before: F64
    after: F64
    doubtful: bool


class ComparedFact(Struct, frozen=True):
    """A fact of each side, None where it is not known. ``why``: why there is no difference, "" if it is plain."""

    before: Fact | None
    after: Fact | None
    why: str = ""

    @property
    def shown(self) -> Fact:
        fact = self.after if self.after is not None else self.before
        assert fact is not None
        return fact

    @property
    def difference(self) -> float | int | None:
        """After minus before; None for texts, and where one side has none."""
        values = [
            None if fact is None or isinstance(fact.value, str) else fact.value for fact in (self.before, self.after)
        ]
        if values[0] is None or values[1] is None or self.why or self.before is None or self.after is None:
            return None
        return values[1] - values[0] if self.before.unit == self.after.unit else None


def compared_durations(comparison: Comparison) -> ComparedDurations | None:
    """The durations of the blocks, matched as in the table "block-details"; None if neither side has any."""
    table = comparison.table("block-details")
    own, other = comparison.before.operator, comparison.after.operator
    if table is None or not table.rows:
        return None
    names = tuple(dict.fromkeys((*_sub_blocks(other), *_sub_blocks(own))))
    if not names:
        return None
    before, after = _durations(own, names, table.rows_before), _durations(other, names, table.rows_after)
    titles = [() if one is None else launch.block_names(one) for one in (own, other)]
    shown = tuple(
        titles[1][second] if second >= 0 else titles[0][first]
        for first, second in zip(table.rows_before.tolist(), table.rows_after.tolist(), strict=True)
    )
    doubtful = any(one is not None and launch.doubtful(one) for one in (own, other))
    return ComparedDurations(shown, names, table.rows_before, table.rows_after, before, after, doubtful)


def compared_facts(comparison: Comparison) -> list[ComparedFact]:
    """The facts of both by their label; with different clocks, the duration in cycles, too."""
    own, other = (
        _facts(profile, cycles=clocks_differ(comparison)) for profile in (comparison.before, comparison.after)
    )
    return [ComparedFact(*sides) for sides in _side_by_side(own, other, lambda fact: fact.label)]


def clocks_differ(comparison: Comparison) -> bool:
    """Whether both clocks are known, and not the same."""
    clocks = [
        profile.operator.frequency_mhz if profile.operator is not None else None
        for profile in (comparison.before, comparison.after)
    ]
    return bool(clocks[0] and clocks[1] and clocks[0] != clocks[1])


def blocks_not_compared(comparison: Comparison, both: ComparedDurations | None) -> list[str]:
    """Which blocks only one side has, and what else cannot be compared: one sentence each."""
    if comparison.before.operator is None:
        return [tr("The baseline has no base information.")]
    if both is None:
        return []
    reasons: list[str] = []
    alone, lacking = (
        [both.names[row] for row in np.flatnonzero(rows < 0).tolist()] for rows in (both.rows_before, both.rows_after)
    )
    if alone:
        reasons.append(tr("Blocks only in the comparison: {names}.", names=_listed(alone)))
    if lacking:
        reasons.append(tr("Blocks only in the baseline: {names}.", names=_listed(lacking)))
    if both.doubtful:
        reasons.append(tr("The unit of block durations is doubtful: durations may be in different units."))
    return reasons


def _facts(profile: Profile, *, cycles: bool) -> list[Fact]:
    base = profile.operator
    if base is None:
        return []
    facts = launch.facts(base)
    if cycles and base.duration_us is not None and base.frequency_mhz:
        of = tr("Duration · frequency: differences of cycles exclude the difference of the clocks.")
        duration = next((index for index, fact in enumerate(facts) if fact.unit == "µs"), len(facts) - 1)
        in_cycles = Fact(tr("Duration in cycles"), base.duration_us * base.frequency_mhz, "cycles", of)
        facts.insert(duration + 1, in_cycles)
    return facts


def _sub_blocks(base: Operator | None) -> tuple[str, ...]:
    return () if base is None else launch.sub_block_names(base)


def _durations(base: Operator | None, names: tuple[str, ...], rows: I64) -> F64:
    """float64[rows, names]: durations of these rows; NaN for no row or no such sub-block."""
    taken = np.full((len(rows), len(names)), np.nan)
    if base is None:
        return taken
    stored = launch.of_blocks(base)
    for index, name in enumerate(launch.sub_block_names(base)):
        taken[:, names.index(name)] = _taken(stored[:, index], rows)
    return taken


def before_of_cores(comparison: Comparison, metric: Metric) -> F64:
    """float64[sub-cores after]: the figure of the baseline for each, NaN for no data or no such sub-core there."""
    load, baseline = comparison.after.core_load, comparison.before.core_load
    count = 0 if load is None else len(load.core)
    table = comparison.table("core-load")
    if baseline is None or table is None or table.before is None or table.after is None:
        return np.full(count, np.nan)
    return _taken(values(baseline, metric), table.matches.of_after.astype(np.int64))


def cores_not_compared(comparison: Comparison) -> list[str]:
    """Which sub-cores only one side has: one sentence each."""
    load, baseline = comparison.after.core_load, comparison.before.core_load
    if load is None or baseline is None:
        return [tr("The baseline has no core load.")]
    table = comparison.table("core-load")
    if table is None or table.before is None:
        return [tr("The baseline has no core load.")]
    alone, lacking = table.matches.only_after, table.matches.only_before
    return [
        *([tr("Only in the comparison: {names}.", names=_core_names(load, alone))] if len(alone) else []),
        *([tr("Only in the baseline: {names}.", names=_core_names(baseline, lacking))] if len(lacking) else []),
    ]


def _core_names(load: CoreLoad, rows: I64) -> str:
    return _listed(
        [tr("core {core} {name}", core=int(load.core[row]), name=sub_core_name(load, row)) for row in rows.tolist()]
    )


class ComparedStalls(Struct, frozen=True, eq=False):
    """By reason: ``rows_before``, ``rows_after`` (int64, -1 none), and ``before``, ``after`` (float64 samples, NaN for
    no data). Those with most samples on either side come first."""

    reasons: tuple[str, ...]
    rows_before: I64
    rows_after: I64
    before: F64
    after: F64


def compared_stalls(before: StallReasons | None, after: StallReasons) -> ComparedStalls:
    """All reasons of both, matched by name."""
    own = [] if before is None else before.reasons.tolist()
    other = after.reasons.tolist()
    left, right = pairs_by_name(own, other)
    counts = np.empty(0) if before is None else before.count
    first, second = _taken(counts, left), _taken(after.count, right)
    size = np.fmax(np.nan_to_num(first, nan=-1.0), np.nan_to_num(second, nan=-1.0))
    order = np.argsort(-size, kind="stable")
    names = tuple(
        other[b] if b >= 0 else own[a] for a, b in zip(left[order].tolist(), right[order].tolist(), strict=True)
    )
    return ComparedStalls(names, left[order], right[order], first[order], second[order])


class ComparedShare(Struct, frozen=True):
    """A share of each side, None where that side has none of this name and sub-block."""

    before: Share | None
    after: Share | None

    @property
    def shown(self) -> Share:
        share = self.after if self.after is not None else self.before
        assert share is not None
        return share


def compared_shares(before: Profile, after: Profile, block: str) -> list[ComparedShare]:
    """The shares of a block of that id: those after in their order (the largest first), then those that are only in the
    baseline."""
    own, other = block_shares(before, block), block_shares(after, block)
    return [ComparedShare(*sides) for sides in _side_by_side(own, other, lambda share: (share.sub_block, share.name))]


def compared_figures(
    before: MemoryPaths | None, after: MemoryPaths, entry: int, *, show_all: bool = False
) -> BlockFigures:
    """The figures of row ``entry`` of the blocks after, with those of the block of the same id and type in the
    baseline."""
    own = figures_of(after, entry, show_all=show_all)
    place = entry_before(before, after, entry)
    if before is None or place < 0:
        return replace(own, baseline=BaselineFigures("", {}, {}))
    other = figures_of(before, place, show_all=True)
    paths = {path.path: path for path in (*other.elsewhere[::-1], *other.shown.values())}
    return replace(own, baseline=BaselineFigures(other.block, paths, other.boxes))


def entry_before(before: MemoryPaths | None, after: MemoryPaths, entry: int) -> int:
    """The row of the baseline's blocks for a row of those after; -1 none."""
    if before is None:
        return -1
    own, other = pairs_by_name(_blocks_of(before), _blocks_of(after))
    return next((first for first, second in zip(own.tolist(), other.tolist(), strict=True) if second == entry), -1)


def paths_not_compared(before: Profile, after: Profile, entry: int) -> list[str]:
    """Which blocks only one side has: one sentence each."""
    if after.memory_paths is None:
        return []
    if before.memory_paths is None:
        return [tr("The baseline has no memory paths.")]
    reasons: list[str] = []
    own, other = _blocks_of(before.memory_paths), _blocks_of(after.memory_paths)
    if entry_before(before.memory_paths, after.memory_paths, entry) < 0:
        block, kind = other[entry]
        reasons.append(tr("The baseline has no block {block} of type {kind}.", block=block, kind=kind))
    first, second = pairs_by_name(own, other)
    alone = [" ".join(own[row]) for row, partner in zip(first.tolist(), second.tolist(), strict=True) if partner < 0]
    if alone:
        reasons.append(tr("Blocks only in the baseline: {names}.", names=_listed(alone)))
    return reasons


def _blocks_of(paths: MemoryPaths) -> list[tuple[str, str]]:
    """(id, type) of each block."""
    blocks = paths.blocks
    return [
        (paths.strings.get(block), paths.strings.get(kind))
        for block, kind in zip(blocks.block.tolist(), blocks.operator_type.tolist(), strict=True)
    ]


class ComparedCells(Struct, frozen=True, eq=False):
    """int64[cells], -1 none: the line or set of each side. The cells after come first in their order, then those that
    only the baseline has."""

    before: I64
    after: I64

    def of_sides(self, before: F64, after: F64) -> tuple[F64, F64]:
        """float64[cells] of each side: NaN where it has no such line."""
        return _taken(before, self.before), _taken(after, self.after)


def compared_cells(comparison: Comparison, table_id: str) -> ComparedCells:
    """Lines (or sets) matched as in the table "cache-lines" (or "cache-sets")."""
    table = comparison.table(table_id)
    if table is None:
        return ComparedCells(np.empty(0, np.int64), np.empty(0, np.int64))
    matches = table.matches
    return ComparedCells(*with_alone(matches.of_after, matches.only_before))


def cells_not_compared(cells: ComparedCells) -> list[str]:
    """How many lines or sets only one side has: one sentence each."""
    alone = int(np.count_nonzero(cells.before < 0)), int(np.count_nonzero(cells.after < 0))
    if alone[0] and alone[0] == len(cells.before):
        return [tr("The baseline has none of these figures.")]
    later = plural(
        "{count:,} cell is only in the comparison.", "{count:,} cells are only in the comparison.", count=alone[0]
    )
    earlier = plural(
        "{count:,} cell is only in the baseline; it is at the end.",
        "{count:,} cells are only in the baseline; they are at the end.",
        count=alone[1],
    )
    return [text for text, count in zip((later, earlier), alone, strict=True) if count]


BIT_BOTH, BIT_AFTER, BIT_BEFORE = 1, 2, 4
"""One bit for each, so that a pixel can hold several."""
_KINDS: Final = np.array([BIT_BOTH, BIT_BEFORE, BIT_AFTER], np.uint8)
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
    columns = ("operation", "core", "space", "block_type", "record", "address", "size", "pc")
    both = {name: np.concatenate((getattr(before, name), getattr(after, name))) for name in columns}
    return replace(after, stacks=None, **both)


def accesses_not_compared(comparison: Comparison, merged: MergedAccesses) -> list[str]:
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
