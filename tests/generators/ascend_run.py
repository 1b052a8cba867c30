"""An operator whose blocks say what its trace holds: cycles, instructions and waits are those of the slices, bytes
those of the transfers, and rooflines follow from operations, bytes and time."""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import orjson

from generators.ascend_bin import Program
from generators.ascend_details import CLOCK_MHZ, STALLS, Shape
from generators.ascend_kernel import Instruction
from generators.ascend_steps import (
    CUBE_OPERATIONS,
    LINE,
    Event,
    Transfer,
    cycles_of,
    functions,
    paired,
    place_of,
    source_line,
)
from generators.ascend_trace import SUB_CORES

CUBE_RATES: Final = {6: 435, 7: 435, 8: 870, 11: 870}
"""Bytes in a cycle of the cube: of 512 of each input and 1024 of the result, like its operations."""
RESULT: Final = {14: (13, 3), 15: (13, 2), 18: (17, 3), 19: (17, 2)}
"""What a vector unit reads and writes, by the path that stores its result: it scales a tile, and compares both."""
WIDTH: Final = {6: 512, 7: 512, 8: 1024, 11: 1024, 14: 256, 15: 128, 18: 256, 19: 128}
"""Bytes that a path can move in a cycle, 128 for the others."""
MISSES: Final = {2: 0.75, 12: 0.06, 16: 0.06, 10: 0.3, 13: 0.5, 17: 0.5}
"""Shares of requests that are not in the L2 cache: inputs come from main memory, what the cube made is still there."""
FETCH: Final = 16
"""Bytes of code that a miss in the instruction cache brings: it runs for the first time."""
READS, WRITES = (2, 12, 16), (10, 13, 17)
OF_PLACE: Final = (((2,), (10,)), ((12,), (13,)), ((16,), (17,)))
"""What each sub-core reads through the L2 cache and writes to it."""
LEVELS: Final = {
    "L0C Read Cube": 11, "L0C Write Cube": 8, "L0C Write GM": 10, "UB Read MTE": 13, "UB Write MTE": 12,
    "UB Read Vector": 14, "UB Write Vector": 15,
}  # fmt: skip
UNIT: Final = ("CUBE", "VECTOR", "VECTOR")
ROWS: Final = ("FP", "All Active", "FP32")
"""Rows of the workload that count all instructions of a unit; no instruction is of another kind."""
NAMES: Final = {
    "CopyTile": "MOV_OUT_TO_L1_MULTI_ND2NZ", "Split": "LOAD_2D", "FixPipe": "FIX_L0C_TO_OUT", "Muls": "VMULS",
    "Max": "VMAX", "DataCopy(tile": "MOV_OUT_TO_UB_ALIGN", "DataCopy(result_": "MOV_UB_TO_OUT_ALIGN",
    "GET_TILING_DATA": "MOV_OUT_TO_UB_ALIGN",
}  # fmt: skip
"""What a line's instructions on other pipes than the scalar one are."""
STALL_SHARES: Final = (0.1, 0.06, 0.4, 0.03, 0.12, 0.2, 0.01, 0.08)
"""In the order of ``STALLS``: mostly operands that memory has not delivered, and waits for others."""
PLACES: Final = {"CopyTile(left_": 0x00, "CopyTile(right_": 0x40, "GET_TILING_DATA": 0xC0}
"""Where matrices are in main memory, in MiB."""
RESULT_PLACE: Final = 0x80
MEMORY: Final = 0x12C000000000
_ACCESS: Final = struct.Struct("<BbbBIQQQ")


