"""Seeded operator traces like those of the Ascend simulator (Ascend operator files, section 4).

``python -m generators.ascend_trace OUT.json EVENTS [CORES]`` writes one; a million events are about 266 MB.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import orjson

CLOCK_MHZ = 1850.0
ROUND = 20_000
"""Cycles of a round; rounds are written core after core, so times are not sorted. All pipes of a core wait for each
other at its end."""

PIPES = {
    "SCALAR": (
        "startup",
        ("MOV_XD_IMM", "ADD", "ADD_IMM", "LD_XD_XN_IMM", "ST_XD_XN_IMM", "CMP_IMM", "JUMPC", "LSL_IMM"),
    ),
    "FLOWCTRL": ("cq_build_passed", ("BAR", "NOP", "SET_FFTS_BASE", "END")),
    "MTE1": ("thread_state_running", ("LOAD_2D", "LOAD_3DV2", "MOV_L1_TO_BT")),
    "CUBE": ("background_memory_dump", ("MMAD",)),
    "FIXP": ("thread_state_unknown", ("FIX_L0C_TO_OUT", "FIX_L0C_TO_L1")),
    "MTE2": ("thread_state_iowait", ("MOV_OUT_TO_UB_ALIGN", "MOV_OUT_TO_L1_MULTI_ND2NZ", "ND_DMA_OUT_TO_UB")),
    "VECTOR": ("cq_build_failed", ("VADD", "VMUL", "VMULS", "VEXP", "VCADD", "VMAX", "VCONV_F322F16", "VSEL", "VDIV")),
    "MTE3": ("rail_response", ("MOV_UB_TO_OUT_ALIGN", "MOV_UB_TO_L1")),
}
ORDER = {"SCALAR": 1, "FLOWCTRL": 2, "MTE1": 3, "CUBE": 4, "FIXP": 5, "MTE2": 6, "VECTOR": 7, "MTE3": 8}
CUBE_PIPES = ("SCALAR", "FLOWCTRL", "MTE1", "CUBE", "FIXP", "MTE2")
VECTOR_PIPES = ("SCALAR", "FLOWCTRL", "MTE2", "VECTOR", "MTE3")
SUB_CORES = ("cubecore0", "veccore0", "veccore1")
PROGRAM = 48
"""Different instructions of each pipe."""

KERNEL = "/src/op_kernel/flash_attention_score.cpp"

CYCLES = {"SCALAR": 12, "FLOWCTRL": 30, "MTE1": 60, "CUBE": 160, "FIXP": 180, "MTE2": 200, "VECTOR": 48, "MTE3": 160}
IDLE = {"SCALAR": 0.6, "FLOWCTRL": 4, "MTE1": 0.8, "CUBE": 0.35, "FIXP": 2, "MTE2": 0.25, "VECTOR": 0.5, "MTE3": 1.5}
"""Of each pipe: mean cycles of an instruction, and the mean gap behind it as a share of that."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One line of the made-up kernel: what its slices carry."""

    address: int
    pipe: str
    name: str
    file: str
    line: int

    @property
    def code(self) -> str:
        """The call stack, innermost place first."""
        return f"{self.file}:{self.line}\n{KERNEL}:{self.line // 3 + 40}"


@dataclass(slots=True)
class Summary:
    """What was written; the truth that tests compare with."""

    events: int = 0
    slices: int = 0
    flows: int = 0
    counter_points: int = 0
    lanes: set[tuple[str, str]] = field(default_factory=set)
    categories: set[str] = field(default_factory=set)


def program(pipe: str) -> list[Instruction]:
    """The instructions of ``pipe``, by rising address."""
    base = 0x11000000 + ORDER[pipe] * 0x1000
    names = PIPES[pipe][1]
    file = f"/src/include/{pipe.lower()}_impl.h"
    return [Instruction(base + 4 * i, pipe, names[i * 7 % len(names)], file, 100 + 3 * i) for i in range(PROGRAM)]


