"""The trace of an operator that ran: slices of whole cycles, the instructions of its kernel in their order on each
core, waits for flags, and what its transfers move."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Final

from generators import ascend_trace
from generators.ascend_bin import Program
from generators.ascend_details import CLOCK_MHZ
from generators.ascend_kernel import Instruction, texts
from generators.ascend_trace import SUB_CORES

LINE: Final = 128
"""Bytes of a cache line and of a request."""
DEPTH: Final = 512
"""Columns of the left matrix: with the operations of a block they say how large its result is."""
CUBE_OPERATIONS: Final = 6960
"""In a cycle of the unit: a cube core does up to 8192 of FP16."""
ONCE: Final = ("matmul_leaky", "Init", "OffsetOf")
"""Functions that run once; those of a loop follow."""
AGAIN: Final = {
    "cubecore0": ("Run", "Multiply"),
    "veccore0": ("Run", "Fetch", "Activate", "Store", "HalfOf"),
    "veccore1": ("Run", "Fetch", "Activate", "Store", "HalfOf"),
}
RATES: Final = {("cubecore0", "MTE2"): 80, ("cubecore0", "MTE1"): 192}
"""Bytes in a cycle. The other transfers move the result, whatever time they take."""
COUNTERS: Final = {"GM_TO_UB": (12, 16), "GM_TO_L1": (2,), "UB_TO_GM": (13, 17), "L0C_TO_GM": (10,)}
"""What the counters of the trace measure together: the memory paths between a core and the L2 cache."""
LOOKAHEAD: Final = 5
"""Cycles that a wait for a flag takes which is set already."""

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Transfer:
    """An instruction that moves ``lines`` requests on a memory path, in the cycles ``begin`` to ``end``."""

    core: int
    place: int
    pipe: str
    address: int
    path: int
    begin: int
    end: int
    lines: int


def cycles_of(micros: float) -> int:
    return round(micros * CLOCK_MHZ)


def at_clock(events: Iterable[Event]) -> None:
    """Puts the slices, made at the simulator's clock, on the same cycles of the clock that the chip ran at."""
    for event in events:
        if event["ph"] != "C":
            for key in event.keys() & {"ts", "dur"}:
                event[key] = ascend_trace.micro(round(event[key] * ascend_trace.CLOCK_MHZ), CLOCK_MHZ)


def shortened(events: list[Event], core: str, until: float) -> list[Event]:
    """Without what ``core`` does after ``until`` (µs): it has fewer tiles."""
    late = {
        event["id"]
        for event in events
        if "id" in event and event["pid"].startswith(f"{core}.") and event.get("ts", 0.0) > until
    }

    def kept(event: Event) -> bool:
        if not event["pid"].startswith(f"{core}.") or "ts" not in event:
            return True
        return event["id"] not in late if "id" in event else event["ts"] + event.get("dur", 0.0) <= until

    return [event for event in events if kept(event)]


def in_order(events: Iterable[Event], program: Program) -> None:
    """Lets each pipe of a sub-core run what the kernel has for it: what begins it once, then its loop."""
    own = {(sub, pipe): _sequence(program, sub, pipe) for sub in SUB_CORES for pipe in ascend_trace.PIPES}
    done: Counter[tuple[str, str]] = Counter()
    for event in events:
        if event["ph"] == "X" and "pc_addr" in event["args"]:
            once, again = own[event["pid"].partition(".")[2], event["tid"]]
            lane = event["pid"], event["tid"]
            number = done[lane]
            made = once[number] if number < len(once) else again[(number - len(once)) % len(again)]
            done[lane] += 1
            event["name"] = made.name
            event["args"] |= {"pc_addr": hex(made.address), "code": f"{made.file}:{made.line}"}


def waiting(events: Sequence[Event]) -> None:
    """Lets a unit wait for a flag since it became idle; a flag that was set before takes a few cycles at most."""
    lanes: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            start = cycles_of(event["ts"])
            lanes[event["pid"], event["tid"]].append((start, start + cycles_of(event["dur"])))
    pairs = list(paired(events))
    set_at = {begin["id"]: cycles_of(begin["ts"]) for begin, _ in pairs if begin["name"] == "SET_FLAG"}
    for begin, end in pairs:
        if begin["name"] == "WAIT_FLAG":
            lane, until = lanes[begin["pid"], begin["tid"]], cycles_of(end["ts"])
            idle = max((last for _, last in lane if last <= until), default=0)
            awaited = idle <= set_at[begin["id"]] and any(first >= until for first, _ in lane)
            begin["ts"] = ascend_trace.micro(idle if awaited else max(idle, until - LOOKAHEAD), CLOCK_MHZ)


