"""The main figures of a Poplar graph and execution, computed by plain loops over the output of ``json``. Names are
those of `info --json`. This follows the documentation of the format and shares no code with the program."""

from __future__ import annotations

from typing import Any

Tree = dict[str, Any]
Numbers = list[int]

TILE_KINDS = ("compute", "doExchange", "globalExchange", "streamCopy", "copySharedStructure", "sync")
REGIONS = ("interleaved", "nonInterleaved", "overflowed")
LISTS = {"DoExchange": "exchange", "GlobalExchange": "externalExchange", "StreamCopy": "hostExchange"}
"""The key under which a step of that type names its exchange."""


def figures(graph: Tree, run: Tree) -> Tree:
    """All figures as one map."""
    return {**target(graph), **counts(graph), **memory(graph), **liveness(graph), **execution(graph, run)}


def target(graph: Tree) -> Tree:
    own = graph["target"]
    return {
        "target.kind": own["type"],
        "target.ipus": own["numIPUs"],
        "target.tiles": own["numIPUs"] * own["tilesPerIPU"],
        "target.tiles_per_ipu": own["tilesPerIPU"],
        "target.bytes_per_tile": own["bytesPerTile"],
        "target.total_bytes": own["bytesPerTile"] * own["numTiles"],
        "target.clock_hz": own["clockFrequency"],
        "target.min_sync_delay": own["minSyncDelay"] + min(own["relativeSyncDelayByTile"]),
        "target.max_sync_delay": own["minSyncDelay"] + max(own["relativeSyncDelayByTile"]),
    }


def counts(graph: Tree) -> Tree:
    vertices = 0
    for row in graph["computeSets"]["vertexCounts"]:
        for count in row:
            vertices += count
    return {
        "graph.compute_sets": len(graph["computeSets"]["names"]),
        "graph.vertices": vertices,
        "graph.edges": graph["graph"]["numEdges"],
        "graph.variables": graph["graph"]["numVars"],
        "graph.optimisation": graph["optimizationInfo"],
        "vertex_types.count": len(graph["vertexTypes"]["names"]),
        "programs.count": len(graph["programs"]),
        "exchanges.internal": len(graph["exchanges"]["bytesSentByTile"]),
        "exchanges.external": len(graph["externalExchanges"]["bytesSentByTile"]),
        "exchanges.host": len(graph["hostExchanges"]["bytesSentByTile"]),
        "exchanges.instruction_bytes": instruction_bytes(graph),
    }


def instruction_bytes(graph: Tree) -> dict[str, int]:
    out: dict[str, int] = {}
    for program in graph["programs"]:
        for kind, size in program.get("memoryByInstruction", {}).items():
            out[kind] = out.get(kind, 0) + size
    return {kind: size for kind, size in out.items() if size}


def memory(graph: Tree) -> Tree:
    own, limit = graph["memory"]["byTile"], graph["target"]["bytesPerTile"]
    total = with_gaps = over = overflowed = 0
    order = []
    for tile, used in enumerate(own["totalIncludingGaps"]):
        for region in REGIONS:
            total += own[region][tile]
        with_gaps += used
        over += used > limit
        overflowed += own["overflowed"][tile]
        order.append((-used, tile))
    order.sort()
    categories = {}
    for name, part in graph["memory"]["byCategory"].items():
        categories[name] = sum(sum(part[region][key]) for region in REGIONS for key in ("nonOverlapped", "overlapped"))
    return {
        "memory.total_bytes": total,
        "memory.total_with_gaps_bytes": with_gaps,
        "memory.max_tile": order[0][1],
        "memory.max_tile_bytes": -order[0][0],
        "memory.fits": not over and not overflowed,
        "memory.tiles_over": over,
        "memory.headroom_bytes": limit + order[0][0],
        "memory.worst_tiles": [tile for _, tile in order[:5]],
        "memory.by_category": categories,
    }


def liveness(graph: Tree) -> Tree:
    own = graph["memory"]["liveness"]
    always = own["alwaysLive"]["bytesByTile"]
    peaks = 0
    for tile, size in enumerate(own["notAlwaysLive"]["maxBytesByTile"]):
        peaks += always[tile] + size
    nodes = live_nodes(graph)
    return {
        "liveness.always_live_bytes": sum(always),
        "liveness.peak_program_bytes": sum(always) + max(size for size, _ in nodes),
        "liveness.peak_tiles_bytes": peaks,
        "liveness.nodes": len(nodes),
    }