def chunks(events: int, cores: int = 2, seed: int = 0, summary: Summary | None = None) -> Iterator[bytes]:
    """The text of a trace of about ``events`` events (some more), piece by piece."""
    counts = Summary() if summary is None else summary
    rng = np.random.RandomState(seed)  # its stream never changes between versions of numpy
    subs = [(core, sub) for core in range(cores) for sub in range(len(SUB_CORES))]
    made = [_SubCore(core, sub, rng) for core, sub in subs]
    yield b'{"displayTimeUnit":"ns","profilingType":"op","schemaVersion":2,"traceEvents":['
    yield b",".join(line for sub in made for line in sub.metadata(counts))
    rate = sum(1 / _period(pipe) for sub in made for pipe in sub.pipes)
    while counts.events < events:
        span = min(ROUND, max(600, (events - counts.events) / rate))
        begin = max(sub.clock for sub in made)
        for sub in made:
            yield b"".join(b"," + line for line in sub.round(rng, span, counts))
        yield b"".join(b"," + line for line in _counters(rng, begin, max(sub.clock for sub in made), counts))
    yield b"]}"


def write(path: Path, events: int = 10_000, cores: int = 2, seed: int = 0) -> Summary:
    """Writes a trace to ``path``; tells what is in it."""
    counts = Summary()
    with path.open("wb") as file:
        for chunk in chunks(events, cores, seed, counts):
            file.write(chunk)
    return counts


def _period(pipe: str) -> float:
    """Cycles from one instruction of a pipe to the next, on average."""
    return CYCLES[pipe] * (1 + IDLE[pipe])


