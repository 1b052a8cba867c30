"""Seeded traces in the style of the PyTorch profiler (Kineto) and its NPU plugin: host threads with Python functions
and operators inside one another, device streams, arrows from launches to kernels, instants, counters and spans.

What one trace holds constant another varies: epoch or small times, whole or fractional, ids as numbers, texts or
fractions, categories or none, arrows with and without ``bp``, events in order or shuffled, a global instant without
process. ``python -m generators.torch_trace OUT.json EVENTS`` writes one.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import orjson

Event: TypeAlias = dict[str, Any]
Device: TypeAlias = Literal["cuda", "npu"]

EPOCH = 1_718_180_919_106_042
"""Microseconds since 1970 of a trace of the present."""
OPERATORS = ("aten::linear", "aten::addmm", "aten::relu", "aten::layer_norm", "aten::softmax", "aten::copy_")
FUNCTIONS = ("model.py(41): forward", "nn/modules/module.py(1511): _call_impl", "<built-in method run>", "train.py(7)")
KERNELS = {"cuda": ("ampere_sgemm_128x64_tn", "vectorized_elementwise_kernel"), "npu": ("MatMulV2", "LayerNormV3")}
LAUNCHES = {"cuda": "cudaLaunchKernel", "npu": "Node@launch"}
CATEGORIES = {"cuda": ("cuda_runtime", "kernel", "ac2g"), "npu": ("dequeue", "", "async_npu")}


@dataclass(frozen=True, slots=True)
class Style:
    """``base``: microseconds of the first event; ``step``: digits behind the point of times; ``ids``: how process and
    thread ids are written; ``bare``: slices have no category; ``bp``: arrows end with ``"bp":"e"``."""

    device: Device = "cuda"
    base: int = 0
    decimals: int = 3
    ids: Literal["numbers", "texts", "fractions"] = "numbers"
    bare: bool = False
    bp: bool = True
    shuffled: bool = False

    @classmethod
    def of(cls, seed: int) -> Style:
        """The style of that seed."""
        dice = random.Random(seed)
        return cls(
            dice.choice(("cuda", "npu")),
            dice.choice((0, 17, EPOCH)),
            dice.choice((0, 1, 3)),
            dice.choice(("numbers", "texts", "fractions")),
            dice.random() < 0.3,
            dice.random() < 0.7,
            dice.random() < 0.5,
        )


@dataclass(slots=True)
class _Writer:
    style: Style
    dice: random.Random
    made: list[Event] = field(default_factory=list)
    arrows: int = 0

    def id(self, number: int) -> int | str | float:
        return f"{number}" if self.style.ids == "texts" else float(number) if self.style.ids == "fractions" else number

    def time(self, ticks: int) -> Any:
        """Ticks are of the last digit that times have; all digits are written."""
        whole, rest = divmod(ticks, 10**self.style.decimals)
        digits = f".{rest:0{self.style.decimals}}" if rest else ""
        return orjson.Fragment(f"{self.style.base + whole}{digits}")

    def length(self, ticks: int) -> int | float:
        return ticks if not self.style.decimals else ticks / 10**self.style.decimals

    def slice(self, name: str, category: str, at: int, ticks: int, process: Any, thread: Any, **args: Any) -> None:
        event = {"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread, "ts": self.time(at)}
        if self.style.bare or not category:
            del event["cat"]
        self.made.append({**event, "dur": self.length(ticks), "args": args})

    def arrow(self, source: tuple[int, Any, Any], target: tuple[int, Any, Any]) -> None:
        self.arrows += 1
        category = CATEGORIES[self.style.device][2]
        for phase, (at, process, thread) in (("s", source), ("f", target)):
            event = {"ph": phase, "id": self.arrows, "pid": process, "tid": thread, "ts": self.time(at)}
            more = {"bp": "e"} if phase == "f" and self.style.bp else {}
            self.made.append({**event, "cat": category, "name": category, **more})


def events(steps: int = 3, seed: int = 1, style: Style | None = None) -> list[Event]:
    """The events of ``steps`` training steps."""
    dice = random.Random(seed)
    out = _Writer(style or Style.of(seed), dice)
    host, device = out.id(4711), out.id(0)
    out.made += _metadata(out, host, device)
    at = 10
    for step in range(steps):
        at = _step(out, step, at, host, device)
    last = {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": out.time(at)}
    out.made.append(last)
    out.slice("PyTorch Profiler (0)", "Trace", 0, at, "Spans", "PyTorch Profiler")
    if out.style.shuffled:
        dice.shuffle(out.made)
    return out.made


def _metadata(out: _Writer, host: Any, device: Any) -> list[Event]:
    def meta(kind: str, process: Any, thread: Any, **args: Any) -> Event:
        return {"ph": "M", "name": kind, "pid": process, "tid": thread, "ts": out.time(0), "args": args}

    return [
        meta("process_name", host, 0, name="python3"),
        meta("process_labels", host, 0, labels="CPU"),
        meta("process_sort_index", host, 0, sort_index=4711),
        meta("process_name", device, 0, name="python3"),
        meta("process_labels", device, 0, labels=f"{out.style.device.upper()} 0"),
        meta("process_sort_index", device, 0, sort_index=5_000_000),
        meta("thread_name", device, out.id(7), name="stream 7"),
        meta("thread_sort_index", host, out.id(4711), sort_index=4711),
    ]


def _step(out: _Writer, step: int, at: int, host: Any, device: Any) -> int:
    """A step from tick ``at``; returns when it ends."""
    dice, thread, stream = out.dice, out.id(4711), out.id(7)
    runtime, kernel, _ = CATEGORIES[out.style.device]
    begin, free, calls = at, at + 40, []
    for _ in range(dice.randint(2, 5)):
        # A launch begins where the one before ended, or some ticks later, and ends with its operator or before.
        first, length = at + dice.choice((0, 0, 1, 9)), dice.randint(6, 30)
        launch, took = first + dice.choice((0, 2)), dice.randint(1, 4)
        calls.append((first, length))
        out.slice(LAUNCHES[out.style.device], runtime, launch, took, host, thread, correlation=step)
        if dice.random() < 0.5:
            out.slice(LAUNCHES[out.style.device], runtime, launch + took, 1, host, thread, correlation=step)
        free = max(free, launch + took + dice.randint(0, 30))
        lasts = dice.randint(1, 60)
        out.slice(dice.choice(KERNELS[out.style.device]), kernel, free, lasts, device, stream, stream=7)
        out.arrow((launch, host, thread), (free, device, stream))
        free += lasts
        out.made.append(_memory(out, launch, host, thread))
        at = first + length
    for first, length in calls:
        out.slice(dice.choice(OPERATORS), "cpu_op", first, length, host, thread)
    out.slice(dice.choice(FUNCTIONS), "python_function", begin, at - begin, host, thread)
    out.slice(f"ProfilerStep#{step}", "user_annotation", begin, at - begin + 1, host, thread)
    out.made += _around(out, step, begin, at, host)
    return at + dice.choice((1, 2, 40))


def _memory(out: _Writer, at: int, host: Any, thread: Any) -> Event:
    used = out.dice.randint(1, 1 << 30)
    place = {"pid": host, "tid": thread, "ts": out.time(at)}
    return {"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]", **place, "args": {"Bytes": used}}


def _around(out: _Writer, step: int, begin: int, end: int, host: Any) -> Iterator[Event]:
    """Instants of process and trace, a counter, and requests that overlap, one inside another."""
    start, middle, stop = (out.time(at) for at in (begin, (begin + end) // 2, end))
    yield {"ph": "i", "s": "g", "name": "Iteration Start: PyTorch Profiler", "pid": "Traces", "tid": "", "ts": start}
    yield {"ph": "I", "s": "p", "name": "collect", "pid": host, "ts": middle, "args": {"generation": step % 3}}
    yield {"ph": "C", "name": "Queue", "pid": host, "ts": middle, "args": {"waiting": out.dice.randint(0, 9)}}
    for phase, at, name in (("b", start, "load"), ("b", start, "read"), ("n", middle, "chunk"), ("e", middle, "read")):
        yield {"ph": phase, "cat": "data", "id": step % 2, "name": name, "pid": host, "tid": step % 7, "ts": at}
    yield {"ph": "e", "cat": "data", "id": step % 2, "name": "load", "pid": host, "tid": step % 7, "ts": stop}
    yield {"ph": "O", "cat": "object", "id": step, "name": "tensor", "pid": host, "ts": start, "args": {"snapshot": 1}}


def text(made: list[Event]) -> bytes:
    """The file."""
    head = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "device"}], "displayTimeUnit": "ms"}
    return orjson.dumps({**head, "traceEvents": made, "traceName": "trace_view.json"})


def write(path: Path, count: int = 10_000, seed: int = 1, style: Style | None = None) -> list[Event]:
    """A trace of about ``count`` events at ``path``; returns them."""
    made = events(max(1, count // 37), seed, style)
    path.write_bytes(text(made))
    return made


if __name__ == "__main__":
    print(len(write(Path(sys.argv[1]), int(sys.argv[2]))))
