"""Seeded traces of instruction simulators whose arguments do not repeat: register values in ``detail``, a program
counter of its own for every event, call stacks of different depths.

``ascend_trace`` makes the trace of one small loop; here what it holds constant varies: lanes, names, digits of times,
arrows, the nesting of arguments.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import orjson

from generators.event_writing import Event

Times: TypeAlias = Literal["single", "nanoseconds", "whole", "epoch", "quoted epoch"]
Names: TypeAlias = Literal["few", "many", "foreign"]

CLOCK_MHZ = 1850.0
EPOCH = 1_718_180_919_106_042
"""Microseconds since 1970."""
SOURCES = ("flash_attention_score", "matmul_impl", "kernel_operator_vec_binary_impl", "layer_norm_grad", "tiling_data")
PIPES = (
    ("SCALAR", "startup", "XD:X%d=0x%x,XN:X%d=0x%x,IMM:0x%x"),
    ("VECTOR", "cq_build_failed", "DST:UB+0x%x,SRC0:UB+0x%x,SRC1:UB+0x%x,REPEAT:%d,MASK:0x%016x,DTYPE:F16"),
    ("CUBE", "background_memory_dump", "DST:L0C+0x%x,LEFT:L0A+0x%x,RIGHT:L0B+0x%x,M:%d,K:%d,N:%d"),
    ("MTE2", "thread_state_iowait", "DST:UB+0x%x,SRC:GM+0x%x,BURST:%d,LEN:%d,SRC_GAP:%d,DST_GAP:%d"),
    ("MTE1", "thread_state_running", "DST:L0A+0x%x,SRC:L1+0x%x,REPEAT:%d,SRC_STRIDE:%d"),
    ("FIXP", "thread_state_unknown", "DST:GM+0x%x,SRC:L0C+0x%x,QUANT:0x%x,N_SIZE:%d,M_SIZE:%d"),
    ("MTE3", "rail_response", "DST:GM+0x%x,SRC:UB+0x%x,BURST:%d,LEN:%d"),
    ("FLOWCTRL", "cq_build_passed", "PIPE:%d,FLAGID:%d,X31=0x%x"),
)
"""Pipe, its colour name, and how its operands are written."""
NAMES = ("ADD", "MOV_XD_IMM", "LD_XD_XN_IMM", "VADD", "VMULS", "MMAD", "MOV_OUT_TO_UB_ALIGN", "LOAD_2D", "BAR", "JUMPC")
FOREIGN = (
    "矩阵乘法",
    "层归一化·反向",
    "キャッシュ転送",
    "Größe prüfen",
    "умножение матриц",
    "🚀 launch 𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
    "é\u0301tape",
)
BATCH = 4096
PLACES = 6000
"""Different call stacks."""
WARPS = 64
"""Lanes of a vector core that runs threads."""


@dataclass(frozen=True, slots=True)
class Shape:
    """``lanes``: on which the slices lie; ``names``: a few, many, or few that are not ASCII (lanes too); ``times``: how
    long their digits are (single precision as float64, three digits, whole, since 1970); ``arrows``: one leads from
    each slice to the next on another lane; ``nested``: arguments hold objects and lists."""

    lanes: int = 80
    names: Names = "few"
    times: Times = "single"
    arrows: bool = False
    nested: bool = False


def events(count: int, seed: int = 0, shape: Shape | None = None) -> Iterator[Event]:
    """About ``count`` events (some more: metadata); slices of a lane do not overlap."""
    shape = shape or Shape()
    rng, dice = np.random.RandomState(seed), random.Random(seed)  # its stream never changes
    made = _Program(shape, dice)
    yield from made.metadata()
    per_slice = 3 if shape.arrows else 1
    number, slices = 0, max(1, count // per_slice)
    while number < slices:
        room = min(BATCH, slices - number)
        values = rng.randint(0, 1 << 62, (room, 8)).tolist()
        lengths = rng.geometric(1 / 40, room).tolist()
        for row, length in zip(values, lengths, strict=True):
            yield from made.slice(number, row, length)
            number += 1


class _Program:
    def __init__(self, shape: Shape, dice: random.Random) -> None:
        self.shape = shape
        self.dice = dice
        self.lanes = [_lane(number, shape) for number in range(shape.lanes)]
        self.clocks = [dice.randint(0, 900) for _ in self.lanes]
        self.code = [_call_stack(dice) for _ in range(PLACES)]
        self.names = list(FOREIGN if shape.names == "foreign" else NAMES)
        self.time, self.length = TIMES[shape.times]
        self.begun: tuple[int, str, str] | None = None

    def metadata(self) -> Iterator[Event]:
        for order, process in enumerate(dict.fromkeys(process for process, _ in self.lanes)):
            args = {"sort_index": order}
            yield {"args": args, "name": "process_sort_index", "ph": "M", "pid": process}

    def slice(self, number: int, values: list[int], length: int) -> Iterator[Event]:
        """The slice, with the arrow that ends at it."""
        lane = values[0] % len(self.lanes)
        process, thread = self.lanes[lane]
        _, colour, form = PIPES[lane % len(PIPES)]
        begin = self.clocks[lane]
        self.clocks[lane] = begin + length + values[1] % 9
        name = self.names[values[2] % len(self.names)]
        if self.shape.names == "many":
            name = f"{name}_{number:x}"
        yield {
            "args": self.args(number, values, form),
            "cname": colour,
            "dur": self.length(length),
            "name": name,
            "ph": "X",
            "pid": process,
            "tid": thread,
            "ts": self.time(begin),
        }
        if self.shape.arrows:
            yield from self.arrow(number, begin, process, thread)

    def arrow(self, number: int, at: int, process: str, thread: str) -> Iterator[Event]:
        before, self.begun = self.begun, (at, process, thread)
        ends = (("s", before or (at, process, thread)), ("t", (at, process, thread)))
        for phase, (when, pid, tid) in ends:
            yield {
                "cat": "MTE2ToVECTOR",
                "id": f"{process}_{number}",
                "name": "MTE2ToVECTOR",
                "ph": phase,
                "pid": pid,
                "tid": tid,
                "ts": self.time(when),
            }

    def args(self, number: int, values: list[int], form: str) -> Event:
        """What the instruction was, with values that no other one has."""
        operands = tuple(value >> shift for value, shift in zip(values[2:], (57, 31, 56, 47, 33, 6), strict=True))
        args: Event = {
            "code": self.code[values[3] % PLACES],
            "detail": form % operands[: form.count("%")],
            "pc_addr": f"0x{0x11000000 + 4 * number:x}",
        }
        if self.shape.nested:
            state = {f"X{k}": f"0x{value:x}" for k, value in enumerate(operands)}
            args |= {"registers": state, "memory": [{"at": value, "bytes": [32, 64, []]} for value in operands[:3]]}
        if number % 16 == 5:
            args["process_bytes"] = f"{values[4] % 65536}"
        return args


def _lane(number: int, shape: Shape) -> tuple[str, str]:
    """Pipes of sub-cores while there are few lanes, else warps."""
    if shape.names == "foreign":
        return f"核心{number // 8}.矢量", f"{PIPES[number % 8][0]} 流水线"
    if shape.lanes <= 512:
        return f"core{number // 24}.{('cubecore0', 'veccore0', 'veccore1')[number // 8 % 3]}", PIPES[number % 8][0]
    return f"warp.core{number // WARPS}.veccore{number // WARPS % 2}", f"WARP_{number % WARPS}"


def _call_stack(dice: random.Random) -> str:
    """One to three places, innermost first."""
    places = [
        f"/src/op_kernel/{dice.choice(SOURCES)}.h:{dice.randint(1, 4000)}"
        for _ in range(dice.choice((1, 1, 1, 1, 2, 3)))
    ]
    return "\n".join(places)


def _single(cycles: int) -> float:
    """Microseconds in single precision, with all digits of float64."""
    return float(np.float32(cycles / CLOCK_MHZ))


def _rounded(cycles: int) -> float:
    return round(cycles / CLOCK_MHZ, 3)


def _since_1970(cycles: int) -> str:
    nanoseconds = int(cycles * 1000 / CLOCK_MHZ)
    return f"{EPOCH + nanoseconds // 1000}.{nanoseconds % 1000:03d}"


def _bare(cycles: int) -> Any:
    return orjson.Fragment(_since_1970(cycles))


TIMES: dict[Times, tuple[Callable[[int], Any], Callable[[int], float]]] = {
    "single": (_single, _single),
    "nanoseconds": (_rounded, _rounded),
    "whole": (int, int),
    "epoch": (_bare, _rounded),
    "quoted epoch": (_since_1970, _rounded),
}
"""How cycles become times and durations."""
