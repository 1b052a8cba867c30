"""How many tiles an execution ran on, by all that tells it, against the tiles of a graph."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.formats.poplar.execution import ExecutionParts
from app.formats.poplar.graph import GraphParts
from app.language import tr
from app.profile.execution import TILE_CYCLE_KINDS
from app.profile.steps import Steps

_EXCESS: Final = 1.01
"""Real reports miss cycles x tiles by less than a thousandth, and never by being more."""
_PRECISE: Final = 1e-6
_DOUBTFUL: Final = 0.02
"""Balances that disagree by more than this on the number of tiles tell nothing."""
_LONG: Final = 1000
"""A whole number of tiles is no accident in a run of at least so many cycles."""


def tile_misfits(graph: GraphParts, run: ExecutionParts, *, one_file: bool) -> list[str]:
    """Why the execution cannot have run on the tiles of the graph, in words; at most one reason. A replicated graph
    may have arrays for the tiles of one replica, and the execution those of one or of all. Sums and balances of
    ``one_file`` are checked elsewhere: there they are wrong, not foreign."""
    tiles = graph.target.tiles if graph.target is not None else None
    own = graph.entries | ({tiles} if tiles is not None else set())
    if not own:
        return []
    rows = own | (set() if graph.entries else _of_replicas(graph))
    parts = rows | _of_ipus(graph)
    has = " or ".join(f"{count:,}" for count in sorted(own))
    if (count := _of_rows(run, rows)) is not None:
        return [tr("the execution has {count:,} tiles, the graph has {has}", count=count, has=has)]
    if one_file:
        return []
    if (count := _of_tile_cycles(run, parts, max(own))) is not None:
        text = tr(
            "the tile cycles of the execution are those of {count:,} tiles, the graph has {has}", count=count, has=has
        )
        return [text]
    if (count := _of_balances(run.steps, parts)) is not None:
        text = tr(
            "the tile balances of the steps are those of {count:,} tiles, the graph has {has}", count=count, has=has
        )
        return [text]
    if (count := _of_steps(run.steps, max(own))) is not None:
        return [tr("a step of the execution has {count:,} active tiles, the graph has {has}", count=count, has=has)]
    return []


def _of_replicas(graph: GraphParts) -> set[int]:
    """Tiles of one replica, for each number of replicas that divides the IPUs."""
    target = graph.target
    if target is None or not target.tiles or not target.ipus:
        return set()
    return {target.tiles // count for count in range(1, target.ipus + 1) if target.ipus % count == 0}


def _of_ipus(graph: GraphParts) -> set[int]:
    """Tiles of one IPU, of two, and so on: what happens on some IPUs may be counted by their tiles alone."""
    target = graph.target
    if target is None or not target.ipus or not target.tiles_per_ipu:
        return set()
    return {count * target.tiles_per_ipu for count in range(1, target.ipus + 1)}


def _of_rows(run: ExecutionParts, allowed: set[int]) -> int | None:
    lengths = {matrix.shape[1] for matrix in run.measured.values() if matrix.ndim == 2 and len(matrix)}
    return min(lengths - allowed, default=None)


def _of_steps(steps: Steps | None, most: int) -> int | None:
    highest = -1 if steps is None else int(np.max(steps.active_tiles, initial=-1))
    return highest if highest > most else None


def _of_tile_cycles(run: ExecutionParts, allowed: set[int], most: int) -> int | None:
    """All kinds together are cycles x tiles; where some were not measured, they are less."""
    if not run.cycles or "sync" not in run.tile_cycles:
        return None
    total = sum(run.tile_cycles.get(kind, 0) for kind in TILE_CYCLE_KINDS)
    tiles, rest = divmod(total, run.cycles)
    if total > run.cycles * most * _EXCESS:
        return round(total / run.cycles)
    whole = (
        rest == 0 and tiles > 0 and run.cycles >= _LONG and all(kind in run.tile_cycles for kind in TILE_CYCLE_KINDS)
    )
    return tiles if whole and tiles not in allowed else None


def _of_balances(steps: Steps | None, allowed: set[int]) -> int | None:
    """tileBalance x tiles = activeTileBalance x activeTiles, in every step in which a tile works."""
    if steps is None:
        return None
    with np.errstate(invalid="ignore"):
        known = (steps.tile_balance > 0) & (steps.active_tile_balance > 0) & (steps.active_tiles > 0)
    if not np.any(known):
        return None
    counts = steps.active_tile_balance[known] * steps.active_tiles[known] / steps.tile_balance[known]
    count = float(np.median(counts))
    slack = max(_PRECISE, 3 * float(np.max(np.abs(counts / count - 1))))
    if slack > _DOUBTFUL or any(abs(count - tiles) <= slack * count for tiles in allowed):
        return None
    return round(count)