def live_nodes(graph: Tree) -> list[tuple[int, int]]:
    """(bytes, depth) of each node in the order of the file."""
    nodes: list[tuple[int, int]] = []
    waiting = [(node, 0) for node in reversed(graph["memory"]["liveness"]["notAlwaysLive"]["byProgram"])]
    while waiting:
        node, depth = waiting.pop()
        nodes.append((node["bytes"], depth))
        waiting += [(child, depth + 1) for child in reversed(node["children"])]
    return nodes


def execution(graph: Tree, run: Tree) -> Tree:
    own = run["simulation"]
    clock = graph["target"]["clockFrequency"]
    by_type: Tree = {}
    for step in own["steps"]:
        entry = by_type.setdefault(kind_of(step), {"steps": 0})
        entry["steps"] += 1
        if "cycles" in step:
            entry["cycles"] = entry.get("cycles", 0) + step["cycles"]
    begin, end = timeline(own["steps"])
    busy = {kind: union(spans(own["steps"], kind)) for kind in by_type}
    return {
        "execution.mode": run["profilerMode"],
        "execution.cycles": own["cycles"],
        "execution.seconds": own["cycles"] / clock,
        "execution.steps": len(own["steps"]),
        "execution.trace_length": len(run["programTrace"]),
        "execution.runs": [entry["name"] for entry in run["runs"]],
        "execution.tile_cycles": own["tileCycles"],
        "execution.measured": {"compute sets": counting(run)},
        "execution.by_type": by_type,
        "timeline.slices": len(own["steps"]),
        "timeline.lanes": len(by_type),
        "timeline.flows": 0,
        "timeline.counters": 0,
        "timeline.start": begin / clock,
        "timeline.end": end / clock,
        "timeline.span": (end - begin) / clock,
        "timeline.unit": "s",
        "timeline.busiest_lane": f"Execution/{max(busy, key=lambda kind: busy[kind])}",
    }


def kind_of(step: Tree) -> str:
    """The type; the sample in the documentation writes "sync" in lower case."""
    kind: str = step["type"]
    return "Sync" if kind.lower() == "sync" else kind


def counting(run: Tree) -> str:
    """Whether the longest tile of each row took as long as one step or as all steps together."""
    steps: dict[int, Numbers] = {}
    for step in run["simulation"]["steps"]:
        if "computeSet" in step:
            steps.setdefault(step["computeSet"], []).append(step["cycles"])
    one = together = several = 0
    for number, row in enumerate(run["computeSetCyclesByTile"]):
        took = steps.get(number, [])
        if len(took) > 1:
            several += 1
            one += max(row) in took
            together += max(row) == sum(took)
    if one == several:
        return "last"
    return "total" if together == several else "neither"


def spans(steps: list[Tree], kind: str) -> list[tuple[int, int]]:
    """(first, last cycle) of each step of that type that has cycles."""
    return [(s["cyclesFrom"], s["cyclesTo"]) for s in steps if kind_of(s) == kind and "cyclesFrom" in s]


def timeline(steps: list[Tree]) -> tuple[int, int]:
    """The first and the last cycle of any step; a step without cycles is placed at the end of those before it."""
    first, last = [], 0
    for step in steps:
        first.append(step.get("cyclesFrom", last))
        last = max(last, step.get("cyclesTo", last))
    return min(first), last


def union(intervals: list[tuple[int, int]]) -> int:
    """The number of cycles covered by at least one interval."""
    total = reached = 0
    for begin, end in sorted(intervals):
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def tiles_of_run(graph: Tree) -> int:
    return len(graph["memory"]["byTile"]["total"])


def invariant(graph: Tree, run: Tree) -> tuple[int, int]:
    """(sum of tile cycles of all kinds, cycles of the run x tiles), which must be equal."""
    own = run["simulation"]
    return sum(own["tileCycles"][kind] for kind in TILE_KINDS), own["cycles"] * tiles_of_run(graph)
