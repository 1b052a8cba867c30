"""Logs of TensorFlow for the IPU in all layouts and containers, after the published sources (IpuTraceEvent, 1 to 4)."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, field

from generators.protobuf_wire import Content, message, proto3
from generators.tfrecord import records

COMPILE_BEGIN, COMPILE_END, TO_DEVICE, FROM_DEVICE, LOAD_ENGINE, EXECUTE = range(6)
Layout: TypeAlias = Literal["old", "new", "flat", "early"]
BEGAN = 1_559_736_000.0
"""2019-06-05 12:00:00 UTC."""


class Event(Struct, frozen=True):
    """One event; ``report`` is the compilation's or the execution's, ``moved`` the text of a transfer."""

    type: int
    time: float = BEGAN
    module: str = "cluster_1"
    ordinal: int = 0
    duration: int = 0
    report: bytes | str = b""
    moved: bytes | str = b""
    tensor_map: bytes | str = b""
    instruction_info: bytes | str = b""
    poplar_graph: bytes | str = b""
    unknown: Sequence[tuple[int, Content]] = field(default=())


def event(made: Event, layout: Layout = "old") -> bytes:
    """A serialised IpuTraceEvent as a proto3 writer lays it out."""
    if layout in ("flat", "early"):
        return _flat(made, early=layout == "early")
    inner = _inner(made, old=layout == "old") + message(*made.unknown)
    number = {COMPILE_BEGIN: 5, COMPILE_END: 6, TO_DEVICE: 7, FROM_DEVICE: 7, LOAD_ENGINE: 8, EXECUTE: 9}[made.type]
    return (
        message((1, made.time))
        + proto3((2, made.ordinal), (3, made.type))
        + message((number, inner))
        + message(*made.unknown)
    )


def _inner(made: Event, *, old: bool) -> bytes:
    module = made.module
    if made.type == COMPILE_BEGIN:
        return proto3((2, module))
    if made.type == COMPILE_END and old:
        parts = (made.report, made.duration, module, made.tensor_map, made.instruction_info, made.poplar_graph)
        return proto3(*enumerate(parts, 1))
    if made.type == COMPILE_END:
        return proto3(*enumerate((made.duration, module, made.tensor_map, made.instruction_info), 1))
    if made.type in (TO_DEVICE, FROM_DEVICE):
        return proto3((1, made.moved))
    if made.type == LOAD_ENGINE:
        return proto3((1, module))
    return proto3((1, made.report), (3, module)) if old else proto3((2, module))


def _flat(made: Event, *, early: bool) -> bytes:
    kind = made.type
    if early:
        kind = {COMPILE_END: 0, TO_DEVICE: 1, FROM_DEVICE: 2, LOAD_ENGINE: 3, EXECUTE: 4}[made.type]
    data = made.moved if made.type in (TO_DEVICE, FROM_DEVICE) else made.report
    module = "" if made.type in (TO_DEVICE, FROM_DEVICE) else made.module
    return message((1, made.time)) + proto3(
        (2, made.ordinal), (3, kind), (4, module), (5, data), (6, made.duration if made.type == COMPILE_END else 0)
    )


def moved(*tensors: tuple[str, int], total: int | None = None) -> str:
    """What a transfer says; ``tensors`` is absent when there are none."""
    document: dict[str, object] = {"total_size": sum(size for _, size in tensors) if total is None else total}
    if tensors:
        document = {"tensors": [{"name": name, "size": size} for name, size in tensors], **document}
    return json.dumps(document, indent=3)


def tensor(events: Iterable[bytes]) -> bytes:
    """TensorProto of texts."""
    texts = list(events)
    shape = message((2, message((1, len(texts)))))
    return message((1, 7), (2, shape), *((8, text) for text in texts))


def value(events: Iterable[bytes], tag: str = "ipu_trace", plugin: str | None = "ipu") -> bytes:
    """Summary.Value with IPU events; TensorFlow's writer leaves ``plugin`` out of all but the first of a tag."""
    metadata = None if plugin is None else message((1, message((1, plugin))))
    return message((1, tag), (7, tag), (8, tensor(events)), (9, metadata))


