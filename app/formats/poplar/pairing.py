"""Whether a graph and an execution belong together: no id says so, their sizes must."""

from __future__ import annotations

import numpy as np

from app.formats.poplar.execution import ExecutionParts
from app.formats.poplar.graph import GraphParts
from app.profile.arrays import I32


def misfits(graph: GraphParts, run: ExecutionParts) -> list[str]:
    """Why they cannot belong together, in words; nothing where they can."""
    found = [
        *_rows(graph, run),
        *_beyond("the program trace", run.trace, graph.programs, "programs"),
        *_tiles(graph, run),
    ]
    if run.steps is not None:
        found += _beyond("a step", run.steps.program, graph.programs, "programs")
        found += _beyond("a step", run.steps.compute_set, graph.compute_sets, "compute sets")
    return found


def _rows(graph: GraphParts, run: ExecutionParts) -> list[str]:
    lists = {
        "compute_sets": (graph.compute_sets, "compute sets"),
        "compute_sets_single": (graph.compute_sets, "compute sets"),
        "external_exchanges": (graph.exchanges.get("external"), "external exchanges"),
        "host_exchanges": (graph.exchanges.get("host"), "host exchanges"),
    }
    found = []
    for key, (count, what) in lists.items():
        measured = run.measured.get(key)
        if measured is not None and count is not None and len(measured) != count:
            found.append(f"the execution measured {len(measured):,} {what}, the graph has {count:,}")
    return found


def _beyond(what: str, numbers: I32 | None, count: int | None, of: str) -> list[str]:
    highest = -1 if numbers is None or count is None else int(np.max(numbers, initial=-1))
    if count is None or highest < count:
        return []
    return [f"{what} names number {highest:,} of the {of}, the graph has {count:,}"]


def _tiles(graph: GraphParts, run: ExecutionParts) -> list[str]:
    """Rows must be as long as those of the graph: one entry per tile, or per tile of one replica in both."""
    lengths = {m.shape[1] for m in run.measured.values() if m.ndim == 2 and len(m)}
    tiles = graph.target.tiles if graph.target else None
    allowed = graph.entries | ({tiles} if tiles is not None and not graph.entries else set())
    odd = sorted(lengths - allowed) if allowed else []
    return [f"the execution has {odd[0]:,} tiles, the graph has {', '.join(map(str, sorted(allowed)))}"] if odd else []
