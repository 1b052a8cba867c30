"""The execution of the generated Poplar program: steps one after another, some overlapping, and their sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from generators.poplar_network import Network
from generators.poplar_numbers import Numbers, span
from generators.trees import Lazy, rows

_KINDS = {
    "OnTileExecute": "compute",
    "DoExchange": "doExchange",
    "GlobalExchange": "globalExchange",
    "StreamCopy": "streamCopy",
}
_EXCHANGES = {
    "DoExchange": ("internal", "exchange"),
    "GlobalExchange": ("external", "externalExchange"),
    "StreamCopy": ("host", "hostExchange"),
}


def execution(numbers: Numbers) -> dict[str, Any]:
    """The execution profile of the mode that the scale names."""
    net, scale = numbers.net, numbers.scale
    out: dict[str, Any] = {"profilerMode": scale.mode, **_measured(numbers)}
    if scale.mode in ("NONE", "CPU"):
        return out
    trace = list(net.trace())
    maker = _Steps(numbers)
    totals = maker.totals(trace)
    out["runs"] = [{"name": "training"}]
    out["programTrace"] = np.array(trace, np.int64)
    out["simulation"] = {
        "cycles": totals.pop("cycles"),
        "tileCycles": totals,
        "steps": Lazy(maker.count(trace), lambda: maker.steps(trace)),
    }
    return out


def _measured(numbers: Numbers) -> dict[str, Any]:
    net, scale = numbers.net, numbers.scale
    if scale.mode == "COMPUTE_SETS":
        return {"computeSetCyclesByTile": rows(scale.compute_sets, numbers.cycles)}
    if scale.mode == "SINGLE_TILE_COMPUTE_SETS":
        return {"computeSetCycles": [int(numbers.cycles(c).max()) for c in range(scale.compute_sets)]}
    if scale.mode == "EXTERNAL_EXCHANGES":
        return {"externalExchangeCycles": rows(scale.external, lambda x: numbers.transfer("external", x).cycles)}
    if scale.mode == "HOST_EXCHANGES":
        return {"hostExchangeCycles": rows(scale.host_exchanges, lambda x: numbers.transfer("host", x).cycles)}
    if scale.mode == "VERTICES":
        counts = [numbers.vertex_counts(c) for c in range(scale.compute_sets)]
        sets = np.concatenate([np.full(row.sum(), c) for c, row in enumerate(counts)])
        kinds = np.concatenate([np.repeat(net.set_types[c], row) for c, row in enumerate(counts)])
        cycles = numbers.random(30).integers(20, 4000, len(sets))
        return {"vertexComputeSet": sets, "vertexCycles": cycles, "vertexType": kinds}
    return {}


class _Steps:
    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers
        self.net: Network = numbers.net
        self.made: dict[int, dict[str, Any]] = {}
        self.tile_cycles: dict[int, int] = {}

    def count(self, trace: list[int]) -> int:
        return sum(self.step(program) is not None for program in trace)

    def totals(self, trace: list[int]) -> dict[str, int]:
        """Length of the run, and the cycles of all tiles by kind; waiting fills up what is left."""
        out = dict.fromkeys(("cycles", "activeCompute", *_KINDS.values(), "copySharedStructure", "sync"), 0)
        for step in self.steps(trace):
            out["cycles"] = max(out["cycles"], step.get("cyclesTo", 0))
            if step["type"] in _KINDS:
                out[_KINDS[step["type"]]] += self.tile_cycles[step["program"]]
            if "computeSet" in step:
                out["activeCompute"] += self.numbers.set_active(step["computeSet"])
        busy = sum(out[kind] for kind in _KINDS.values())
        out["sync"] = out["cycles"] * self.numbers.entries - busy
        return out

    def steps(self, trace: list[int]) -> Iterator[dict[str, Any]]:
        """Each step with its place in time; a wait between them, and exchanges that begin a little early."""
        now = before = 0
        for program in trace:
            step = self.step(program)
            if step is None:
                continue
            if step["type"].lower() == "sync":
                now += 120
                yield step
                continue
            early = min(before // 10, step["cycles"] // 4) if step["type"] == "DoExchange" else 0
            start, end = now - early, now - early + step["cycles"] + program % 3
            placed = {**step, "cyclesFrom": start, "cyclesTo": end}
            if "cyclesOverlapped" in step:
                placed["cyclesOverlapped"] = early
            yield placed
            now, before = max(now, end), step["cycles"] if step["type"] == "OnTileExecute" else 0

    def step(self, program: int) -> dict[str, Any] | None:
        """The step that running ``program`` makes, without its place in time; None where it makes none."""
        if program not in self.made:
            entry = self.net.programs[program]
            if entry["type"] == "Sync":
                self.made[program] = {"type": "Sync", "syncType": "External" if "name" in entry else "Internal"}
            elif entry["type"] in _KINDS:
                self.made[program] = self._working(program, entry)
        return self.made.get(program)

    def _working(self, program: int, entry: dict[str, Any]) -> dict[str, Any]:
        own: dict[str, Any] = {}
        if entry["type"] == "OnTileExecute":
            at_work = self.numbers.set_span(entry["computeSet"])
            total = max(1, at_work.total)
            own = {
                "computeSet": entry["computeSet"],
                "cyclesOverlapped": 0,
                "threadBalance": self.numbers.set_active(entry["computeSet"]) / total,
            }
        else:
            kind, key = _EXCHANGES[entry["type"]]
            moved = self.numbers.transfer(kind, entry["exchange"])
            at_work = span(moved.cycles)
            own = {
                key: entry["exchange"],
                "totalData": int(moved.received.sum() or moved.sent.sum()),
                "dataBalance": span(moved.sent + moved.received).balance,
            }
            if entry["type"] == "DoExchange":
                own["cyclesOverlapped"] = 0
        self.tile_cycles[program] = at_work.total
        step = {
            "type": entry["type"],
            "program": program,
            "cycles": at_work.cycles,
            "tileBalance": at_work.balance,
            "activeTiles": at_work.tiles,
            "activeTileBalance": at_work.active_balance,
            **own,
        }
        return {**step, "name": entry["name"]} if "name" in entry else step
