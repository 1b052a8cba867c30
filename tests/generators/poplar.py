"""Poplar graph and execution profiles of any size (the vendor's profiling data format), all identities kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generators.poplar_memory import memory
from generators.poplar_network import MODES, VERTEX_TYPES, Network, Scale, network
from generators.poplar_numbers import Numbers
from generators.poplar_run import execution as _execution
from generators.trees import rows, sorted_keys, write_cbor, write_json

__all__ = ["MODES", "Scale", "combined", "execution", "graph", "write", "write_pair"]

SAMPLE = Scale(
    seed=7,
    tiles_per_ipu=1472,
    compute_sets=18,
    exchanges=16,
    vertex_types=8,
    categories=14,
    loops=10,
    spread=0.68,
)
"""Small enough to be bundled: about 2 MB with its execution."""
REFERENCE = Scale(
    seed=3, mode="COMPUTE_SETS", estimates=True, tiles_per_ipu=1472, compute_sets=600, loops=10, spread=1.6
)
"""The size that speed is measured at: about 45 MB of graph and 9 MB of execution."""


def graph(scale: Scale) -> dict[str, Any]:
    """The graph profile as a tree of plain values with lazy rows."""
    net = network(scale)
    numbers = Numbers(net)
    tree = {
        "target": _target(scale),
        "optimizationInfo": {"liveness.seconds": 1.25, "numReplacedCopies": 12.0, "inlinedFunctions": 3.0},
        "graph": _counts(net, numbers),
        "vertexTypes": {"names": _type_names(scale), "sizes": [VERTEX_TYPES[v % 12][1] for v in _types(scale)]},
        "computeSets": _compute_sets(net, numbers),
        "exchanges": _transfers(numbers, "internal", scale.internal, "cyclesByTile", code=True),
        "externalExchanges": _transfers(numbers, "external", scale.external, "estimatedCyclesByTile"),
        "hostExchanges": _transfers(numbers, "host", scale.host_exchanges, "estimatedCyclesByTile"),
        "programs": net.programs,
        "controlPrograms": net.control,
        "functionPrograms": net.functions,
        "memory": memory(numbers),
    }
    return sorted_keys(tree)  # type: ignore[no-any-return]


def execution(scale: Scale) -> dict[str, Any]:
    """The execution profile that goes with ``graph(scale)``."""
    return sorted_keys(_execution(Numbers(network(scale))))  # type: ignore[no-any-return]


def combined(scale: Scale) -> dict[str, Any]:
    """Both in one file, as the engine hands them out."""
    return {"executionProfile": execution(scale), "graphProfile": graph(scale)}


def write(path: Path, tree: Any) -> Path:
    """As the suffix says: .cbor (tagged), else JSON on one line."""
    return write_cbor(path, tree) if path.suffix == ".cbor" else write_json(path, tree)


def write_pair(folder: Path, scale: Scale, suffix: str = ".json") -> tuple[Path, Path]:
    """graph and execution in ``folder``."""
    return write(folder / f"graph{suffix}", graph(scale)), write(folder / f"execution{suffix}", execution(scale))


def _types(scale: Scale) -> range:
    return range(scale.vertex_types)


def _type_names(scale: Scale) -> list[str]:
    known = [name for name, _ in VERTEX_TYPES]
    return [known[v] if v < len(known) else f"popops::Codelet{v}<half>" for v in _types(scale)]


def _target(scale: Scale) -> dict[str, Any]:
    return {
        "type": "IPU_MODEL" if scale.mode == "IPU_MODEL" else "IPU",
        "numIPUs": scale.ipus,
        "tilesPerIPU": scale.tiles_per_ipu,
        "numTiles": scale.tiles,
        "bytesPerTile": scale.bytes_per_tile,
        "bytesPerIPU": scale.bytes_per_tile * scale.tiles_per_ipu,
        "totalMemory": scale.bytes_per_tile * scale.tiles,
        "clockFrequency": scale.clock_hz,
        "minSyncDelay": 113,
        "relativeSyncDelayByTile": [t % 40 for t in range(scale.tiles_per_ipu)],
    }


def _counts(net: Network, numbers: Numbers) -> dict[str, int]:
    vertices = sum(int(numbers.vertex_counts(c).sum()) for c in range(net.scale.compute_sets))
    return {
        "numComputeSets": net.scale.compute_sets,
        "numEdges": vertices * 4,
        "numVars": vertices * 3 + 17,
        "numVertices": vertices,
    }


def _compute_sets(net: Network, numbers: Numbers) -> dict[str, Any]:
    sets = net.scale.compute_sets
    out: dict[str, Any] = {
        "names": net.set_names,
        "vertexCounts": [numbers.vertex_counts(c) for c in range(sets)],
        "vertexTypes": net.set_types,
    }
    if net.scale.has_estimates:
        out["cycleEstimates"] = {
            "activeCyclesByTile": rows(sets, numbers.active),
            "activeCyclesByVertexType": rows(sets, numbers.active_by_type),
            "cyclesByTile": rows(sets, numbers.cycles),
        }
    return out


def _transfers(numbers: Numbers, kind: str, count: int, cycles: str, *, code: bool = False) -> dict[str, Any]:
    out = {
        "bytesReceivedByTile": rows(count, lambda x: numbers.transfer(kind, x).received),
        "bytesSentByTile": rows(count, lambda x: numbers.transfer(kind, x).sent),
        cycles: rows(count, lambda x: numbers.transfer(kind, x).cycles),
    }
    if code:
        out["codeBytesByTile"] = rows(count, lambda x: numbers.transfer(kind, x).code)
    return out
