"""How full on-chip memories get, and when."""

from __future__ import annotations

import numpy as np
import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.onchip import ends, peak_steps, peaks
from app.formats.ascend_memory_info import FORMAT
from app.profile.ascend_report import Onchip
from generators import memory_plan
from generators.reading import profile_of


def plan_of(document: object) -> Onchip:
    found = profile_of(FORMAT, orjson.dumps(document)).onchip
    assert found is not None
    return found


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 12), st.integers(0, 6), st.integers(0, 5)), min_size=1, max_size=20
    )
)
@settings(max_examples=100)
def test_peaks_and_their_steps_are_those_of_counting_step_by_step(blocks: list[tuple[int, int, int, int]]) -> None:
    records = [
        {
            "scope": f"memory {scope}",
            "memory_info_array": [
                {"buffer": f"b{n}", "extent": 8 * size, "life_time_in_ir": [start, start + length], "offset": [64 * n]}
            ],
        }
        for n, (scope, start, length, size) in enumerate(blocks)
    ]
    plan = plan_of({"Header": {"KernelName": "k"}, "Record": records})
    found = plan.blocks
    for scope in range(len(plan.scopes.name)):
        own = found.scope == scope
        live = [int(found.size[own & (found.start <= n) & (found.end >= n)].sum()) for n in range(20)]
        assert peaks(plan)[scope] == max(live)
        assert peak_steps(plan)[scope] == (live.index(max(live)) if max(live) else -1)


def test_a_made_plan_never_overlaps_and_fits() -> None:
    plan = plan_of(memory_plan.plan(40, scopes=3))
    found = plan.blocks
    for scope, size in enumerate(memory_plan.SCOPES.values()):
        own = np.flatnonzero(found.scope == scope)
        assert ends(plan)[scope] <= size
        for place, a in enumerate(own.tolist()):
            for b in own[place + 1 :].tolist():
                together = found.start[a] <= found.end[b] and found.start[b] <= found.end[a]
                apart = found.address[a] + found.size[a] <= found.address[b] or (
                    found.address[b] + found.size[b] <= found.address[a]
                )
                assert not together or apart
