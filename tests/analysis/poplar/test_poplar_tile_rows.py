"""Which compute sets lie on some tiles: by looking at every cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.relations import direct
from app.profile.poplar import TOTAL_BYTES, ComputeSetBytes
from app.profile.profile import Origin, Profile


@given(
    st.integers(0, 10_000),
    st.integers(0, 30),
    st.integers(1, 900),
    st.sampled_from([0.0, 0.002, 0.05, 0.9]),
    st.booleans(),
)
def test_sets_of_tiles_by_brute_force(seed: int, sets: int, tiles: int, filled: float, every: bool) -> None:
    random = np.random.default_rng(seed)
    matrix = (random.random((sets, tiles)) < filled).astype(np.uint32)
    profile = Profile(
        name="p",
        origin=Origin("poplar", (Path("graph.json"),)),
        compute_set_bytes=ComputeSetBytes({TOTAL_BYTES: matrix}),
    )
    chosen = np.arange(-2, tiles + 2) if every else random.integers(-3, tiles + 3, 300)
    inside = [int(tile) for tile in chosen if 0 <= tile < tiles]
    wanted = [row for row in range(sets) if any(matrix[row, tile] > 0 for tile in inside)]
    assert direct(profile, "tile", "compute_set", chosen.astype(np.int64)).tolist() == wanted


def test_no_tiles_lie_on_nothing() -> None:
    assert direct(Profile(name="p", origin=Origin("poplar", ())), "tile", "compute_set", np.arange(3)).tolist() == []
