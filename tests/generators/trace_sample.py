"""The bundled trace: four training steps of a small network as the PyTorch profiler records them. A host process with
threads for Python and autograd, a device with a stream that computes and one that copies and communicates, arrows from
launches to kernels, a counter of its memory. The gradients of the last layers are reduced while nothing computes, and
one step waits for its data."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import orjson

STEPS, LAYERS = 4, 6
HOST, MAIN, AUTOGRAD = 4711, 4711, 4755
DEVICE, COMPUTE, COPY = 0, 7, 20
FORWARD = (("aten::layer_norm", "layer_norm", 34), ("aten::linear", "matmul", 92), ("aten::gelu", "gelu", 41))
BACKWARD = (("GeluBackward0", "gelu_backward", 52), ("AddmmBackward0", "matmul", 171), ("NativeLayerNorm", "sum", 38))
LOAD, LATE_STEP, LATE = 180.0, 2, 2600.0
"""Microseconds that the next batch takes, and those of the step that waits for it."""
BUCKET, REDUCED = 2, 640.0
"""Layers whose gradients are reduced together, and microseconds of one reduction."""
ACTIVATIONS = 96
"""MiB of a layer."""


@dataclass
class _Trace:
    dice: random.Random
    events: list[dict[str, Any]] = field(default_factory=list)
    host: float = 120.0
    free: dict[int, float] = field(default_factory=lambda: {COMPUTE: 0.0, COPY: 0.0})
    launches: int = 0
    used: int = 2_400

    def slice(self, kind: str, name: str, where: tuple[int, int], start: float, end: float, **args: Any) -> None:
        start, end = round(start, 3), round(end, 3)
        place = {"pid": where[0], "tid": where[1], "ts": start, "dur": round(end - start, 3)}
        more = {"args": args} if args else {}
        self.events.append({"ph": "X", "cat": kind, "name": name, **place, **more})

    def launch(self, thread: int, call: str, kernel: str, stream: int, length: float, after: float = 0.0) -> float:
        """Launches a kernel now, which begins when its stream is free, not before ``after``; returns when it ends."""
        self.launches += 1
        number, at = self.launches, self.host
        took = self.dice.uniform(4, 8)
        begin = max(self.free[stream] + 1.5, at + took + 2, after)
        end = begin + length * self.dice.uniform(0.92, 1.12)
        kind = "kernel" if stream == COMPUTE or "nccl" in kernel else "gpu_memcpy"
        self.slice("cuda_runtime", call, (HOST, thread), at, at + took, correlation=number)
        self.slice(kind, kernel, (DEVICE, stream), begin, end, stream=stream, correlation=number)
        for phase, where, time in (("s", (HOST, thread), at), ("f", (DEVICE, stream), begin)):
            event = {"ph": phase, "id": number, "pid": where[0], "tid": where[1], "ts": round(time, 3)}
            self.events.append({**event, "cat": "ac2g", "name": "ac2g", **({"bp": "e"} if phase == "f" else {})})
        self.free[stream] = end
        self.host = at + took
        return end

    def operator(self, thread: int, name: str, kernel: str, length: float) -> float:
        """An operator of a thread, with the launch in it."""
        begin = self.host
        self.host += self.dice.uniform(4, 9)
        end = self.launch(thread, "cudaLaunchKernel", kernel, COMPUTE, length)
        self.host += self.dice.uniform(2, 5)
        self.slice("cpu_op", name, (HOST, thread), begin, self.host)
        return end

    def allocate(self, count: int) -> None:
        self.used += count
        args = {"MiB": self.used}
        self.events.append({"ph": "C", "name": "memory", "pid": DEVICE, "ts": round(self.host, 3), "args": args})


def events() -> list[dict[str, Any]]:
    """All events, always the same."""
    trace = _Trace(random.Random(7))
    trace.events += _names()
    for step in range(STEPS):
        _step(trace, step)
    return trace.events


def _names() -> list[dict[str, Any]]:
    named = [
        ("process_name", HOST, 0, "python3"),
        ("process_name", DEVICE, 0, "GPU 0"),
        ("thread_name", HOST, MAIN, "main"),
        ("thread_name", HOST, AUTOGRAD, "autograd"),
        ("thread_name", DEVICE, COMPUTE, f"stream {COMPUTE}"),
        ("thread_name", DEVICE, COPY, f"stream {COPY}"),
    ]
    return [
        {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": {"name": name}}
        for kind, process, thread, name in named
    ]


def _step(trace: _Trace, step: int) -> None:
    main = HOST, MAIN
    begin = trace.host
    trace.host += LATE if step == LATE_STEP else LOAD
    trace.slice("python_function", "data.py(73): next_batch", main, begin, trace.host)
    copied = trace.launch(MAIN, "cudaMemcpyAsync", "Memcpy HtoD (Pinned -> Device)", COPY, 110)
    trace.free[COMPUTE] = max(trace.free[COMPUTE], copied)
    forward = trace.host
    for layer in range(LAYERS):
        for place, (name, kernel, length) in enumerate(FORWARD):
            trace.operator(MAIN, name, f"{step}-{layer}-{place}({kernel})", length)
        trace.allocate(ACTIVATIONS)
    trace.slice("python_function", "model.py(88): forward", main, forward, trace.host)
    backward = trace.host
    reduced = _backward(trace, step)
    trace.slice("python_function", "train.py(41): backward", main, backward, trace.host)
    updated = trace.host
    trace.host += 12
    end = trace.launch(MAIN, "cudaLaunchKernel", f"{step}-0(adamw_multi_tensor)", COMPUTE, 240, reduced)
    trace.host += 6
    trace.slice("user_annotation", "Optimizer.step#AdamW.step", main, updated, trace.host)
    trace.slice("cuda_runtime", "cudaStreamSynchronize", main, trace.host + 1, end + 9)
    trace.host = end + 11
    trace.slice("user_annotation", f"ProfilerStep#{step}", main, begin, trace.host)
    trace.host += 20


def _backward(trace: _Trace, step: int) -> float:
    """Returns when the last gradients are reduced."""
    reduced = 0.0
    trace.host += 15
    for layer in reversed(range(LAYERS)):
        done = 0.0
        for place, (name, kernel, length) in enumerate(BACKWARD):
            done = trace.operator(AUTOGRAD, name, f"{step}-{layer}-{place + len(FORWARD)}({kernel})", length)
        trace.allocate(-ACTIVATIONS)
        if layer % BUCKET == 0:
            name = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"
            reduced = trace.launch(AUTOGRAD, "cudaLaunchKernelExC", name, COPY, REDUCED, done)
    trace.host += 10
    return reduced


def content() -> bytes:
    """The file."""
    head = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "generated"}], "displayTimeUnit": "ms"}
    lines = b",\n".join(map(orjson.dumps, events()))
    return orjson.dumps(head)[:-1] + b',"traceEvents":[\n' + lines + b'\n],"traceName":"training.pt.trace.json"}\n'