def scalar(tag: str, number: int) -> bytes:
    """Summary.Value with a number (as raw bits of a float)."""
    return message((1, tag)) + bytes((2 << 3 | 5,)) + number.to_bytes(4, "little")


def summary(values: Iterable[bytes], step: int = 0, wall: float = BEGAN) -> bytes:
    """An event of TensorBoard with these values."""
    return message((1, wall)) + proto3((2, step)) + message((5, message(*((1, item) for item in values))))


def version(wall: float = BEGAN) -> bytes:
    """The first record of a file."""
    return message((1, wall), (3, "brain.Event:2"))


def log(steps: Iterable[Iterable[Event]], layout: Layout = "old", tag: str = "ipu_trace") -> bytes:
    """A file with a summary for each step, which also has a scalar; a graph comes before them."""
    parts = [version(), message((1, BEGAN), (4, b"\x0a\x03abc" * 3))]
    for step, events in enumerate(steps):
        ipu = value((event(one, layout) for one in events), tag, "ipu" if step == 0 else None)
        parts.append(summary([scalar("loss", 0x3F800000), ipu], step))
    return records(parts)


def records_of(events: Iterable[bytes]) -> bytes:
    """A file with one summary of events that are serialised already."""
    return records([version(), summary([value(events)])])


def run(
    module: str = "cluster_1",
    at: float = BEGAN,
    *,
    ordinal: int = 0,
    executions: int = 3,
    graph: bytes | str = b"",
    execution: bytes | str = b"",
    every: int = 1,
    tensor_map: bytes | str = b"",
    ml_types: dict[str, int] | None = None,
) -> list[Event]:
    """One compilation of 2.5 s, the load, and executions with a transfer each way, every tenth of a second; each
    ``every``-th execution has a report."""
    info = json.dumps({"ml_types": ml_types}) if ml_types else b""
    events = [
        Event(COMPILE_BEGIN, at, module, ordinal),
        Event(COMPILE_END, at + 2.5, module, ordinal, 2_500_000, graph, tensor_map=tensor_map, instruction_info=info),
        Event(LOAD_ENGINE, at + 2.6, module, ordinal),
    ]
    for number in range(executions):
        begin = at + 3 + number / 10
        events += [
            Event(TO_DEVICE, begin, ordinal=ordinal, moved=moved(("input", 4096), ("labels", 64))),
            Event(EXECUTE, begin + 0.05, module, ordinal, report=execution if number % every == 0 else b""),
            Event(FROM_DEVICE, begin + 0.06, ordinal=ordinal, moved=moved(("loss", 4))),
        ]
    return events


def text(events: Iterable[Event]) -> str:
    """What ``extract_all_strings_from_event_trace`` makes of events, in UTC."""
    return "".join(f"{'-' * 70}\n=> @ {_clock(made.time)}: {_body(made)}\n" for made in events)


def _clock(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S +0000", time.gmtime(seconds))


def _body(made: Event) -> str:
    report = made.report if isinstance(made.report, str) else made.report.decode()
    transfer = made.moved if isinstance(made.moved, str) else made.moved.decode()
    return {
        COMPILE_BEGIN: f"Compile begin: {made.module}\n",
        COMPILE_END: f"Compile end: {made.module}\nDuration: {made.duration} us\n{report}",
        TO_DEVICE: f"Host->Device\n{transfer}\n",
        FROM_DEVICE: f"Device->Host\n{transfer}\n",
        LOAD_ENGINE: f"Load engine: {made.module}\n",
        EXECUTE: f"Execute: {made.module}\n{report}",
    }[made.type]


def sequence(reports: Iterable[tuple[str, str]]) -> str:
    """``compile.json`` of the report_generation example."""
    return "".join(f"{module}\n{report}\n" for module, report in reports)
