"""Seeded Ascend operator files (visualize_data.bin): any generation, any blocks, any number of instructions.

``python -m generators.ascend_bin OUT.bin [INSTRUCTIONS [CORES [EVENTS]]]`` writes one.
"""

from __future__ import annotations

import io
import struct
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import orjson

from generators import ascend_details as details
from generators import ascend_trace
from generators.ascend_details import STALLS, Shape
from generators.ascend_kernel import KERNEL, Instruction, instructions, texts
from generators.ascend_trace import CYCLES

HEADER = struct.Struct("<QBBBB")
CUBE_PIPES = frozenset({"MTE1", "CUBE", "FIXP"})
VECTOR_PIPES = frozenset({"VECTOR", "MTE3"})
_BATCH = 2000

LINE_TYPES = {
    "Address Range": 0,
    "Cycles": 1,
    "GPR Count": 1,
    "Instructions Executed": 1,
    "Line": 1,
    "Process Bytes": 1,
}
INSTRUCTION_TYPES = {
    "Address": 3,
    "AscendC Inner Code": 3,
    "Cycles": 1,
    "GPR Count": 1,
    "Instructions Executed": 1,
    "Pipe": 3,
    "Process Bytes": 1,
    "RealStallCycles": 1,
    "Source": 3,
    "UB Read Conflict": 1,
    "UB Write Conflict": 1,
    "Vector Utilization Percentage": 4,
}
DEVICE_TYPES = {
    "Address": 3,
    "AscendC Inner Code": 3,
    "GPR Status": 5,
    "Instructions Executed": 1,
    "L2Cache Hit Rate": 4,
    "Pipe": 3,
    "Source": 3,
    "Stall Sampling(All Samples)": 100,
    "Stall Sampling(Not Issue)": 100,
}


def block(kind: int, payload: bytes, *, path: str = "", version: int = 0x5A) -> bytes:
    """One block (Ascend operator files, section 1.1)."""
    return b"".join(block_parts(kind, [payload], path=path, version=version))


def block_parts(kind: int, parts: Sequence[bytes], *, path: str = "", version: int = 0x5A) -> Iterator[bytes]:
    size = sum(map(len, parts))
    padding = -size % 4
    yield HEADER.pack(size + padding, kind, padding, version, 0x5A)
    if kind == 0x01:
        yield path.encode()[:4095].ljust(4096, b"\0")
    yield from parts
    yield bytes(padding)


def core_names(cores: int, sub_cores: Sequence[str] = ("cubecore0", "veccore0", "veccore1")) -> list[str]:
    return [f"core{core}.{sub}" for core in range(cores) for sub in sub_cores]


