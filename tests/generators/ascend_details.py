"""Seeded payloads of the details blocks of an Ascend operator file (sections 2.1, 2.7 to 2.13), three generations.

All figures of one operator hang together: cycles are durations times the clock, shares are cycles over total cycles,
bandwidths are bytes over durations, hit ratios are hits over requests.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import orjson

from generators.ascend_kernel import FIRST_ADDRESS, KERNEL

CLOCK_MHZ = 1650.0
SUB_BLOCKS = {"mix": ("cube0", "vector0", "vector1"), "cube": ("cube",), "vector": ("vector",)}
PATHS = {
    "mix": tuple(range(20)),
    "cube": tuple(range(12)),
    "vector": (0, 1, 12, 13, 14, 15),
}
STALLS = (
    "IBuf_Empty",
    "Nop_Cycles",
    "Scoreboard_Not_Ready",
    "Register_bank_conflict",
    "Resource_conflict",
    "Warp_Level_Sync",
    "Divergence_Stack_Spill",
    "Others",
)
_VECTOR_ROWS = ("All Active", "S32", "FP32", "FP16", "Misc", "All Block", "Bank Conflict Block")


@dataclass
class Shape:
    """``generation`` 1 to 3 as in section 2.1; ``type`` is mix, cube or vector."""

    name: str = "matmul_leaky"
    type: str = "mix"
    soc: str = "Ascend910B4"
    blocks: int = 4
    generation: int = 3
    duration_us: float = 212.4
    seed: int = 0
    rng: np.random.RandomState = field(init=False)
    cycles: np.ndarray = field(init=False)
    active: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.RandomState(self.seed)
        share = self.rng.uniform(0.72, 0.98, (self.blocks, len(self.subs)))
        self.cycles = np.round(share * self.duration_us * CLOCK_MHZ)
        cubes = np.array([sub.startswith("cube") for sub in self.subs])
        busy = np.where(cubes, self.rng.uniform(0.3, 0.7, share.shape), self.rng.uniform(0.05, 0.2, share.shape))
        self.active = np.round(self.cycles * busy)

    @property
    def subs(self) -> tuple[str, ...]:
        return SUB_BLOCKS[self.type]

    @property
    def new(self) -> bool:
        return self.generation == 3

    def say(self, value: float, digits: int = 6) -> Any:
        """A number as this generation writes it."""
        if not self.new:
            return value
        return f"{value:.{digits}f}" if digits else str(int(value))

    def block_id(self, block: int) -> Any:
        return str(block) if self.new else block

    def idle_vectors(self, block: int) -> bool:
        """Whether no vector core is busy for a fifth of its cycles."""
        vectors = [place for place, sub in enumerate(self.subs) if sub.startswith("vector")]
        return bool((self.active[block, vectors] < 0.2 * self.cycles[block, vectors] + 1).all())

    # What the blocks say of an operator; here at random, each figure for itself. A shape of a run knows better.

    def waited(self, block: int, place: int) -> float:
        """Cycles that the unit of a sub-core waits."""
        idle = self.cycles[block, place] - self.active[block, place]
        return float(self.rng.randint(0, max(int(idle), 1)))

    def instructions(self, block: int, place: int, name: str) -> float:
        """How many instructions the row of a sub-core's workload counts."""
        return float(self.rng.randint(0, 9000)) if name in ("All Active", "FP", "FP32", "Misc") else 0.0

    def wait_us(self, block: int, place: int) -> float:
        return float(self.rng.randint(0, 60))

    def computed(self, block: int, place: int) -> float:
        """Bytes that the unit of a sub-core works on."""
        return float(32 * self.rng.randint(1000, 90000))

    def l2(self, block: int) -> tuple[int, int]:
        """(hits, misses) of a block."""
        hit, miss = (int(value) for value in self.rng.randint(2000, 70000, 2))
        return hit, miss

    def path(self, block: int, path: int, micros: float) -> tuple[int, float, float]:
        """(requests, GB/s, percent of the maximum) of a memory path."""
        requests = int(self.rng.randint(100, 60000))
        return requests, requests * 128 / 1e3 / micros, float(self.rng.uniform(1, 95))

    def cached(self, block: int) -> list[tuple[int, int]]:
        """(hits, misses) of L2 writes, L2 reads and instructions."""
        return [(int(hit), int(miss)) for hit, miss in self.rng.randint(10, 40000, (3, 2))]

    def main_memory(self, block: int, name: str) -> tuple[int, float]:
        """(requests, GB/s)."""
        return int(self.rng.randint(100, 90000)), float(self.rng.uniform(0.1, 30))

    def level(self, block: int, name: str) -> tuple[int, float, float]:
        """(requests, GB/s, percent of the maximum) of a side of a memory."""
        return int(self.rng.randint(100, 90000)), float(self.rng.uniform(0.1, 90)), float(self.rng.uniform(1, 90))

    def pipe(self, block: int, place: int, name: str) -> tuple[int, int, int]:
        """(instructions, cycles, cycles of waiting)."""
        total = float(self.cycles[block, place])
        used = int(name in ("MTE2", "MTE3", "Scalar") or self.subs[place].startswith("cube"))
        instructions = used * int(self.rng.randint(1, 5000))
        cycle = used * int(total * self.rng.uniform(0.02, 0.95))
        return instructions, cycle, int(self.rng.randint(0, max(int(total) - cycle, 1)))

    def moved(self, block: int, place: int) -> tuple[int, float]:
        """(bytes to and from main memory, L2 hit rate in percent) of a sub-core."""
        return int(self.rng.randint(1 << 20, 1 << 23)), float(self.rng.uniform(60, 99))

    def roof_point(self, name: str, bandwidth: float, compute: float) -> tuple[float, float]:
        """(operations per byte, share of the roof)."""
        return float(self.rng.uniform(1, 400)), float(self.rng.uniform(0.05, 0.9))

    def set_accesses(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(loads, stores, misses) of each set of the L2 cache."""
        load, store = self.rng.randint(0, 1000, (2, count))
        return load, store, ((load + store) * self.rng.uniform(0.02, 0.4, count)).astype(np.int64)

    def line_accesses(self, line: int) -> tuple[int, int]:
        """(hits, misses) of a line of the L2 cache."""
        hit, miss = (int(value) for value in self.rng.poisson((12 + 8 * np.sin(line / 30), 2.5)))
        return hit, miss

    def line_user(self, first_address: int) -> tuple[int, int]:
        """The first and the last address of instructions that use a line of the L2 cache."""
        start = first_address + 4 * int(self.rng.randint(0, 400))
        return start, start + 4 * int(self.rng.randint(0, 6))

    def stalls(self) -> dict[str, int]:
        """Samples of each reason."""
        return {name: int(self.rng.randint(0, 4000)) for name in STALLS}


def operator(shape: Shape) -> bytes:
    """0x05."""
    micros = shape.cycles / CLOCK_MHZ
    record: dict[str, Any] = {"name": shape.name, "soc": shape.soc, "duration": shape.duration_us, "advice": []}
    record["op_type"] = "aiv" if shape.generation == 1 and shape.type == "vector" else shape.type
    mix = shape.type == "mix"
    key = "mix_block_detail" if mix else "block_detail"
    if not shape.new:
        record |= {"block_dim": shape.blocks, "mix_block_dim": 2 * shape.blocks if mix else -1}
        record[key] = [{"block_id": n, "duration": micros[n].tolist()} for n in range(shape.blocks)]
        return _json(record)
    record |= {"block_dim": str(shape.blocks), "mix_block_dim": str(2 * shape.blocks) if mix else "", "device_id": "0"}
    record |= {"pid": "40021", "cur_freq": f"{CLOCK_MHZ:.0f}", "rated_freq": "1850"}
    record["advice"] = ["The current frequency is lower than the rated frequency"]
    if mix:
        head = ["Block ID", *(f"{sub.capitalize()} Duration (μs)" for sub in shape.subs)]
        rows = [[str(n), *(f"{value:.6f}" for value in micros[n])] for n in range(shape.blocks)]
    else:
        head = ["Block ID", "Core Type", "Duration (μs)"]
        rows = [[str(n), shape.type, f"{micros[n, 0]:.6f}"] for n in range(shape.blocks)]
    size = [len(rows) + 1, len(head)]
    record[key] = {"head_name": head, "row": [{"value": row} for row in rows], "size": size}
    return _json(record)


def workload_graph(shape: Shape) -> bytes:
    """0x06. Shares are fractions in the first generation, percentages in the others."""
    items = []
    for block in range(shape.blocks):
        for place, sub in enumerate(shape.subs):
            total = float(shape.cycles[block, place])
            active = float(shape.active[block, place])
            for name, cycles in _shares(shape, sub, active, shape.waited(block, place)):
                share = cycles / total * (1 if shape.generation == 1 else 100)
                items.append(_item(shape, block, sub, name, 1 if shape.generation == 1 else 3, share, cycles))
    return _json({"advice": [], "subblock_detail": items})


def workload_table(shape: Shape) -> bytes:
    """0x07."""
    items = []
    for block in range(shape.blocks):
        for place, sub in enumerate(shape.subs):
            kind = "Cube" if sub.startswith("cube") else "Vector"
            names = ("All Active", "FP", "INT") if kind == "Cube" else _VECTOR_ROWS
            for name in names:
                value = shape.instructions(block, place, name)
                items.append(_item(shape, block, sub, f"{kind} {name}", 1, value, None))
            items.append(_item(shape, block, sub, f"{kind} Wait", 0, shape.wait_us(block, place), None))
            data = shape.computed(block, place)
            items.append(_item(shape, block, sub, f"{kind} Compute Data Size", 2, data, None))
    return _json({"advice": [], "subblock_detail": items})


def memory_paths(shape: Shape) -> bytes:
    """0x08."""
    entries = []
    for block in range(shape.blocks):
        micros = float(shape.cycles[block].max()) / CLOCK_MHZ
        hit, miss = shape.l2(block)
        ratio = hit / (hit + miss)
        units = [_path(shape, block, path, micros) for path in PATHS[shape.type]]
        entry: dict[str, Any] = {
            "core_no": shape.block_id(block),
            "op_type": shape.type,
            "soc": "910B",
            "advice": ["aivector compute usage lower than 20%"] if shape.new and shape.idle_vectors(block) else [],
            "memory_unit": units,
            "L2cache": {
                "hit": shape.say(hit, 0),
                "miss": shape.say(miss, 0),
                "total_request": shape.say(hit + miss, 0),
                "hit_ratio": shape.say(100 * ratio) if shape.new else ratio,
            },
        }
        if shape.new:
            for place, sub in enumerate(shape.subs):
                total = int(shape.cycles[block, place])
                cycle = int(shape.active[block, place])
                key = {"cube0": "Cube", "cube": "Cube", "vector1": "Vector1"}.get(sub, "Vector")
                entry[key] = {"cycle": cycle, "total_cycles": total, "ratio": 100 * cycle / total}
        entries.append(entry)
    return _json({"core_memory_map": entries})


def memory_tables(shape: Shape) -> bytes:
    """0x09. The second generation's table Pipe has one value more than titles."""
    entries = []
    for block in range(shape.blocks):
        tables = [_cache_table(shape, block), _main_memory_table(shape, block)]
        if any(sub.startswith("cube") for sub in shape.subs):
            tables.append(
                _level_table(shape, block, "L0C", ("L0C Read Cube", "L0C Write Cube", "L0C Write GM", "L0C Write L1"))
            )
        tables += [_pipe_table(shape, block, place) for place in range(len(shape.subs))]
        tables.append(
            _level_table(shape, block, "UB", ("UB Read MTE", "UB Write MTE", "UB Read Vector", "UB Write Vector"))
        )
        advice = ["aicore MTE2 bandwidth utilization lower than 80% when active"] if shape.new else []
        entry = {"block_id": shape.block_id(block), "table_op_type": shape.type}
        entries.append({**entry, "table_detail": tables, "advice": advice})
    return _json({"table_per_block": entries})


def core_load(shape: Shape, simt: bool = False) -> bytes:
    """0x0C."""
    cores = []
    for core in range(shape.blocks):
        details = []
        for place, sub in enumerate(shape.subs):
            kind, number = sub.rstrip("01"), sub[-1] if sub[-1].isdigit() else "0"
            moved, hit_rate = shape.moved(core, place)
            detail: dict[str, Any] = {
                "subcore_type": kind,
                "subcore_id": "0" if kind == "cube" else number,
                "cycles": str(int(shape.cycles[core, place])),
                "throughput": str(moved),
                "L2cache_hit_rate": f"{hit_rate:.6f}",
            }
            if simt and kind == "vector":
                instructions = int(shape.rng.randint(5000, 50000))
                detail["simt_vf_instructions"] = {"instructions": instructions, "instruction_per_cycle": 1.25}
            details.append(detail)
        cores.append({"core_id": core, "core_detail": details})
    slowest, last = divmod(int(shape.cycles.argmax()), len(shape.subs))
    advice = f"\t1) core{slowest} {shape.subs[last]} took more time than other core.\n"
    return _json({"soc": shape.soc, "op_type": shape.type, "advice": advice, "op_detail": cores})


def roofline(shape: Shape) -> bytes:
    """0x0D."""
    charts = []
    for title, roofs in (
        ("GM/L2", (("GM", 0.8), ("L2", 2.4))),
        ("Memory Unit(Cube)", (("L1", 9.6), ("L0A", 19.2), ("L0B", 12.8))),
        ("Pipeline(Vector)", (("MTE2", 1.6), ("MTE3", 1.2))),
    ):
        lines = []
        for name, bandwidth in roofs:
            compute, name_of_unit = (280.0, "Cube FP16") if "Vector" not in title else (8.4, "Vector FP32")
            x, ratio = shape.roof_point(name, bandwidth, compute)
            y = ratio * min(x * bandwidth, compute)
            line = {"bw": bandwidth, "bw_name": name, "computility": compute, "computility_name": name_of_unit}
            lines.append({**line, "point": [x, y], "ratio": f"{ratio:.6f}"})
        charts.append({"title": title, "rooflines": lines})
    return _json({"advice": "latency bound:memory caused", "multiple_rooflines": charts})


def cache_lines(shape: Shape, count: int = 512, first_address: int = FIRST_ADDRESS) -> bytes:
    """0x0E."""
    records = []
    for line in range(count):
        hit, miss = shape.line_accesses(line)
        start, end = shape.line_user(first_address)
        ranges = [[hex(start), hex(end)]]
        total = hit + miss
        sides = {
            key: {"Value": [n, n / total if total else 0.0], "Address Range": ranges if n else []}
            for key, n in (("Hit", hit), ("Miss", miss))
        }
        records.append({"Cacheline Id": line, **sides})
    return _json({"Cacheline Records": records})


def stall_reasons(shape: Shape) -> bytes:
    """0x0F."""
    return _json({"top_stall_reason_table": shape.stalls()})


def memory_accesses(shape: Shape, count: int = 200, *, in_bytes: bool = True) -> bytes:
    """0x0A, with its length in bytes or in records."""
    parts = []
    for record in range(count):
        kind = int(shape.rng.choice((3, 4)))
        place = 0x12C000000000 + 512 * int(shape.rng.randint(0, 4096))
        pc = FIRST_ADDRESS + 4 * int(shape.rng.randint(0, 100))
        parts.append(struct.pack("<BbbBIQQQ", kind, record % shape.blocks, 1, 1, record, place, 512, pc))
    stacks = [
        {
            "Address": hex(FIRST_ADDRESS + 4 * n),
            "ModuleName": "matmul_leaky.o",
            "Symbol": [{"Line": 70 + n, "Column": 9, "FileName": KERNEL, "FunctionName": "Multiply"}],
        }
        for n in range(100)
    ]
    text = _json(stacks)
    length = 32 * count if in_bytes else count
    return struct.pack("<Q", length) + b"".join(parts) + struct.pack("<Q", len(text)) + text


def cache_sets(shape: Shape, count: int = 256) -> bytes:
    """0x0B."""
    load, store, miss = shape.set_accesses(count)
    allocate = (miss * shape.rng.uniform(0.6, 1, count)).astype(np.int64)
    written = (allocate * shape.rng.uniform(0, 0.5, count)).astype(np.int64)
    columns = (load, store, np.arange(count), load + store - miss, miss, allocate, written, allocate - written)
    return np.stack(columns, axis=1).astype("<u4").tobytes()


def _shares(shape: Shape, sub: str, active: float, wait: float) -> list[tuple[str, float]]:
    """(name, cycles) of the graph's rows."""
    if shape.generation < 3:
        return [("ALL_ACTIVE", active)]
    if sub.startswith("cube"):
        return [("Cube All Active", active), ("Cube FP", active), ("Cube INT", 0.0), ("Cube Wait", wait)]
    suffix = sub[-1] if sub[-1].isdigit() else ""
    return [(f"Vector All Active{suffix}", active)]


def _item(
    shape: Shape, block: int, sub: str, name: str, unit: int, value: float, cycles: float | None
) -> dict[str, Any]:
    own: dict[str, Any] = {"name": name, "unit": unit}
    own["value"] = round(value, 2) if cycles is not None or not shape.new else shape.say(value, 0)
    if cycles is not None and shape.generation > 1:
        own["origin_value"] = cycles
    outer = {"block_id": shape.block_id(block), "block_type": sub}
    return {**outer, "data_detail": own} if shape.generation == 1 else {**outer, **own}


def _path(shape: Shape, block: int, path: int, micros: float) -> dict[str, Any]:
    requests, bandwidth, share = shape.path(block, path, micros)
    peak: Any = shape.say(share)
    if path in (0, 1, 4, 5, 6, 7, 8, 11, 14, 15, 18, 19) and shape.new:
        peak = "NA"
    unit = {"memory_path": path, "request": shape.say(requests, 0), "bandwidth": shape.say(bandwidth)}
    unit |= {"peak_ratio": peak, "display": 1}
    if path == 1 and shape.new:
        unit["bandwidth_suffix"] = "(theoretical value)"
    return unit


def _cache_table(shape: Shape, block: int) -> dict[str, Any]:
    write, read, instruction = shape.cached(block)
    rows = []
    for name, (hit, miss) in (
        ("L2 Cache Write", write),
        ("L2 Cache Read", read),
        ("L2 Cache Total", (write[0] + read[0], write[1] + read[1])),
        ("iCache Total", instruction),
    ):
        ratio = float(hit) / float(hit + miss)
        values = [shape.say(int(count), 0) for count in (hit, miss, hit + miss)]
        rows.append({"name": name, "value": [*values, shape.say(100 * ratio) if shape.new else ratio]})
    title = "hit rate(%)" if shape.new else "hit rate"
    return _table("Cache", ["", "hit", "miss", "total", title], rows)


def _main_memory_table(shape: Shape, block: int) -> dict[str, Any]:
    rows = []
    for name in ("Read Main Memory", "Write Main Memory"):
        requests, throughput = shape.main_memory(block, name)
        rows.append({"name": name, "value": [shape.say(requests, 0), shape.say(throughput)]})
    rows.append({"name": "L1 Write L0A/L0B", "value": ["NA", "N/A"] if shape.new else [-1, -1]})
    title = "throughput(GB/s)" if shape.new else "throughput"
    return _table("GM Cube" if shape.type == "mix" else "GM", ["", "requests", title], rows)


def _pipe_table(shape: Shape, block: int, place: int) -> dict[str, Any]:
    total = float(shape.cycles[block, place])
    rows = []
    for name in ("MTE1", "MTE2", "MTE3", "FIXP", "Scalar"):
        instructions, cycle, wait = shape.pipe(block, place, name)
        share = cycle / total
        values: list[Any]
        if shape.new:
            values = [str(instructions), str(cycle), str(wait), f"{100 * share:.6f}"]
        else:
            values = [instructions, cycle, 0.0, int(total), share]
        rows.append({"name": name, "value": values})
    third = "wait cycles" if shape.new else "throughput"
    title = {"cube0": "Pipe Cube", "vector0": "Pipe Vector Core0", "vector1": "Pipe Vector Core1"}
    return _table(title.get(shape.subs[place], "Pipe"), ["", "instructions", "cycle", third, "active rate(%)"], rows)


def _level_table(shape: Shape, block: int, name: str, rows: tuple[str, ...]) -> dict[str, Any]:
    """A memory level with requests, throughput and peak share."""
    made = []
    for row in rows:
        requests, throughput, share = shape.level(block, row)
        made.append({"name": row, "value": [shape.say(requests, 0), shape.say(throughput), shape.say(share)]})
    speed = "throughput(GB/s)" if shape.new else "throughput"
    return _table(name, ["", "requests", speed, "peak(%)"], made)


def _table(name: str, header: list[str], rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"table_name": name, "header_name": header, "row": rows, "size": [len(rows), len(header) - 1]}


def _json(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
