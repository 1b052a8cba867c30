"""Expected tables of a Poplar profile as columns by key, computed by plain loops like ``poplar_by_hand``."""

from __future__ import annotations

import math
from statistics import mean, median
from typing import Any

from oracles import poplar_programs
from oracles.poplar_by_hand import LISTS, REGIONS, Numbers, Tree, kind_of, live_nodes, spans, tiles_of_run, union

Columns = dict[str, list[Any]]
BYTE_KINDS = {
    "codeBytes": "code",
    "copyPtrBytes": "copy_pointer",
    "descriptorBytes": "descriptor",
    "edgePtrBytes": "edge_pointer",
    "paddingBytes": "padding",
    "totalBytes": "total",
    "vertexDataBytes": "vertex_data",
}
SHARED = ("codeBytes", "totalBytes")
"""Not additive over compute sets or vertex types: shared code is counted in each."""


def balances(values: Numbers) -> tuple[float, float]:
    """(balance over all tiles, balance over active tiles); NaN where no tile is active."""
    longest = max(values, default=0)
    if longest == 0:
        return math.nan, math.nan
    working = sum(value > 0 for value in values)
    return sum(values) / (longest * len(values)), sum(values) / (longest * working)


def tiles(graph: Tree) -> Columns:
    own, live = graph["memory"]["byTile"], graph["memory"]["liveness"]
    machine = graph["target"]
    limit, per_ipu = machine["bytesPerTile"], machine["tilesPerIPU"]
    out: Columns = {key: [] for key in ("tile", "ipu", "used_share", "over", "sync_delay")}
    for tile, used in enumerate(own["totalIncludingGaps"]):
        out["tile"].append(tile)
        out["ipu"].append(tile // per_ipu)
        out["used_share"].append(100 * used / limit)
        out["over"].append(max(0, used - limit))
        out["sync_delay"].append(machine["minSyncDelay"] + machine["relativeSyncDelayByTile"][tile % per_ipu])
    return {
        **out,
        "used": own["totalIncludingGaps"],
        "total": own["total"],
        "non_interleaved": own["nonInterleaved"],
        "interleaved": own["interleaved"],
        "overflowed": own["overflowed"],
        "always_live": live["alwaysLive"]["bytesByTile"],
        "temporary_max": live["notAlwaysLive"]["maxBytesByTile"],
    }


def regions(graph: Tree, *, gaps: bool) -> Columns:
    """Bytes of regions per tile; with ``gaps``, the bytes between the regions belong to none."""
    own = graph["memory"]["byTile"]
    ending = "IncludingGaps" if gaps else ""
    out: Columns = {region: own[region + ending] for region in REGIONS}
    out["total"] = own["total" + ending]
    if gaps:
        parts = zip(*(out[region] for region in REGIONS), strict=True)
        out["between"] = [total - sum(part) for total, part in zip(out["total"], parts, strict=True)]
    return out


def categories(graph: Tree, *, overlapped: bool) -> Columns:
    """Per tile and category; ``total`` is their sum."""
    key = "overlapped" if overlapped else "nonOverlapped"
    out: Columns = {}
    total = [0] * tiles_of_run(graph)
    for name, part in graph["memory"]["byCategory"].items():
        out[name] = [sum(values) for values in zip(*(part[region][key] for region in REGIONS), strict=True)]
        total = [before + value for before, value in zip(total, out[name], strict=True)]
    return {**out, "total": total}


def category_sums(graph: Tree) -> Columns:
    out: Columns = {key: [] for key in ("category", "total", "max_tile", "not_overlapped", "overlapped")}
    for region in REGIONS:
        out[region.lower()] = []
    for name, part in graph["memory"]["byCategory"].items():
        out["category"].append(name)
        out["total"].append(sum(part["total"]))
        out["max_tile"].append(max(part["total"]))
        for key, column in (("nonOverlapped", "not_overlapped"), ("overlapped", "overlapped")):
            out[column].append(sum(sum(part[region][key]) for region in REGIONS))
        for region in REGIONS:
            out[region.lower()].append(sum(part[region]["nonOverlapped"]) + sum(part[region]["overlapped"]))
    return out


def runs_of_sets(graph: Tree, run: Tree) -> list[Numbers]:
    """The cycles of the steps of each compute set."""
    out: list[Numbers] = [[] for _ in graph["computeSets"]["names"]]
    for step in run["simulation"]["steps"]:
        if "computeSet" in step:
            out[step["computeSet"]].append(step["cycles"])
    return out


def compute_sets(graph: Tree, run: Tree) -> Columns:
    own = graph["computeSets"]
    estimates, took = own["cycleEstimates"], runs_of_sets(graph, run)
    out: Columns = {
        "name": own["names"],
        "vertices": [sum(row) for row in own["vertexCounts"]],
        "types": [len(row) for row in own["vertexTypes"]],
        "max_cycles": [max(row) for row in estimates["cyclesByTile"]],
        "tiles": [sum(value > 0 for value in row) for row in estimates["cyclesByTile"]],
        "balance": [balances(row)[0] for row in estimates["cyclesByTile"]],
        "active": [sum(row) for row in estimates["activeCyclesByTile"]],
        "max_measured": [max(row) for row in run["computeSetCyclesByTile"]],
        "runs": [len(cycles) for cycles in took],
        "run_cycles": [sum(cycles) for cycles in took],
    }
    pairs = zip(estimates["activeCyclesByTile"], estimates["cyclesByTile"], strict=True)
    out["thread_use"] = [100 * sum(active) / sum(cycles) for active, cycles in pairs]
    return out | byte_columns(graph["memory"]["byComputeSet"])


def byte_columns(matrices: Tree) -> Columns:
    """The sum over tiles of each row, or the maximum where the bytes are not additive."""
    out = {f"{BYTE_KINDS[kind]}_bytes": [sum(row) for row in rows] for kind, rows in matrices.items()}
    most = {f"max_{BYTE_KINDS[kind]}_bytes": [max(row) for row in matrices[kind]] for kind in SHARED}
    return out | most


def vertex_types(graph: Tree, run: Tree) -> Columns:
    own, sets = graph["vertexTypes"], graph["computeSets"]
    kinds = range(len(own["names"]))
    vertices, once, all_runs = ([0 for _ in kinds] for _ in range(3))
    for number, took in enumerate(runs_of_sets(graph, run)):
        for kind, count in zip(sets["vertexTypes"][number], sets["vertexCounts"][number], strict=True):
            vertices[kind] += count
        for kind, active in enumerate(sets["cycleEstimates"]["activeCyclesByVertexType"][number]):
            once[kind] += active
            all_runs[kind] += active * len(took)
    shown = {"name": own["names"], "size": own["sizes"], "vertices": vertices, "active": once, "run_active": all_runs}
    return shown | byte_columns(graph["memory"]["byVertexType"])


def thread_use(graph: Tree, run: Tree) -> Columns:
    estimates = graph["computeSets"]["cycleEstimates"]
    cycles, active = ([0] * tiles_of_run(graph) for _ in range(2))
    for number, took in enumerate(runs_of_sets(graph, run)):
        times = len(took)
        for tile, value in enumerate(estimates["cyclesByTile"][number]):
            cycles[tile] += times * value
        for tile, value in enumerate(estimates["activeCyclesByTile"][number]):
            active[tile] += times * value
    share = [100 * part / whole if whole else math.nan for part, whole in zip(active, cycles, strict=True)]
    return {"cycles": cycles, "active": active, "share": share}


def exchanges(graph: Tree, run: Tree) -> Columns:
    clock = graph["target"]["clockFrequency"]
    keys = ("kind", "number", "sent", "received", "code", "max_cycles", "tiles", "data_balance", "cycle_balance")
    out: Columns = {key: [] for key in (*keys, "runs", "run_cycles", "data", "bandwidth")}
    for kind, key, cycles, step_type in (
        ("internal", "exchanges", "cyclesByTile", "DoExchange"),
        ("external", "externalExchanges", "estimatedCyclesByTile", "GlobalExchange"),
        ("host", "hostExchanges", "estimatedCyclesByTile", "StreamCopy"),
    ):
        own = graph[key]
        steps = [step for step in run["simulation"]["steps"] if step["type"] == step_type]
        for number, sent in enumerate(own["bytesSentByTile"]):
            received, took = own["bytesReceivedByTile"][number], own[cycles][number]
            mine = [step for step in steps if step[LISTS[step_type]] == number]
            out["kind"].append(kind)
            out["number"].append(number)
            out["sent"].append(sum(sent))
            out["received"].append(sum(received))
            out["code"].append(sum(own["codeBytesByTile"][number]) if "codeBytesByTile" in own else None)
            out["max_cycles"].append(max(took))
            out["tiles"].append(sum(value > 0 for value in took))
            out["data_balance"].append(balances([a + b for a, b in zip(sent, received, strict=True)])[0])
            out["cycle_balance"].append(balances(took)[0])
            out["runs"].append(len(mine))
            spent, moved = sum(step["cycles"] for step in mine), sum(step["totalData"] for step in mine)
            out["run_cycles"].append(spent)
            out["data"].append(moved)
            out["bandwidth"].append(moved / (spent / clock) / 1e9)
    return out


def exchanges_per_tile(graph: Tree) -> Columns:
    count = tiles_of_run(graph)
    out: Columns = {key: [0] * count for key in ("sent", "received", "code")}
    for kind, key, cycles in (
        ("internal", "exchanges", "cyclesByTile"),
        ("external", "externalExchanges", "estimatedCyclesByTile"),
        ("host", "hostExchanges", "estimatedCyclesByTile"),
    ):
        out[f"{kind}_cycles"] = [0] * count
        for column, name in (
            ("sent", "bytesSentByTile"),
            ("received", "bytesReceivedByTile"),
            ("code", "codeBytesByTile"),
            (f"{kind}_cycles", cycles),
        ):
            for row in graph[key].get(name, []):
                for tile, value in enumerate(row):
                    out[column][tile] += value
    return out


def programs(graph: Tree, run: Tree) -> Columns:
    cycles: dict[int, int] = {}
    for step in run["simulation"]["steps"]:
        if "program" in step:
            cycles[step["program"]] = cycles.get(step["program"], 0) + step["cycles"]
    keys = ("type", "name", "children", "compute_set", "exchange", "calls", "instructions", "runs")
    out: Columns = {key: [] for key in keys}
    trace = run["programTrace"]
    runs = {program: trace.count(program) for program in set(trace)}
    for number, entry in enumerate(graph["programs"]):
        out["type"].append(entry["type"])
        out["name"].append(entry.get("name"))
        out["children"].append(len(entry.get("children", [])))
        out["compute_set"].append(entry.get("computeSet"))
        out["exchange"].append(entry.get("exchange"))
        out["calls"].append(graph["functionPrograms"][entry["target"]] if entry["type"] == "Call" else None)
        memory = entry.get("memoryByInstruction")
        out["instructions"].append(sum(v for k, v in memory.items() if k != "total") if memory else None)
        out["runs"].append(None if poplar_programs.below(graph, number) else runs.get(number, 0))
    return {**out, **poplar_programs.figures(graph, cycles)}


def live(graph: Tree) -> Columns:
    always = sum(graph["memory"]["liveness"]["alwaysLive"]["bytesByTile"])
    nodes = live_nodes(graph)
    return {
        "bytes": [size for size, _ in nodes],
        "live": [size + always for size, _ in nodes],
        "depth": [depth for _, depth in nodes],
    }


def steps(run: Tree) -> Columns:
    own = run["simulation"]["steps"]
    keys = {
        "cycles": "cycles",
        "cyclesFrom": "from",
        "cyclesTo": "to",
        "cyclesOverlapped": "overlapped",
        "tileBalance": "tile_balance",
        "activeTiles": "active_tiles",
        "activeTileBalance": "active_balance",
        "threadBalance": "thread_balance",
        "totalData": "data",
        "dataBalance": "data_balance",
        "program": "program",
        "computeSet": "compute_set",
        "name": "name",
    }
    out: Columns = {column: [step.get(key) for step in own] for key, column in keys.items()}
    out["type"] = [kind_of(step) for step in own]
    out["exchange"] = [step.get(LISTS.get(step["type"], "")) for step in own]
    return out


def recomputed(graph: Tree, run: Tree) -> Columns:
    """The balances of every step by the formulas, from the cycles and bytes of the tiles."""
    keys = {"DoExchange": "exchanges", "GlobalExchange": "externalExchanges", "StreamCopy": "hostExchanges"}
    sets = [balances(row) for row in run["computeSetCyclesByTile"]]
    moved: dict[tuple[str, int], tuple[float, float, float]] = {}
    for kind, key in keys.items():
        own = graph[key]
        took = own["cyclesByTile"] if "cyclesByTile" in own else own["estimatedCyclesByTile"]
        for number, row in enumerate(took):
            pairs = zip(own["bytesSentByTile"][number], own["bytesReceivedByTile"][number], strict=True)
            moved[kind, number] = (*balances(row), balances([sent + received for sent, received in pairs])[0])
    out: Columns = {"tile_balance": [], "active_balance": [], "data_balance": []}
    for step in run["simulation"]["steps"]:
        figures: tuple[float, float, float] | None = None
        if "computeSet" in step:
            figures = (*sets[step["computeSet"]], math.nan)
        elif step["type"] in keys:
            figures = moved[step["type"], step[LISTS[step["type"]]]]
        for column, place in zip(out, range(3), strict=True):
            out[column].append(math.nan if figures is None else figures[place])
    return out


def step_types(run: Tree) -> dict[str, Tree]:
    """By type of step."""
    own, whole = run["simulation"]["steps"], run["simulation"]["cycles"]
    out: dict[str, Tree] = {}
    for step in own:
        entry = out.setdefault(kind_of(step), {"steps": 0})
        entry["steps"] += 1
        for key, column in (("cycles", "cycles"), ("cyclesOverlapped", "overlapped"), ("totalData", "data")):
            if key in step:
                entry[column] = entry.get(column, 0) + step[key]
    for kind, entry in out.items():
        busy = spans(own, kind)
        if busy:
            entry["busy"] = union(busy)
            entry["share"] = 100 * entry["busy"] / whole
    return out


def tile_cycles(graph: Tree, run: Tree) -> dict[str, Tree]:
    """By kind."""
    own, count = run["simulation"], tiles_of_run(graph)
    return {
        kind: {"cycles": value, "average": value / count, "share": 100 * value / (own["cycles"] * count)}
        for kind, value in own["tileCycles"].items()
    }


def names(run: Tree) -> dict[str, Tree]:
    """Steps, cycles and data by each path prefix of the step names (their types where unnamed); None where no step has
    a value."""
    out: dict[str, Tree] = {}
    for step in run["simulation"]["steps"]:
        parts = [part for part in (step.get("name") or kind_of(step)).split("/") if part]
        for depth in range(len(parts)):
            entry = out.setdefault("/".join(parts[: depth + 1]), {"steps": 0, "cycles": None, "own": 0, "data": None})
            entry["steps"] += 1
            for key, value in (("cycles", step.get("cycles")), ("data", step.get("totalData"))):
                if value is not None:
                    entry[key] = (entry[key] or 0) + value
        entry["own"] = entry["own"] + step["cycles"] if "cycles" in step else None
    return out


def sets_that_ran(graph: Tree, run: Tree) -> dict[int, Tree]:
    """By compute set, from its steps."""
    took = runs_of_sets(graph, run)
    whole = sum(sum(cycles) for cycles in took)
    out: dict[int, Tree] = {}
    for number, cycles in enumerate(took):
        if cycles:
            total = sum(cycles)
            out[number] = {
                "steps": len(cycles),
                "cycles": total,
                "mean": total / len(cycles),
                "least": min(cycles),
                "most": max(cycles),
                "share": 100 * total / whole,
            }
    return out


def types_that_ran(graph: Tree, run: Tree) -> dict[str, Tree]:
    """By vertex type, from the steps of the sets that have it."""
    sets, took = graph["computeSets"], runs_of_sets(graph, run)
    out: dict[str, Tree] = {}
    for number, cycles in enumerate(took):
        active = sets["cycleEstimates"]["activeCyclesByVertexType"][number]
        for kind, count in zip(sets["vertexTypes"][number], sets["vertexCounts"][number], strict=True):
            name = graph["vertexTypes"]["names"][kind]
            entry = out.setdefault(name, {"active": 0, "vertices": 0, "steps": 0, "cycles": 0})
            entry["active"] += active[kind] * len(cycles)
            entry["vertices"] += count * len(cycles)
            entry["steps"] += len(cycles)
            entry["cycles"] += sum(cycles)
    return out


def by_slice_name(run: Tree) -> dict[str, Tree]:
    """By name of the slices on the timeline: number of steps, and cycles from the first to the last; None where no step
    of that name has a time."""
    counts: dict[str, int] = {}
    lengths: dict[str, list[int]] = {}
    for step in run["simulation"]["steps"]:
        name = step.get("name") or kind_of(step)
        counts[name] = counts.get(name, 0) + 1
        own = lengths.setdefault(name, [])
        if "cyclesFrom" in step:
            own.append(step["cyclesTo"] - step["cyclesFrom"])
    out: dict[str, Tree] = {}
    for name, own in lengths.items():
        figures = {"total": sum(own), "maximum": max(own), "median": median(own), "average": mean(own)} if own else NONE
        out[name] = {"count": counts[name], **figures}
    return out


NONE = dict.fromkeys(("total", "maximum", "median", "average", "share"))


def matrices(graph: Tree, run: Tree) -> dict[str, list[Numbers]]:
    """Every matrix of the heat table, by its name there."""
    estimates = graph["computeSets"]["cycleEstimates"]
    out: dict[str, list[Numbers]] = {
        "compute-set-cycles": estimates["cyclesByTile"],
        "compute-set-active-cycles": estimates["activeCyclesByTile"],
        "compute-set-type-cycles": estimates["activeCyclesByVertexType"],
        "measured-compute-sets": run["computeSetCyclesByTile"],
    }
    for rows, key in (("compute-set", "byComputeSet"), ("vertex-type", "byVertexType")):
        for kind, matrix in graph["memory"][key].items():
            out[f"{rows}-{BYTE_KINDS[kind].replace('_', '-')}-bytes"] = matrix
    for kind, key in (("internal", "exchanges"), ("external", "externalExchanges"), ("host", "hostExchanges")):
        own = graph[key]
        names = {"sent": "bytesSentByTile", "received": "bytesReceivedByTile", "code": "codeBytesByTile"}
        names["cycles"] = "cyclesByTile" if kind == "internal" else "estimatedCyclesByTile"
        out |= {f"{kind}-exchange-{column}": own[name] for column, name in names.items() if name in own}
    return out