class _SubCore:
    """One process lane: its pipes run side by side, each at its own clock (in cycles)."""

    def __init__(self, core: int, sub: int, rng: np.random.RandomState) -> None:
        self.pid = f"core{core}.{SUB_CORES[sub]}"
        self.index = 3 * core + 1 + sub
        self.pipes = CUBE_PIPES if sub == 0 else VECTOR_PIPES
        self.programs = {pipe: program(pipe) for pipe in self.pipes}
        self.clock = int(rng.randint(200, 900))
        self.flags = 0

    def metadata(self, counts: Summary) -> Iterator[bytes]:
        """Sort orders, as producers of schema version 2 write them."""
        yield _line({"name": "process_sort_index", "ph": "M", "pid": self.pid, "args": {"sort_index": self.index}})
        for pipe in self.pipes:
            counts.lanes.add((self.pid, pipe))
            args = {"sort_index": ORDER[pipe]}
            yield _line({"name": "thread_sort_index", "ph": "M", "pid": self.pid, "tid": pipe, "args": args})

    def round(self, rng: np.random.RandomState, span: float, counts: Summary) -> Iterator[bytes]:
        """What each pipe does in about ``span`` cycles, and the flags between a transfer and what uses it."""
        times = {pipe: self._lane(rng, pipe, max(1, int(span / _period(pipe)))) for pipe in self.pipes}
        self.clock = int(max((start + cycles).max() for start, cycles in times.values())) + 20
        for pipe in self.pipes:
            start, cycles = times[pipe]
            step = int(rng.randint(PROGRAM))
            operands = rng.randint(0, 1 << 16, len(start)).tolist()
            values = zip(_micros(start), _micros(cycles), operands, strict=True)
            for number, (ts, dur, operand) in enumerate(values, step):
                yield self._instruction(self.programs[pipe][number % PROGRAM], ts, dur, operand)
            counts.events += len(start)
            counts.slices += len(start)
        user = "CUBE" if "CUBE" in self.pipes else "VECTOR"
        yield from self._flags(times["MTE2"], times[user], "MTE2", user, counts)

    def _lane(self, rng: np.random.RandomState, pipe: str, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Starts and cycles. Of the transfers of MTE2 some begin before the one before them has ended."""
        cycles = rng.geometric(1.0 / CYCLES[pipe], count)
        idle = rng.geometric(1.0 / max(1.0, CYCLES[pipe] * IDLE[pipe]), count)
        if pipe == "MTE2":
            idle = np.where(rng.rand(count) < 0.06, -cycles // 3, idle)
        begin = self.clock + np.cumsum(cycles + idle) - cycles
        return np.maximum(begin, self.clock), cycles

    def _instruction(self, made: Instruction, ts: bytes, dur: bytes, operand: int) -> bytes:
        detail = f"XD:X{operand % 32}=0x{operand:x},N:{operand % 61}"
        args = {"pc_addr": f"0x{made.address:x}", "code": made.code, "detail": detail}
        head = orjson.dumps({"args": args, "cname": PIPES[made.pipe][0]})[:-1]
        tail = orjson.dumps({"name": made.name, "ph": "X", "pid": self.pid, "tid": made.pipe})[1:-1]
        return b'%b,"dur":%b,%b,"ts":%b}' % (head, dur, tail, ts)

    def _flags(
        self,
        producer: tuple[np.ndarray, np.ndarray],
        consumer: tuple[np.ndarray, np.ndarray],
        setter: str,
        waiter: str,
        counts: Summary,
    ) -> Iterator[bytes]:
        """Every sixth transfer sets a flag that the other pipe waits for."""
        pick = slice(1, None, 6)
        done = producer[0][pick] + producer[1][pick]
        users = consumer[0][np.minimum(np.searchsorted(consumer[0], done), len(consumer[0]) - 1)]
        waits = np.maximum(users - 5, done)  # it ends when the instruction that needs the data begins
        category = f"{setter}To{waiter}"
        counts.categories.add(category)
        for flag, (set_, wait) in enumerate(zip(done.tolist(), waits.tolist(), strict=True), self.flags):
            key = f"{self.pid}_{flag}"
            detail = {"detail": f"PIPE:{setter},TRIGGERPIPE:{waiter},FLAGID:{flag % 8},"}
            for name, tid, begin, end in (("SET_FLAG", setter, set_, set_ + 2), ("WAIT_FLAG", waiter, wait, wait + 5)):
                place = {"id": key, "name": name, "pid": self.pid, "tid": tid}
                yield _line({"args": detail, "ph": "B", "ts": micro(begin), **place})
                yield _line({"ph": "E", "ts": micro(end), **place})
            for ph, tid, at in (("s", setter, set_ + 2), ("t", waiter, wait + 5)):
                yield _line(
                    {
                        "cat": category,
                        "id": key,
                        "name": category,
                        "ph": ph,
                        "pid": self.pid,
                        "tid": tid,
                        "ts": micro(at),
                    }
                )
        self.flags += len(done)
        counts.events += 6 * len(done)
        counts.slices += 2 * len(done)
        counts.flows += len(done)


def _counters(rng: np.random.RandomState, begin: int, end: int, counts: Summary) -> Iterator[bytes]:
    """Four points a counter over a round, in whole microseconds; a counter at 0 would be passed over."""
    for name in ("GM_TO_UB", "GM_TO_L1", "UB_TO_GM"):
        for step in range(4):
            args = {"throughput(MB/s)": int(rng.randint(0, 90_000))}
            ts = max(1, int((begin + (step + 1) * (end - begin) / 4) / CLOCK_MHZ))
            yield _line({"args": args, "name": name, "ph": "C", "pid": "MTE Throughput", "tid": name, "ts": ts})
            counts.events += 1
            counts.counter_points += 1


def _micros(cycles: np.ndarray) -> list[bytes]:
    """Microseconds, with the single precision that the simulator computes them in."""
    single = (cycles / CLOCK_MHZ).astype(np.float32)
    return orjson.dumps(single.astype(np.float64), option=orjson.OPT_SERIALIZE_NUMPY)[1:-1].split(b",")


def micro(cycles: int, clock: float = CLOCK_MHZ) -> float:
    """Microseconds at ``clock`` (MHz), with the single precision that the simulator computes them in."""
    return float(np.float32(cycles / clock))


def _line(event: dict[str, object]) -> bytes:
    return orjson.dumps(event)


if __name__ == "__main__":
    print(write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 16))