def transfers(events: Sequence[Event], program: Program) -> list[Transfer]:
    """What the transfers move, in the order of time. The cube cores make a result of which each vector core fetches a
    half, and stores it."""
    function = functions()
    lanes: dict[tuple[int, str, str], list[tuple[int, int, int, Instruction]]] = defaultdict(list)
    first = program.at(0).address
    for event in events:
        if event["ph"] == "X" and "pc_addr" in event["args"]:
            core, sub = place_of(event)
            made = program.at((int(event["args"]["pc_addr"], 16) - first) // 4)
            begin = cycles_of(event["ts"])
            cycles = cycles_of(event["dur"])
            lanes[core, sub, event["tid"]].append((begin, begin + cycles, cycles, made))
    moved: list[Transfer] = []
    for (core, sub, pipe), own in lanes.items():
        if pipe not in ("MTE1", "MTE2", "MTE3", "FIXP"):
            continue
        tiling = [one for one in own if function[one[3].file, one[3].line] in ONCE]
        rest = [one for one in own if one not in tiling]
        total = sum(one[2] for one in rest) * RATES.get((sub, pipe), 0) // LINE
        if not total:
            half = _half_lines(sum(one[2] for one in lanes[core, "cubecore0", "CUBE"]))
            total = half if sub != "cubecore0" else 2 * half
        shares = [1] * len(tiling) + shared(total, [one[2] for one in rest])
        for (begin, end, _, made), lines in zip([*tiling, *rest], shares, strict=True):
            path = _path(sub, made)
            moved.append(Transfer(core, SUB_CORES.index(sub), pipe, made.address, path, begin, end, lines))
    return sorted(moved, key=lambda one: (one.begin, one.core, one.place))


def counters(moved: Sequence[Transfer]) -> Iterator[Event]:
    """The throughput of each microsecond (MB/s, which are bytes in a microsecond), from its begin on."""
    moments = range(math.ceil(max(one.end for one in moved) / CLOCK_MHZ) + 1)
    for name, paths in COUNTERS.items():
        own = [one for one in moved if one.path in paths]
        before = [round(sum(one.lines * LINE * _part(one, moment) for one in own)) for moment in moments]
        for moment, (left, right) in enumerate(pairwise([*before, before[-1]])):
            args = {"throughput(MB/s)": right - left}
            yield {"args": args, "name": name, "ph": "C", "pid": "MTE Throughput", "tid": name, "ts": moment}


def functions() -> dict[tuple[str, int], str]:
    """The function that a line of a source (its path and number) is part of."""
    made: dict[tuple[str, int], str] = {}
    for path, text in texts().items():
        name = ""
        for number, line in enumerate(text.splitlines(), 1):
            if "__aicore__" in line and not line.endswith(";"):
                name = re.findall(r"(\w+)\(", line)[0]
            made[path, number] = name
    return made


def source_line(made: Instruction) -> str:
    return texts()[made.file].splitlines()[made.line - 1]


def place_of(event: Event) -> tuple[int, str]:
    """(core, sub-core)."""
    core, _, sub = str(event["pid"]).partition(".")
    return int(core.removeprefix("core")), sub


def paired(events: Iterable[Event]) -> Iterator[tuple[Event, Event]]:
    """Begin and end of each slice of two events."""
    begun: dict[tuple[Any, ...], Event] = {}
    for event in events:
        key = event.get("pid"), event.get("tid"), event.get("id"), event["name"]
        if event["ph"] == "B":
            begun[key] = event
        elif event["ph"] == "E":
            yield begun[key], event


def shared(total: int, weights: Sequence[int]) -> list[int]:
    """``total`` divided by weight into whole numbers of that sum."""
    whole = sum(weights)
    ends = [total * part // whole for part in accumulate(weights, initial=0)]
    return [right - left for left, right in pairwise(ends)]


def _half_lines(cube_cycles: int) -> int:
    """Half of the result of a block, in requests: a product of ``DEPTH`` columns makes an FP32 of 2 · DEPTH
    operations."""
    return round(cube_cycles * CUBE_OPERATIONS * 4 / (2 * DEPTH) / LINE / 2)


def _sequence(program: Program, sub: str, pipe: str) -> tuple[list[Instruction], list[Instruction]]:
    """(once, again) of the instructions that a pipe of a sub-core runs."""
    function = functions()
    known = [made for made in map(program.at, range(program.total)) if made.pipe == pipe]
    begins = [] if (sub, pipe) == ("cubecore0", "MTE2") else ONCE  # the tiling goes to the unified buffer
    once = [made for name in begins for made in known if function[made.file, made.line] == name]
    return once, [made for made in known if function[made.file, made.line] in AGAIN[sub]]


def _path(sub: str, made: Instruction) -> int:
    if sub == "cubecore0":
        return {"MTE2": 2, "FIXP": 10}.get(made.pipe) or (4 if "Left" in source_line(made) else 5)
    return {"MTE2": 12, "MTE3": 13}[made.pipe] + 4 * (sub == "veccore1")


def _part(one: Transfer, moment: int) -> float:
    """The part of a transfer that is done at ``moment`` (µs)."""
    return min(max((moment * CLOCK_MHZ - one.begin) / (one.end - one.begin), 0.0), 1.0)
