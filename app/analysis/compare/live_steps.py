"""Program steps of two liveness trees side by side."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.interleaved import interleaved
from app.analysis.compare.polling import Check, never
from app.analysis.poplar.liveness import Curve, curve
from app.profile.arrays import I32, I64


class LiveSteps(Struct, frozen=True, eq=False):
    """``before``, ``after``: the curves; ``steps_before``, ``steps_after``: int64[places], the program step of each at
    each place, -1 where it has none. ``of_after``: int32[nodes after], the node before that each is matched with."""

    before: Curve
    after: Curve
    steps_before: I64
    steps_after: I64
    of_after: I32

    def nodes_before(self, nodes: I64) -> I64:
        """The nodes of the tree before that belong to some after."""
        own = self.of_after[nodes[(nodes >= 0) & (nodes < len(self.of_after))]].astype(np.int64)
        return own[own >= 0]


def live_steps(comparison: Comparison, check: Check = never) -> LiveSteps | None:
    """The steps in the order in which they run: a step that only one side has stands after the one it follows there.
    None unless both profiles have a liveness tree."""
    before, after = curve(comparison.before), curve(comparison.after)
    compared = comparison.table("liveness", check)
    if before is None or after is None or compared is None:
        return None
    matches = compared.matches
    step_of = np.full(matches.rows_after + 1, -1, np.int64)
    step_of[after.nodes] = np.arange(len(after.nodes))
    partner = step_of[matches.of_before[before.nodes]]  # -1: the last, which is none
    one, other = interleaved(partner, len(after.nodes))
    return LiveSteps(before, after, one, other, matches.of_after)
