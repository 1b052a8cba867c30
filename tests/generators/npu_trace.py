"""Traces as torch_npu writes them (``trace_view.json``): a bare array, a process for each area (Python, CANN, Ascend
Hardware, Communication, Overlap Analysis) with metadata, flows from host calls to kernels, times since 1970 as strings
in microseconds with nanoseconds behind the point, process ids of ten digits.

Facts: the writers' public code (Ascend/pytorch: torch_npu/profiler/analysis; Ascend/msprof: analysis/csrc/application/
timeline) and the vendor's guide of trace_view.json. ``python -m generators.npu_trace OUT.json STEPS`` writes one; a
step takes about 12.5 KB, so that 80,000 make a gigabyte.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import orjson

Event = dict[str, Any]
EPOCH: Final = 1_773_285_899_055_563_748
"""Nanoseconds since 1970."""
HOST_PID, DEVICE = 3_467_369, 0
HOST: Final = 31
"""What stands for the host where ids of processes hold the number of a device."""
SORT: Final = {"CANN": 7, "Ascend Hardware": 13, "Communication": 25, "Overlap Analysis": 29}
LABELS: Final = {"CANN": "CPU", "Ascend Hardware": "NPU", "Communication": "NPU", "Overlap Analysis": "NPU"}
OVERLAP: Final = ("Communication", "Communication(Not Overlapped)", "Computing", "Free")
OPERATORS: Final = ("aten::linear", "aten::add", "aten::layer_norm", "npu::npu_fusion_attention", "aten::copy_")
KERNELS: Final = ("MatMulV3", "Add", "LayerNormV4", "FlashAttentionScore", "TensorMove")
MAIN, QUEUE = HOST_PID, HOST_PID + 411


def pid_of(area: str) -> int:
    """The id of the process of an area."""
    device = HOST if area == "CANN" else DEVICE
    return HOST_PID << 10 | SORT[area] << 5 | device


def microseconds(nanoseconds: int) -> str:
    """With three digits behind the point."""
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"


def events(steps: int = 3, seed: int = 1) -> Iterator[Event]:
    """The events of ``steps`` training steps, in the order of the writers: metadata, the device's, the framework's."""
    yield from _metadata()
    dice = random.Random(seed)
    at = EPOCH
    for step in range(steps):
        made = _Step(step, at, dice)
        yield from made.events()
        at = made.end


def _metadata() -> Iterator[Event]:
    def meta(kind: str, pid: int, tid: int, **args: Any) -> Event:
        return {"name": kind, "pid": pid, "tid": tid, "ph": "M", "args": args}

    for area in SORT:
        yield meta("process_name", pid_of(area), 0, name=area)
        yield meta("process_labels", pid_of(area), 0, labels=LABELS[area])
        yield meta("process_sort_index", pid_of(area), 0, sort_index=SORT[area])
    threads = [("CANN", MAIN, f"Thread {MAIN}"), ("CANN", QUEUE, f"Thread {QUEUE}")]
    threads += [("Ascend Hardware", stream, f"Stream {stream}") for stream in (2, 17)]
    threads += [("Communication", 0, "Group 4 Communication"), ("Communication", 1, "Plane 0")]
    threads += [("Overlap Analysis", number, name) for number, name in enumerate(OVERLAP)]
    for area, tid, name in threads:
        yield meta("thread_name", pid_of(area), tid, name=name)
        yield meta("thread_sort_index", pid_of(area), tid, sort_index=tid)
    yield meta("process_name", HOST_PID, 0, name="Python")
    yield meta("process_labels", HOST_PID, 0, labels="CPU")
    yield meta("process_sort_index", HOST_PID, 0, sort_index=0)
    for tid, sort in ((MAIN, MAIN), (QUEUE, QUEUE + 1)):
        yield meta("thread_name", HOST_PID, tid, name=f"Thread {tid}")
        yield meta("thread_sort_index", HOST_PID, tid, sort_index=sort)


class _Step:
    """One step: five operators, each of which enqueues a launch that starts one kernel, the last one two."""

    def __init__(self, number: int, at: int, dice: random.Random) -> None:
        self.number = number
        self.begin = self.end = at
        self._dice = dice
        self._computing: list[tuple[int, int]] = []
        self._communication: list[tuple[int, int]] = []

    def events(self) -> Iterator[Event]:
        at = self.begin
        free = at + 60_000
        for place, (operator, kernel) in enumerate(zip(OPERATORS, KERNELS, strict=True)):
            at, free, made = self._operator(place, operator, kernel, at, free)
            yield from made
        free, made = self._reduce(free)
        yield from made
        self.end = max(at, free) + self._dice.randrange(1_000, 40_000)
        yield from self._overlap()
        yield self._slice(
            f"ProfilerStep#{self.number}", HOST_PID, MAIN, self.begin, self.end - self.begin, "cpu_op", {}
        )

    def _operator(self, place: int, operator: str, kernel: str, at: int, free: int) -> tuple[int, int, list[Event]]:
        """(end of the operator on the host, end of its kernels, their events)."""
        dice, flow = self._dice, 8 * self.number + place + 1
        length = dice.randrange(8_000, 30_000)
        enqueue, dequeue = at + length // 2, at + length + dice.randrange(500, 3_000)
        shapes = f"{dice.randrange(1, 64)},{dice.randrange(1, 4096)};{dice.randrange(1, 4096)}"
        stack = f"model.py({dice.randrange(400)}): forward;\nnn/modules/module.py(1511): _call_impl"
        args = {"Sequence number": flow, "Input Dims": shapes, "Input type": "c10::BFloat16", "Call stack": stack}
        args |= {"Fwd thread id": 0}
        made = [
            self._slice(operator, HOST_PID, MAIN, at, length, "cpu_op", args),
            self._slice("Enqueue", HOST_PID, MAIN, enqueue, 900, "enqueue", {"correlation_id": flow}),
            self._slice(f"Dequeue@{kernel}", HOST_PID, QUEUE, dequeue, 4_000, "dequeue", {"correlation_id": flow}),
            *self._flow(
                "async_task_queue", flow, "enqueue_to_dequeue", (HOST_PID, MAIN, enqueue), (HOST_PID, QUEUE, dequeue)
            ),
        ]
        launch, connection = dequeue + 600, str(flow << 32 | 7)
        cann, hardware = pid_of("CANN"), pid_of("Ascend Hardware")
        detail = {"Thread Id": QUEUE, "Mode": "launch", "level": "node", "item_id": kernel, "connection_id": flow}
        made.append(self._slice("Node@launch", cann, QUEUE, launch, 2_400, None, detail))
        made.append(self._end("s", f"HostToDevice{connection}", "HostToDevice", connection, cann, QUEUE, launch))
        free = max(free, launch + 3_000)
        for task in range(2 if place == len(KERNELS) - 1 else 1):
            lasts = dice.randrange(2_000, 90_000)
            task_args = {"Model Id": 4294967295, "Task Type": "AI_CORE", "Physic Stream Id": 2, "Task Id": flow}
            task_args |= {"Batch Id": 0, "Subtask Id": 4294967295, "connection_id": flow}
            made.append(self._slice(kernel, hardware, 2, free, lasts, None, task_args))
            made.append(self._end("f", f"HostToDevice{connection}", "HostToDevice", connection, hardware, 2, free))
            if not task:
                made += self._flow("async_npu", flow, "torch_to_npu", (HOST_PID, MAIN, at), (hardware, 2, free))
            self._computing.append((free, free + lasts))
            free += lasts + dice.randrange(0, 3_000)
        if place == 1:
            made += self._flow("fwdbwd", flow, "fwdbwd", (HOST_PID, MAIN, at), (HOST_PID, QUEUE, dequeue))
        if place == 2:
            made += self._marker(flow, at, free)
        return at + length + dice.randrange(0, 2_000), free, made

    def _marker(self, flow: int, at: int, free: int) -> list[Event]:
        """A mark of msTX on the host, and the task that it makes on the device."""
        cann, hardware, key = pid_of("CANN"), pid_of("Ascend Hardware"), str(flow << 32 | 1)
        return [
            self._slice("tx", cann, MAIN, at + 100, 300, None, {"event_type": "marker"}),
            self._slice(f"MsTx_{flow}", hardware, 17, free, 40, None, {"Physic Stream Id": 17, "Task Id": flow}),
            self._end("s", f"MsTx_{key}", "MsTx", key, cann, MAIN, at + 100),
            self._end("f", f"MsTx_{key}", "MsTx", key, hardware, 17, free),
        ]

    def _reduce(self, free: int) -> tuple[int, list[Event]]:
        """(its end, an allreduce with a task on a plane)."""
        begin = free - self._dice.randrange(0, 20_000)
        lasts = self._dice.randrange(10_000, 60_000)
        self._communication.append((begin, begin + lasts))
        name, pid = f"hcom_allReduce__{self.number}", pid_of("Communication")
        op = {
            "connection_id": self.number,
            "model id": 4294967295,
            "data_type": "BFP16",
            "alg_type": "RING",
            "count": 64,
        }
        task = {
            "notify_id": "0",
            "stream id": 17,
            "task id": self.number,
            "src rank": 0,
            "dst rank": 1,
            "size(Byte)": 2048,
        }
        return begin + lasts, [
            self._slice(name, pid, 0, begin, lasts, None, op),
            self._slice("Reduce_Inline", pid, 1, begin + 100, lasts - 200, None, task),
        ]

    def _overlap(self) -> Iterator[Event]:
        pid = pid_of("Overlap Analysis")
        for name, parts in overlap(self._computing, self._communication, self.begin, self.end).items():
            for begin, end in parts:
                yield self._slice(name, pid, OVERLAP.index(name), begin, end - begin, None, {})

    def _slice(self, name: str, pid: int, tid: int, at: int, lasts: int, category: str | None, args: Event) -> Event:
        made = {
            "name": name,
            "pid": pid,
            "tid": tid,
            "ts": microseconds(at),
            "dur": lasts / 1000,
            "args": args,
            "ph": "X",
        }
        return made if category is None else {**made, "cat": category}

    def _flow(
        self, category: str, key: int, name: str, source: tuple[int, int, int], target: tuple[int, int, int]
    ) -> list[Event]:
        """An arrow of the framework."""
        return [
            {
                "ph": phase,
                "bp": "e",
                "name": name,
                "id": key,
                "pid": pid,
                "tid": tid,
                "ts": microseconds(at),
                "cat": category,
            }
            for phase, (pid, tid, at) in (("s", source), ("f", target))
        ]

    def _end(self, phase: str, name: str, category: str, key: str, pid: int, tid: int, at: int) -> Event:
        """An end of an arrow of the device's profiler."""
        made = {"name": name, "pid": pid, "tid": tid, "ph": phase, "cat": category, "id": key, "ts": microseconds(at)}
        return made if phase == "s" else {**made, "bp": "e"}


Parts = list[tuple[int, int]]


def overlap(computing: Parts, communication: Parts, begin: int, end: int) -> dict[str, Parts]:
    """The disjoint stretches of each lane of Overlap Analysis, moment by moment."""
    cuts = sorted({begin, end, *(cut for part in (*computing, *communication) for cut in part)})
    made: dict[str, Parts] = {name: [] for name in OVERLAP}
    for a, b in pairwise(cuts):
        works = any(x <= a and b <= y for x, y in computing)
        talks = any(x <= a and b <= y for x, y in communication)
        lanes = {"Computing": works, "Communication": talks, "Communication(Not Overlapped)": talks and not works}
        lanes["Free"] = not works and not talks
        for name, on in lanes.items():
            if on and made[name] and made[name][-1][1] == a:
                made[name][-1] = (made[name][-1][0], b)
            elif on:
                made[name].append((a, b))
    return made


def write(path: Path, steps: int = 100, seed: int = 1) -> None:
    """A trace of ``steps`` steps at ``path``, written as it is made."""
    with path.open("wb") as file:
        file.write(b"[")
        for number, event in enumerate(events(steps, seed)):
            file.write(b", " if number else b"")
            file.write(orjson.dumps(event))
        file.write(b"]")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