@dataclass
class Run(Shape):
    """The shape of the operator that wrote the trace of ``events``, which holds ``transfers``."""

    events: list[Event] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__post_init__()
        lanes: dict[tuple[int, int, str], list[tuple[int, int]]] = defaultdict(list)
        self.waits: Counter[tuple[int, int, str]] = Counter()
        fetched: set[tuple[int, str, int]] = set()
        for event in self.events:
            if event["ph"] == "X":
                core, sub = place_of(event)
                begin = cycles_of(event["ts"])
                lanes[core, SUB_CORES.index(sub), event["tid"]].append((begin, begin + cycles_of(event["dur"])))
                if "pc_addr" in event["args"]:
                    fetched.add((core, sub, int(event["args"]["pc_addr"], 16) // FETCH))
        for first, last in paired(self.events):
            if first["name"] == "WAIT_FLAG":
                core, sub = place_of(first)
                waited = cycles_of(last["ts"]) - cycles_of(first["ts"])
                self.waits[core, SUB_CORES.index(sub), first["tid"]] += waited
        self.first_fetches = Counter(core for core, _, _ in fetched)
        self.counts = Counter({key: len(own) for key, own in lanes.items()})
        self.busy = Counter({key: union(own) for key, own in lanes.items()})
        places = [(block, place) for block in range(self.blocks) for place in range(len(SUB_CORES))]
        spans = [_span([one for key, own in lanes.items() if key[:2] == at for one in own]) for at in places]
        self.cycles = np.array(spans, np.float64).reshape(self.blocks, -1)
        units = [self.busy[block, place, UNIT[place]] for block, place in places]
        self.active = np.array(units, np.float64).reshape(self.blocks, -1)
        self.lines = self._lines()
        self.line_uses = _spread(self.rng, 512, self.l2_total(), 12 + 8 * np.sin(np.arange(512) / 30))

    def _lines(self) -> Counter[tuple[int, int]]:
        """Requests by block and memory path."""
        lines: Counter[tuple[int, int]] = Counter()
        for one in self.transfers:
            lines[one.core, one.path] += one.lines
        for block in range(self.blocks):
            for path, rate in CUBE_RATES.items():
                lines[block, path] = int(self.active[block, 0]) * rate // LINE
            for path, (stored, times) in RESULT.items():
                lines[block, path] = times * lines[block, stored]
        return lines

    def bytes(self, block: int, paths: Iterable[int]) -> int:
        return sum(self.lines[block, path] for path in paths) * LINE

    def requests(self, block: int, paths: Iterable[int]) -> tuple[int, int]:
        """(hits, misses) in the L2 cache."""
        total = [self.lines[block, path] for path in paths]
        missed = [round(lines * MISSES[path]) for lines, path in zip(total, paths, strict=True)]
        return sum(total) - sum(missed), sum(missed)

    def _rate(self, block: int, moved: float) -> float:
        """GB/s over the longest sub-core of the block."""
        return float(moved * CLOCK_MHZ / self.cycles[block].max() / 1e3)

    def waited(self, block: int, place: int) -> float:
        return float(self.waits[block, place, UNIT[place]])

    def instructions(self, block: int, place: int, name: str) -> float:
        return float(self.counts[block, place, UNIT[place]] * (name in ROWS))

    def wait_us(self, block: int, place: int) -> float:
        return self.waited(block, place) / CLOCK_MHZ

    def computed(self, block: int, place: int) -> float:
        return float(self.bytes(block, ((6, 7), (14,), (18,))[place]))

    def l2(self, block: int) -> tuple[int, int]:
        write, read, _ = self.cached(block)
        return write[0] + read[0], write[1] + read[1]

    def l2_total(self) -> tuple[int, int]:
        """(hits, misses) of all blocks."""
        hits, misses = zip(*map(self.l2, range(self.blocks)), strict=True)
        return sum(hits), sum(misses)

    def cached(self, block: int) -> list[tuple[int, int]]:
        run = sum(count for (core, *_), count in self.counts.items() if core == block)
        return [
            self.requests(block, WRITES),
            self.requests(block, READS),
            (run - self.first_fetches[block], self.first_fetches[block]),
        ]

    def _to_memory(self, block: int) -> dict[str, int]:
        """Bytes from and to main memory: what misses in the L2 cache."""
        write, read, _ = self.cached(block)
        return {"Read Main Memory": read[1] * LINE, "Write Main Memory": write[1] * LINE}

    def main_memory(self, block: int, name: str) -> tuple[int, float]:
        moved = self._to_memory(block)[name]
        return moved // LINE, self._rate(block, moved)

    def path(self, block: int, path: int, micros: float) -> tuple[int, float, float]:
        memory = self._to_memory(block)
        moved = tuple(memory.values())[path] if path < 2 else self.bytes(block, (path,))
        rate = self._rate(block, moved)
        return moved // LINE, rate, 100 * rate * 1e3 / (WIDTH.get(path, LINE) * CLOCK_MHZ)

    def level(self, block: int, name: str) -> tuple[int, float, float]:
        return self.path(block, LEVELS.get(name, 3), 0.0)

    def pipe(self, block: int, place: int, name: str) -> tuple[int, int, int]:
        at = block, place, name.upper()
        return self.counts[at], self.busy[at], self.waits[at]

    def _uses(self, block: int, place: int) -> tuple[int, int]:
        """(hits, misses) of a sub-core."""
        read, write = (self.requests(block, paths) for paths in OF_PLACE[place])
        return read[0] + write[0], read[1] + write[1]

    def moved(self, block: int, place: int) -> tuple[int, float]:
        hits, misses = self._uses(block, place)
        return misses * LINE, 100 * hits / (hits + misses)

    def roof_point(self, name: str, bandwidth: float, compute: float) -> tuple[float, float]:
        vector = compute < 100
        blocks = range(self.blocks)
        if vector:  # a product and a comparison of each FP32 that is stored
            operations = 2.0 * sum(self.bytes(block, (13, 17)) for block in blocks) / 4
        else:
            operations = float(self.active[:, 0].sum()) * CUBE_OPERATIONS
        paths = {"L2": (*READS, *WRITES), "L1": (2, 4, 5), "L0A": (4, 6), "L0B": (5, 7)}
        paths |= {"MTE2": (12, 16), "MTE3": (13, 17)}
        moved = sum(sum(self._to_memory(b).values()) if name == "GM" else self.bytes(b, paths[name]) for b in blocks)
        intensity = operations / moved
        reached = operations / self.duration_us / 1e6
        return intensity, reached / min(intensity * bandwidth, compute)

    def set_accesses(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The requests of all blocks, evenly but for chance."""
        made = []
        for paths in (READS, WRITES):
            hits, misses = np.sum([self.requests(block, paths) for block in range(self.blocks)], axis=0)
            made.append(_spread(self.rng, count, (hits, misses), np.ones(count)))
        (read, missed_read), (write, missed_write) = made
        return read + missed_read, write + missed_write, missed_read + missed_write

    def line_accesses(self, line: int) -> tuple[int, int]:
        hits, misses = self.line_uses
        return int(hits[line]), int(misses[line])

    def line_user(self, first_address: int) -> tuple[int, int]:
        through = [one.address for one in self.transfers if one.path in MISSES]
        address = through[int(self.rng.randint(len(through)))]
        return address, address

    def stalls(self) -> dict[str, int]:
        counts = self.rng.multinomial(round(self.cycles.sum() / 4), STALL_SHARES)
        return dict(zip(STALLS, counts.tolist(), strict=True))


@dataclass(frozen=True)
class RunProgram(Program):
    """The instructions of the kernel with the executions and cycles of the slices of ``events``."""

    events: tuple[Event, ...] = ()
    transfers: tuple[Transfer, ...] = ()

    def at(self, index: int) -> Instruction:
        made = super().at(index)
        if made.pipe in ("SCALAR", "FLOWCTRL", "CUBE"):
            return made
        text = source_line(made)
        return replace(made, name=next(name for part, name in NAMES.items() if part in text))

    def costs(self, begin: int, end: int) -> dict[str, np.ndarray]:
        made = super().costs(begin, end)
        runs, cycles, moved = (np.zeros_like(made["Instructions Executed"]) for _ in range(3))
        place = {core: number for number, core in enumerate(self.cores)}
        first = self.at(0).address

        def add(column: np.ndarray, address: int, core: str, amount: int) -> None:
            row = (address - first) // 4 - begin
            if 0 <= row < end - begin:
                column[row, place[core]] += amount

        for event in self.events:
            if event["ph"] == "X" and "pc_addr" in event["args"]:
                address = int(event["args"]["pc_addr"], 16)
                add(runs, address, event["pid"], 1)
                add(cycles, address, event["pid"], cycles_of(event["dur"]))
        for one in self.transfers:
            add(moved, one.address, f"core{one.core}.{SUB_CORES[one.place]}", one.lines * LINE)
        pipes = np.array([self.at(index).pipe for index in range(begin, end)])[:, None]
        moves, vector = np.isin(pipes, ("MTE1", "MTE2", "MTE3", "FIXP")), pipes == "VECTOR"
        rng = np.random.RandomState(self.seed)
        used = runs > 0
        return made | {
            "Instructions Executed": runs,
            "Cycles": cycles,
            "RealStallCycles": (cycles * rng.uniform(0, 0.3, runs.shape)).astype(np.int64),
            "GPR Count": np.where(used, made["GPR Count"], 0),
            "Process Bytes": np.where(moves, moved, -1),
            "Vector Utilization Percentage": np.where(vector & used, rng.uniform(70, 100, runs.shape).round(2), -1),
            "UB Read Conflict": np.where(vector, rng.binomial(runs, 0.1), -1),
            "UB Write Conflict": np.where(vector, rng.binomial(runs, 0.05), -1),
        }


def accesses(moved: Iterable[Transfer], program: Program) -> bytes:
    """0x0A: each transfer from or to main memory, one after the other from the place where its matrix begins. What the
    cube stores is what the vector cores fetch, and where they store their result."""
    made = {program.at(index).address: program.at(index) for index in range(program.total)}
    function, done = functions(), Counter[tuple[int, int, str]]()
    through = [one for one in moved if one.path in MISSES]
    halves: Counter[int] = Counter()
    for one in through:
        halves[one.core] += one.lines * LINE * (one.path == 13)
    parts = []
    for record, one in enumerate(through):
        text = source_line(made[one.address])
        start = next((mib for part, mib in PLACES.items() if part in text), RESULT_PLACE)
        half = halves[one.core] if start == RESULT_PLACE and one.place == 2 else 0
        stream = one.core, one.place, text
        at = MEMORY + (start << 20) + (one.core << 20) + half + done[stream]
        size = one.lines * LINE
        done[stream] += size
        kind, cube = 3 + (one.path in WRITES), one.place == 0
        parts.append(_ACCESS.pack(kind, one.core, 1, cube, record, at, size, one.address))
    stacks = [
        {
            "Address": hex(address),
            "ModuleName": "matmul_leaky.o",
            "Symbol": [
                {
                    "Line": made[address].line,
                    "Column": 9,
                    "FileName": made[address].file,
                    "FunctionName": function[made[address].file, made[address].line],
                }
            ],
        }
        for address in sorted({one.address for one in through})
    ]
    listed = orjson.dumps(stacks)
    return struct.pack("<Q", len(parts) * _ACCESS.size) + b"".join(parts) + struct.pack("<Q", len(listed)) + listed


def union(intervals: list[tuple[int, int]]) -> int:
    """The cycles that the intervals cover."""
    covered = done = 0
    for begin, end in sorted(intervals):
        covered += max(end - max(begin, done), 0)
        done = max(done, end)
    return covered


def _span(intervals: list[tuple[int, int]]) -> int:
    return max(end for _, end in intervals) - min(begin for begin, _ in intervals)


def _spread(
    rng: np.random.RandomState, count: int, totals: tuple[int, int], weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(hits, misses) of each of ``count`` places, with these totals."""
    hits, misses = (rng.multinomial(total, weights / weights.sum()) for total in totals)
    return hits, misses
