"""Matrices far beyond the memory that there is: the profile opens, pans and exports all the same."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fakes.told import told_by
from fakes.wide import keep_wide
from generators import poplar

TILES = 94_208
"""64 IPUs."""
MEGABYTES = 260
"""What the window may take beyond what it has after a small profile; the matrices have twice as much."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are Linux's")
def test_the_window_needs_far_less_memory_than_the_matrices(tmp_path: Path, root: Path) -> None:
    small, big = tmp_path / "small", tmp_path / "big"
    small.mkdir()
    big.mkdir()
    poplar.write_pair(small, poplar.Scale(mode="COMPUTE_SETS", estimates=True))
    _, matrices = keep_wide(big, TILES, compute_sets=200)
    assert matrices > 2 * MEGABYTES * 1_000_000
    told = told_by("fakes.wide_window", small, big, MEGABYTES, root=root)
    assert told["trouble"] == []
    assert told["tiles"] == TILES
    assert {"Heat table", "Tile memory", "Exchanges", "Vertex types", "Tables"} <= set(told["panels"])
    assert told["csv"]["tiles"] > TILES
    assert told["csv"]["compute-sets"] > 200
    assert told["more"] < MEGABYTES
