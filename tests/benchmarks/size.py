"""Sizes of the benchmarks' inputs, and numbers of repetitions."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Size:
    """``full``: whether the bounds apply at this size."""

    full: bool
    events: int
    more_events: int
    tiles: int
    compute_sets: int
    steps: int
    popef_bytes: int
    slices: tuple[int, ...]
    rows: int
    nodes: int
    places: tuple[int, ...]
    accesses: tuple[int, ...]
    source_lines: int
    instructions: int
    profiles: int
    """In a folder; four times as many in the larger one."""
    loads: int
    """Loads of a file by each way."""
    more_loads: int
    """The same, of the largest files."""
    starts: int
    frames: int
    repeats: int
    only: tuple[str, ...] = ()
    """Words of which the name of an input must contain one, if there are any."""
    name: str = "full"


FULL = Size(
    full=True,
    events=1_000_000,
    more_events=3_000_000,
    tiles=5888,
    compute_sets=3000,
    steps=1_000_000,
    popef_bytes=10_000_000_000,
    slices=(10**5, 10**6, 10**7),
    rows=1_000_000,
    nodes=1_000_000,
    places=(5_888, 50_000, 200_000),
    accesses=(100_000, 1_000_000, 4_000_000),
    source_lines=10_000,
    instructions=500_000,
    profiles=100,
    loads=5,
    more_loads=3,
    starts=9,
    frames=40,
    repeats=7,
)
QUICK = Size(
    full=False,
    events=40_000,
    more_events=50_000,
    tiles=64,
    compute_sets=20,
    steps=2_000,
    popef_bytes=20_000_000,
    slices=(4_000, 20_000),
    rows=2_000,
    nodes=2_000,
    places=(200, 1_000),
    accesses=(1_000,),
    source_lines=100,
    instructions=2_000,
    profiles=8,
    loads=1,
    more_loads=1,
    starts=1,
    frames=5,
    repeats=1,
    name="quick",
)
SHORT = replace(
    FULL,
    full=False,
    events=250_000,
    more_events=250_000,
    tiles=1472,
    steps=200_000,
    loads=1,
    more_loads=1,
    starts=3,
    name="short",
)
"""For a developer: the ratios are right to some 20 %, and each family of inputs takes a minute."""