@dataclass(frozen=True)
class Program:
    """``count`` instructions that repeat those of the made-up kernel at rising addresses; 0 stands for one time
    all."""

    cores: tuple[str, ...]
    count: int = 0
    seed: int = 0
    typed: bool = True

    @property
    def total(self) -> int:
        return self.count or len(instructions())

    def at(self, index: int) -> Instruction:
        made = instructions()
        known = made[index % len(made)]
        return Instruction(made[0].address + 4 * index, known.pipe, known.name, known.file, known.line)

    def costs(self, begin: int, end: int) -> dict[str, np.ndarray]:
        """Columns [end - begin, cores] of instructions begin .. end - 1."""
        rng = np.random.RandomState((self.seed * 1_000_003 + begin) % (1 << 32))
        made = instructions()
        pipes = [made[index % len(made)].pipe for index in range(begin, end)]
        runs = np.array([[_runs(pipe, core) for core in self.cores] for pipe in pipes])
        cycles = np.array([CYCLES[pipe] for pipe in pipes])[:, None] * runs * rng.uniform(0.7, 1.5, runs.shape)
        vector = np.array([pipe == "VECTOR" for pipe in pipes])[:, None]
        return {
            "Instructions Executed": runs,
            "Cycles": cycles.astype(np.int64),
            "RealStallCycles": (cycles * rng.uniform(0, 0.4, runs.shape)).astype(np.int64),
            "GPR Count": np.where(runs > 0, rng.randint(1, 9, runs.shape), 0),
            "Process Bytes": np.where(np.isin(pipes, ("MTE1", "MTE2", "MTE3", "FIXP"))[:, None], 512 * runs, -1),
            "Vector Utilization Percentage": np.where(vector, rng.uniform(20, 100, runs.shape).round(2), -1),
            "UB Read Conflict": np.where(vector, rng.randint(0, 4, runs.shape), -1),
            "UB Write Conflict": np.where(vector, rng.randint(0, 4, runs.shape), -1),
        }

    def instruction_json(self) -> Iterator[bytes]:
        """0x04, piece by piece, as the simulator writes it."""
        yield b'{"Cores":%b,"Instructions":[' % orjson.dumps(self.cores)
        for begin in range(0, self.total, _BATCH):
            end = min(begin + _BATCH, self.total)
            costs = self.costs(begin, end)
            if not self.typed:
                costs = {key: costs[key].astype(np.float64) for key in ("Cycles", "Instructions Executed")}
            lists = {key: column.tolist() for key, column in costs.items()}
            records = [self._record(index, index - begin, lists) for index in range(begin, end)]
            yield (b"," if begin else b"") + orjson.dumps(records)[1:-1]
        yield b'],"Instructions Dtype":%b}' % orjson.dumps({"Instructions": INSTRUCTION_TYPES}) if self.typed else b"]}"

    def lines(self) -> dict[str, dict[int, list[list[int]]]]:
        """Address ranges by file and line."""
        ranges_of: dict[str, dict[int, list[list[int]]]] = {}
        for index in range(self.total):
            made = self.at(index)
            ranges = ranges_of.setdefault(made.file, {}).setdefault(made.line, [])
            if ranges and ranges[-1][1] == made.address - 4:
                ranges[-1][1] = made.address
            else:
                ranges.append([made.address, made.address])
        return ranges_of

    def line_json(self) -> bytes:
        """0x03: what the instructions of each line cost together."""
        sums: dict[tuple[str, int], dict[str, np.ndarray]] = {}
        names = ("Cycles", "Instructions Executed") + (("GPR Count", "Process Bytes") if self.typed else ())
        for begin in range(0, self.total, _BATCH):
            end = min(begin + _BATCH, self.total)
            costs = self.costs(begin, end)
            for index in range(begin, end):
                made = self.at(index)
                line = sums.setdefault((made.file, made.line), {})
                for name in names:
                    value = np.maximum(costs[name][index - begin], 0)
                    line[name] = line.get(name, 0) + value
        files = []
        for file, lines in self.lines().items():
            rows: list[dict[str, Any]] = []
            for number, ranges in sorted(lines.items()):
                columns = {name: sums[file, number][name].tolist() for name in names}
                hexes = [[hex(low), hex(high)] for low, high in ranges]
                rows.append({"Address Range": hexes, **columns, "Line": number})
            files.append({"Lines": rows, "Source": file})
        record: dict[str, Any] = {"Cores": self.cores, "Files": files}
        if self.typed:
            record["Files Dtype"] = {"Lines": LINE_TYPES}
        return orjson.dumps(record)

    def _record(self, index: int, row: int, lists: dict[str, list[Any]]) -> dict[str, Any]:
        made = self.at(index)
        texts_ = {
            "Address": hex(made.address),
            "AscendC Inner Code": f"{made.file}:{made.line}",
            "Pipe": made.pipe,
            "Source": made.text,
        }
        return texts_ | {key: column[row] for key, column in lists.items()}


def device_instructions(count: int = 40, seed: int = 0) -> bytes:
    """0x04 as the on-device producer writes it: one core, stall samples, register states, no cycles."""
    rng = np.random.RandomState(seed)
    records = []
    for made in instructions()[:count]:
        reasons = (*STALLS, "Active")
        samples = {reason: int(n) for reason, n in zip(reasons, rng.randint(0, 30, len(reasons)), strict=True) if n}
        waiting = {reason: n for reason, n in samples.items() if reason != "Active"}
        states = [
            {"regIndex": f"R{n}", "regStatus": int(rng.randint(1, 5)), "survivalTime": int(rng.randint(1, 9))}
            for n in range(rng.randint(0, 3))
        ]
        records.append(
            {
                "Address": hex(made.address),
                "AscendC Inner Code": f"{made.file}:{made.line}",
                "GPR Status": states,
                "Instructions Executed": [int(rng.randint(1, 400))],
                "L2Cache Hit Rate": [float(rng.uniform(0, 100)) if made.pipe == "MTE2" else -1],
                "Pipe": made.pipe,
                "Source": made.text,
                "Stall Sampling(All Samples)": [{"Percent": sum(samples.values()) / 5000, "Details": samples}],
                "Stall Sampling(Not Issue)": [{"Percent": sum(waiting.values()) / 4000, "Details": waiting}],
            }
        )
    return orjson.dumps(
        {"Cores": ["ALL"], "Instructions Dtype": {"Instructions": DEVICE_TYPES}, "Instructions": records}
    )


