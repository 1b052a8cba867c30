"""The blocks of an operator, and what is known of it, in two profiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from app.analysis.ascend import launch
from app.analysis.ascend.launch import Fact
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.operators.named import pairs_by_name
from app.language import tr
from app.profile.arrays import F64, I64
from app.profile.operator import Operator
from app.profile.profile import Profile

MOST_NAMED = 12


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
    before, after = _taken(own, names, table.rows_before), _taken(other, names, table.rows_after)
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
    left, right = pairs_by_name((fact.label for fact in own), (fact.label for fact in other))
    return [
        ComparedFact(own[first] if first >= 0 else None, other[second] if second >= 0 else None)
        for first, second in zip(left.tolist(), right.tolist(), strict=True)
    ]


def clocks_differ(comparison: Comparison) -> bool:
    """Whether both clocks are known, and not the same."""
    clocks = [
        profile.operator.frequency_mhz if profile.operator is not None else None
        for profile in (comparison.before, comparison.after)
    ]
    return bool(clocks[0] and clocks[1] and clocks[0] != clocks[1])


def not_compared(comparison: Comparison, both: ComparedDurations | None) -> list[str]:
    """Which blocks only one side has, and what else cannot be compared: one sentence each."""
    if comparison.before.operator is None:
        return [tr("The baseline has no base information.")]
    if both is None:
        return []
    reasons: list[str] = []
    alone = _named(both.names, both.rows_before < 0), _named(both.names, both.rows_after < 0)
    if alone[0]:
        reasons.append(tr("Blocks only in the comparison: {names}.", names=alone[0]))
    if alone[1]:
        reasons.append(tr("Blocks only in the baseline: {names}.", names=alone[1]))
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
        facts.insert(
            _place(facts) + 1, Fact(tr("Duration in cycles"), base.duration_us * base.frequency_mhz, "cycles", of)
        )
    return facts


def _place(facts: Sequence[Fact]) -> int:
    """Where the duration is."""
    return next((place for place, fact in enumerate(facts) if fact.unit == "µs"), len(facts) - 1)


def _sub_blocks(base: Operator | None) -> tuple[str, ...]:
    return () if base is None else launch.sub_block_names(base)


def _taken(base: Operator | None, names: tuple[str, ...], rows: I64) -> F64:
    """float64[rows, names]: durations of these rows; NaN for no row or no such sub-block."""
    taken = np.full((len(rows), len(names)), np.nan)
    if base is None:
        return taken
    stored = launch.of_blocks(base)
    for place, name in enumerate(launch.sub_block_names(base)):
        taken[:, names.index(name)] = np.append(stored[:, place], np.nan)[rows]
    return taken


def _named(names: tuple[str, ...], which: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    rows = np.flatnonzero(which)
    shown = [names[row] for row in rows[:MOST_NAMED].tolist()]
    more = [tr("{count:,} more", count=len(rows) - MOST_NAMED)] if len(rows) > MOST_NAMED else []
    return ", ".join([*shown, *more])
