"""A Poplar profile of replicas that train side by side: accumulated micro-batches, an allreduce, an optimiser.

Every figure that the scaling model takes from a run is a whole number of cycles here, so that tests can name it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generators.trees import write_json

TILES = 8
"""Of one replica."""
CLOCK = 1_000_000.0
"""One cycle is a microsecond."""
HOST, FORWARD, EXCHANGE, BACKWARD, WAIT = 300, 1000, 200, 2000, 100
REDUCE, GATHER, OPTIMISER = 400, 600, 500
PERIOD = HOST + FORWARD + EXCHANGE + BACKWARD + WAIT
CATEGORIES = {"variable": 40_000, "vertexCode": 9_000, "internalExchangeCode": 3_000, "globalExchangeCode": 500}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicas:
    """``accumulation`` 0: the allreduce stands in the loop itself. ``inner``: a loop over time steps inside of each
    micro-batch; ``norm``: batch norm that reduces in each micro-batch; ``named``: whether the allreduce says so."""

    replicas: int = 2
    accumulation: int = 4
    updates: int = 3
    inner: int = 0
    norm: bool = False
    named: bool = True
    fed: bool = True
    clock: float = CLOCK
    reduce: int = REDUCE
    categories: dict[str, int] = field(default_factory=CATEGORIES.copy)


def tree(scale: Replicas) -> dict[str, Any]:
    """Graph and execution in one."""
    return _Maker(scale).tree()


def write(folder: Path, scale: Replicas, name: str = "graph.json") -> Path:
    return write_json(folder / name, tree(scale))


class _Maker:
    def __init__(self, scale: Replicas) -> None:
        self.scale = scale
        self.programs: list[dict[str, Any]] = [{"type": "Sequence", "name": "control"}]
        self.cycles: dict[int, int] = {}
        self.steps: list[dict[str, Any]] = []
        self.trace: list[int] = []
        self.now = 0

    def tree(self) -> dict[str, Any]:
        main = self.main()
        self.programs[0]["children"] = [self.leaf("StreamCopy", "weights/hostToDevice", 50, exchange=0), main]
        self.run(0)
        tiles = TILES * self.scale.replicas
        return {
            "target": {
                "type": "IPU",
                "numIPUs": self.scale.replicas,
                "tilesPerIPU": TILES,
                "numTiles": tiles,
                "bytesPerTile": 600_000,
                "clockFrequency": self.scale.clock,
            },
            "graph": {"numComputeSets": 5, "numEdges": 1, "numVars": 1, "numVertices": 1},
            "computeSets": {"names": ["forward", "backward", "optimiser", "rnn/cell", "norm"]},
            "hostExchanges": {"bytesReceivedByTile": [[8] * TILES], "bytesSentByTile": [[0] * TILES]},
            "programs": [{key: value for key, value in p.items() if key != "times"} for p in self.programs],
            "controlPrograms": [0],
            "functionPrograms": [],
            "memory": self.memory(),
            "profilerMode": "IPU_MODEL",
            "programTrace": self.trace,
            "simulation": {"cycles": self.now, "tileCycles": {"compute": 1}, "steps": self.steps},
        }

    def memory(self) -> dict[str, Any]:
        """Each category as many bytes on every tile."""
        total = sum(self.scale.categories.values())
        regions = ("interleaved", "nonInterleaved", "overflowed")
        empty = {region: {"nonOverlapped": [0] * TILES, "overlapped": [0] * TILES} for region in regions}
        by_category = {
            name: {
                **empty,
                "nonInterleaved": {"nonOverlapped": [size] * TILES, "overlapped": [0] * TILES},
                "total": [size] * TILES,
            }
            for name, size in self.scale.categories.items()
        }
        by_tile = {key: [0] * TILES for key in ("interleaved", "overflowed")}
        by_tile |= {key: [total] * TILES for key in ("nonInterleaved", "total", "totalIncludingGaps")}
        live = {"alwaysLive": {"bytesByTile": [total // 2] * TILES}}
        return {"byTile": by_tile, "byCategory": by_category, "liveness": live}

    def main(self) -> int:
        scale = self.scale
        body = [self.leaf("StreamCopy", "images/hostToDevice", HOST, exchange=0)] if scale.fed else []
        body += [self.leaf("OnTileExecute", "model/forward", FORWARD, computeSet=0)]
        if scale.norm:
            body += [self.leaf("GlobalExchange", "model/batchNorm/CrossReplica/AllReduce", 40, exchange=0)]
        if scale.inner:
            cell = self.leaf("OnTileExecute", "model/rnn/cell", 10, computeSet=3)
            body += [self.add("Repeat", name="rnn", children=[cell], times=scale.inner)]
        body += [
            self.leaf("DoExchange", "model/exchange", EXCHANGE, exchange=0),
            self.leaf("OnTileExecute", "model/backward", BACKWARD, computeSet=1),
            self.add("Sync"),
        ]
        name = "gradients/AllReduce_7" if scale.named else "gradients/sum_7"
        update = [
            self.leaf("GlobalExchange", f"{name}/ReduceScatter/step", scale.reduce, exchange=0),
            self.leaf("GlobalExchange", f"{name}/AllGather/step" if scale.named else name, GATHER, exchange=0),
            self.leaf("OnTileExecute", "optimiser/step", OPTIMISER, computeSet=2),
        ]
        if not scale.accumulation:
            return self.loop("training", [*body, *update], scale.updates)
        return self.loop("training", [self.loop("accumulate", body, scale.accumulation), *update], scale.updates)

    def loop(self, name: str, body: list[int], times: int) -> int:
        return self.add("Repeat", name=name, children=[self.add("Sequence", children=body)], times=times)

    def add(self, kind: str, **fields: Any) -> int:
        self.programs.append({"type": kind, **fields})
        return len(self.programs) - 1

    def leaf(self, kind: str, name: str, cycles: int, **fields: Any) -> int:
        program = self.add(kind, name=name, **fields)
        self.cycles[program] = cycles
        return program

    def run(self, index: int) -> None:
        program = self.programs[index]
        for _ in range(program.get("times", 1)):
            for child in program.get("children", []):
                self.run(child)
        if program["type"] == "Sync":
            self.steps.append({"type": "Sync", "syncType": "Internal"})
            self.now += WAIT
        elif index in self.cycles:
            self.trace.append(index)
            self.steps.append(self.step(index, program))
            self.now += self.cycles[index]

    def step(self, index: int, program: dict[str, Any]) -> dict[str, Any]:
        cycles = self.cycles[index]
        key = {"DoExchange": "exchange", "GlobalExchange": "externalExchange", "StreamCopy": "hostExchange"}
        own = {"computeSet": program["computeSet"]} if "computeSet" in program else {key[program["type"]]: 0}
        return {
            "type": program["type"],
            "program": index,
            "name": program["name"],
            "cycles": cycles,
            "cyclesFrom": self.now,
            "cyclesTo": self.now + cycles,
            **own,
        }