def detail_blocks(shape: Shape) -> list[bytes]:
    """Blocks 05 to 09, 0C and (third generation) 0D, 0E, 0F, in the producer's order."""
    made = [
        block(0x05, details.operator(shape)),
        block(0x06, details.workload_graph(shape)),
        block(0x07, details.workload_table(shape)),
    ]
    if shape.generation == 1:
        return made
    made += [block(0x08, details.memory_paths(shape)), block(0x09, details.memory_tables(shape))]
    if shape.generation == 2:
        return made
    made += [block(0x0C, details.core_load(shape)), block(0x0D, details.roofline(shape))]
    return [*made, block(0x0E, details.cache_lines(shape)), block(0x0F, details.stall_reasons(shape))]


def source_blocks(program: Program, *, version: int = 0x00) -> list[bytes]:
    """Blocks 01 (the kernel's text twice, as on-device producers repeat it), 03 and 04."""
    written = texts()
    made = [block(0x01, b"// an earlier copy\n", path=KERNEL)]
    made += [block(0x01, text.encode(), path=path) for path, text in written.items()]
    made.append(block(0x03, program.line_json()))
    parts = list(program.instruction_json())
    return [*made, b"".join(block_parts(0x04, parts, version=version))]


def trace_block(events: int, cores: int, seed: int = 0) -> bytes:
    return block(0x02, b"".join(ascend_trace.chunks(events, cores, seed)))


def small(generation: int = 3, seed: int = 0, blocks: int = 4) -> bytes:
    """Some kB with every block that the generation has."""
    shape = Shape(generation=generation, seed=seed, blocks=blocks, type="mix" if generation == 3 else "vector")
    made = detail_blocks(shape)
    if generation == 3:
        made = [*source_blocks(Program(tuple(core_names(2)), seed=seed)), *made, trace_block(600, 2, seed)]
        made += [block(0x0A, details.memory_accesses(shape)), block(0x0B, details.cache_sets(shape))]
    return b"".join(made)


def write(path: Path, count: int, cores: int = 1, events: int = 0, seed: int = 0) -> int:
    """A file with ``count`` instructions on ``cores`` cores (of three sub-cores each), its lines, texts, details
    and, if wanted, a trace; never all in memory. Returns its size."""
    program = Program(tuple(core_names(cores)), count, seed)
    with path.open("wb") as file:
        for path_, text in texts().items():
            file.write(block(0x01, text.encode(), path=path_))
        file.write(block(0x03, program.line_json()))
        _stream(file, 0x04, program.instruction_json(), version=0)
        file.write(b"".join(detail_blocks(Shape(seed=seed, blocks=max(cores, 2)))))
        if events:
            _stream(file, 0x02, ascend_trace.chunks(events, cores, seed))
        return file.tell()


def _stream(file: BinaryIO, kind: int, pieces: Iterable[bytes], *, version: int = 0x5A) -> None:
    """A block whose size is known only when it is written."""
    begin = file.tell()
    file.write(HEADER.pack(0, kind, 0, version, 0x5A))
    size = sum(file.write(piece) for piece in pieces)
    padding = -size % 4
    file.write(bytes(padding))
    file.seek(begin)
    file.write(HEADER.pack(size + padding, kind, padding, version, 0x5A))
    file.seek(0, io.SEEK_END)


def _runs(pipe: str, core: str) -> int:
    """How often a core runs an instruction of a pipe."""
    vector = "vec" in core
    if (pipe in CUBE_PIPES and vector) or (pipe in VECTOR_PIPES and not vector):
        return 0
    return 16


if __name__ == "__main__":
    wanted = [int(word) for word in sys.argv[2:]]
    print(f"{write(Path(sys.argv[1]), *(wanted or [100_000])):,} bytes")
