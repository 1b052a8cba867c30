"""Inclusive costs of programs, by walks over the raw JSON."""

from __future__ import annotations

from typing import Any

from oracles.poplar_by_hand import Tree

PARTS = ("codeBytes", "copyPtrBytes", "descriptorBytes", "edgePtrBytes", "paddingBytes", "vertexDataBytes")
LISTS = {
    "DoExchange": ("exchanges", "cyclesByTile"),
    "GlobalExchange": ("externalExchanges", "estimatedCyclesByTile"),
    "StreamCopy": ("hostExchanges", "estimatedCyclesByTile"),
}


def below(graph: Tree, program: int) -> list[int]:
    own = graph["programs"][program]
    return [graph["functionPrograms"][own["target"]]] if own["type"] == "Call" else own.get("children", [])


def reached(graph: Tree, starts: list[int], without: int = -1) -> set[int]:
    seen: set[int] = set()
    stack = [start for start in starts if start != without]
    while stack:
        program = stack.pop()
        if program not in seen:
            seen.add(program)
            stack += [child for child in below(graph, program) if child != without]
    return seen


def own_memory(graph: Tree, program: int) -> tuple[Any, int] | None:
    """(owner of the memory, bytes); None for a program without memory of its own."""
    own = graph["programs"][program]
    if "computeSet" in own:
        matrices = graph["memory"]["byComputeSet"]
        return ("set", own["computeSet"]), sum(sum(matrices[part][own["computeSet"]]) for part in PARTS)
    if own["type"] == "DoExchange":
        return ("exchange", own["exchange"]), sum(graph["exchanges"]["codeBytesByTile"][own["exchange"]])
    return None


def own_code(graph: Tree, program: int) -> list[int] | None:
    """Code bytes of each tile."""
    own = graph["programs"][program]
    if "computeSet" in own:
        return list(graph["memory"]["byComputeSet"]["codeBytes"][own["computeSet"]])
    return list(graph["exchanges"]["codeBytesByTile"][own["exchange"]]) if own["type"] == "DoExchange" else None


def own_estimate(graph: Tree, program: int) -> Any:
    own = graph["programs"][program]
    if "computeSet" in own:
        return max(graph["computeSets"]["cycleEstimates"]["cyclesByTile"][own["computeSet"]])
    if own["type"] in LISTS:
        listed, key = LISTS[own["type"]]
        return max(graph[listed][key][own["exchange"]])
    return None


def figures(graph: Tree, cycles: dict[int, int]) -> dict[str, list[int | None]]:
    """Columns of all programs. ``cycles``: by program, those of its steps."""
    count = range(len(graph["programs"]))
    memory = [own_memory(graph, program) for program in count]
    estimate = [own_estimate(graph, program) for program in count]
    passes: dict[int, int] = {}

    def one_pass(program: int) -> int:
        if program not in passes:
            parts = [one_pass(child) for child in below(graph, program)]
            branches = graph["programs"][program]["type"] in ("IfElse", "Switch")
            passes[program] = (estimate[program] or 0) + (max(parts) if branches else sum(parts))
        return passes[program]

    code = [own_code(graph, program) for program in count]
    keys = ("total_memory", "total_code", "total_estimate", "total_cycles")
    out: dict[str, list[int | None]] = {key: [] for key in keys}
    for program in count:
        inside = reached(graph, [program])
        parts = dict(part for one in inside if (part := memory[one]) is not None)
        out["total_memory"].append(sum(parts.values()) if parts else None)
        codes = {memory[one][0]: sum(code[one] or ()) for one in inside if memory[one] is not None}  # type: ignore[index]
        out["total_code"].append(sum(codes.values()) if codes else None)
        some = any(estimate[one] is not None for one in inside)
        out["total_estimate"].append(one_pass(program) if some else None)
        timed = inside & cycles.keys()
        elsewhere = reached(graph, graph["controlPrograms"], without=program) if len(inside) > 1 else set()
        known = timed and not timed & (elsewhere - {program})
        out["total_cycles"].append(sum(cycles[one] for one in timed) if known else None)
    own = {
        "memory": [None if part is None else part[1] for part in memory],
        "code": [None if row is None else sum(row) for row in code],
        "max_code": [None if row is None else max(row) for row in code],
        "estimate": estimate,
        "cycles": [cycles.get(program) for program in count],
    }
    return {**own, **out}
