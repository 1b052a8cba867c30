"""Derives the number of tiles an execution ran on and compares it with the graph."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.formats.poplar.execution import ExecutionParts
from app.formats.poplar.graph import GraphParts
from app.language import joined, plural, tr
from app.profile.arrays import middle
from app.profile.poplar import TILE_CYCLE_KINDS, Steps

_EXCESS: Final = 1.01
"""Real reports are below cycles x tiles by less than a thousandth, and never above."""
_PRECISE: Final = 1e-6
_DOUBTFUL: Final = 0.02
"""Balances whose estimates of the number of tiles differ by more than this are not used."""
_LEAST_BALANCE: Final = 1e-9
"""A smaller balance of a step that is active on a tile would be that of more tiles than there are."""
_LONG: Final = 1000
"""In a run of at least this many cycles, a whole number of tiles is not a coincidence."""


MOST_IPUS: Final = 1 << 12
"""Files may state any number; the largest machines have hundreds."""


def tile_misfits(graph: GraphParts, run: ExecutionParts, *, one_file: bool) -> list[str]:
    """The reason why the execution cannot have run on the tiles of the graph, as at most one phrase. The arrays of a
    replicated graph may cover the tiles of one replica, those of the execution one replica or all. With ``one_file``
    sums and balances are not compared: there a mismatch is an error in the file, not another program."""
    tiles = graph.target.tiles if graph.target is not None else None
    own = graph.entries | ({tiles} if tiles is not None else set())
    if not own:
        return []
    rows = own | (set() if graph.entries else _of_replicas(graph))
    parts = rows | _of_ipus(graph)
    has = joined(tr(" or "), (f"{count:,}" for count in sorted(own)))
    if (count := _of_rows(run, rows)) is not None:
        return [
            plural(
                "the execution has {count:,} tile, but the graph has {has}",
                "the execution has {count:,} tiles, but the graph has {has}",
                count=count,
                has=has,
            )
        ]
    if one_file:
        return []
    if (count := _of_tile_cycles(run, parts, max(own))) is not None:
        text = plural(
            "the tile cycles of the execution are those of {count:,} tile, but the graph has {has}",
            "the tile cycles of the execution are those of {count:,} tiles, but the graph has {has}",
            count=count,
            has=has,
        )
        return [text]
    if (count := _of_balances(run.steps, parts)) is not None:
        text = plural(
            "the tile balances of the steps are those of {count:,} tile, but the graph has {has}",
            "the tile balances of the steps are those of {count:,} tiles, but the graph has {has}",
            count=count,
            has=has,
        )
        return [text]
    if (count := _of_steps(run.steps, max(own))) is not None:
        return [
            plural(
                "a step of the execution has {count:,} active tile, but the graph has {has}",
                "a step of the execution has {count:,} active tiles, but the graph has {has}",
                count=count,
                has=has,
            )
        ]
    return []


def _of_replicas(graph: GraphParts) -> set[int]:
    """Numbers of tiles of one replica, for each number of replicas that divides the IPUs."""
    target = graph.target
    if target is None or not target.tiles or not target.ipus:
        return set()
    return {target.tiles // count for count in range(1, min(target.ipus, MOST_IPUS) + 1) if target.ipus % count == 0}


def _of_ipus(graph: GraphParts) -> set[int]:
    """Numbers of tiles of one IPU, of two, and so on: activity on some IPUs may be counted for their tiles alone."""
    target = graph.target
    if target is None or not target.ipus or not target.tiles_per_ipu:
        return set()
    return {count * target.tiles_per_ipu for count in range(1, min(target.ipus, MOST_IPUS) + 1)}


def _of_rows(run: ExecutionParts, allowed: set[int]) -> int | None:
    lengths = {matrix.shape[1] for matrix in run.measured.values() if matrix.ndim == 2 and len(matrix)}
    return min(lengths - allowed, default=None)


def _of_steps(steps: Steps | None, most: int) -> int | None:
    highest = -1 if steps is None else int(np.max(steps.active_tiles, initial=-1))
    return highest if highest > most else None


def _of_tile_cycles(run: ExecutionParts, allowed: set[int], most: int) -> int | None:
    """The number of tiles by the sum of all kinds of tile cycles, None if it may match. The sum is cycles x tiles, or
    less where some kinds were not measured."""
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
    """The number of tiles by the balances, None if it may match: tileBalance x tiles = activeTileBalance x activeTiles
    in every step with active tiles."""
    if steps is None:
        return None
    with np.errstate(invalid="ignore"):
        known = (steps.tile_balance > _LEAST_BALANCE) & (steps.active_tile_balance > 0) & (steps.active_tiles > 0)
    if not np.any(known):
        return None
    counts = steps.active_tile_balance[known] * steps.active_tiles[known] / steps.tile_balance[known]
    count = middle(counts)
    slack = max(_PRECISE, 3 * float(np.max(np.abs(counts / count - 1))))
    if slack > _DOUBTFUL or any(abs(count - tiles) <= slack * count for tiles in allowed):
        return None
    return round(count)
