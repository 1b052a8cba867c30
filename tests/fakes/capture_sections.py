"""Captures of Ascend ranks made by hand: their sections from short rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from app.profile.arrays import sealed
from app.profile.ascend import TypedColumn
from app.profile.ascend_capture import (
    BOTH,
    CLUSTER,
    COLLECTIVE,
    Calls,
    Capture,
    Collectives,
    FrameworkOperators,
    Groups,
    Kernels,
    Links,
    MemoryOperators,
    MemoryRecord,
    Packets,
    TrainingSteps,
)
from app.profile.profile import Origin, Profile
from app.profile.strings import Interner, Strings
from app.profile.timeline import Timeline

ZERO = 1_736_408_883_000_000_000
"""Nanoseconds since 1970 at which the captures start."""


class Kernel(Struct, frozen=True):
    """``start``: nanoseconds after ZERO."""

    start: int
    duration: int
    rank: int = 0
    step: int = 1
    name: str = "add_0"
    type: str = "Add"
    core: str = "AI_VECTOR_CORE"
    stream: int = 2
    wait: int = -1
    state: str = ""
    shapes: str = ""


class Operation(Struct, frozen=True):
    """A row of a collective; ``start``, ``end``: nanoseconds after ZERO."""

    start: int
    end: int
    rank: int = 0
    step: int = 1
    name: str = "hcom_allReduce__123_0_1"
    group: str = "9123"
    kind: int = COLLECTIVE
    transit: float = float("nan")


class Packet(Struct, frozen=True):
    size: float
    count: int
    time: float
    transport: str = "HCCS"
    rank: int = 0
    name: str = "hcom_allReduce__123_0_1"


class Link(Struct, frozen=True):
    source: int
    target: int
    size: float
    time: float
    transport: str = "HCCS"
    selection: str = "total"
    rank: int = 0


class Step(Struct, frozen=True):
    """What the producer's table says, in seconds; ``start``, ``device``: nanoseconds after ZERO, -1 none."""

    rank: int = 0
    step: int = 1
    start: int = -1
    device: tuple[int, int] = (-1, -1)
    computing: float = float("nan")
    exposed: float = float("nan")
    communication: float = float("nan")
    free: float = float("nan")


def profile(
    kernels: Sequence[Kernel] = (),
    operations: Sequence[Operation] = (),
    *,
    ranks: Sequence[int] = (0,),
    mode: int = BOTH,
    groups: Sequence[tuple[str, str]] = (),
    pmu: dict[str, Sequence[float]] | None = None,
    **sections: Any,
) -> Profile:
    """A profile with these sections; ``groups``: (name, "0, 1") of communication groups."""
    made: dict[str, Any] = {"capture": capture(ranks, mode, groups)}
    if kernels:
        made["kernels"] = kernels_of(kernels, pmu or {})
    if operations:
        made["collectives"] = operations_of(operations)
    return Profile(name="made up", origin=Origin("ascend-capture", (Path("made_up"),)), **made, **sections)


def capture(ranks: Sequence[int], mode: int = BOTH, groups: Sequence[tuple[str, str]] = ()) -> Capture:
    intern = Interner()
    count = len(ranks)
    producer = ids(intern, ["torch_npu"] * count)
    folder = ids(intern, [f"rank{rank}_ascend_pt" for rank in ranks])
    of_groups = Groups(
        ids(intern, [name for name, _ in groups]),
        ids(intern, [""] * len(groups)),
        ids(intern, [listed for _, listed in groups]),
    )
    none = sealed(np.full(count, -1, np.int32))
    return Capture(
        strings=intern.strings(),
        rank=numbers(ranks),
        device=numbers([-1] * count),
        host=none,
        folder=folder,
        producer=producer,
        mode=sealed(np.full(count, mode, np.uint8)),
        level=none,
        metric=none,
        version=none,
        groups=of_groups,
    )


def kernels_of(rows: Sequence[Kernel], pmu: dict[str, Sequence[float]]) -> Kernels:
    intern = Interner()
    nothing = numbers([-1] * len(rows))
    none = sealed(np.full(len(rows), -1, np.int32))
    names, types, cores, states, shapes = (
        ids(intern, [getattr(row, key) for row in rows]) for key in ("name", "type", "core", "state", "shapes")
    )
    counters = tuple(
        TypedColumn(name, "float", sealed(np.array(values, np.float64)[:, None])) for name, values in pmu.items()
    )
    return Kernels(
        strings=intern.strings(),
        rank=rank_of(rows),
        step=numbers([row.step for row in rows]),
        name=names,
        type=types,
        core=cores,
        stream=numbers([row.stream for row in rows]),
        task=nothing,
        context=nothing,
        start=numbers([ZERO + row.start for row in rows]),
        duration=numbers([row.duration for row in rows]),
        wait=numbers([row.wait for row in rows]),
        blocks=nothing,
        mix_blocks=nothing,
        connection=nothing,
        state=states,
        input_shapes=shapes,
        input_types=none,
        input_formats=none,
        output_shapes=none,
        output_types=none,
        output_formats=none,
        pmu=counters,
    )


def operations_of(rows: Sequence[Operation]) -> Collectives:
    """Each row has texts of its own, as after the ranks of a run were joined."""
    texts = [text for row in rows for text in (row.name, row.group)]
    name = np.arange(len(rows), dtype=np.int32) * 2
    group = np.where([bool(row.group) for row in rows], name + 1, -1).astype(np.int32)
    unknown = sealed(np.full(len(rows), np.nan))
    none = sealed(np.full(len(rows), -1, np.int32))
    return Collectives(
        strings=Strings.of(texts),
        rank=rank_of(rows),
        step=numbers([row.step for row in rows]),
        name=sealed(name),
        group=sealed(group),
        kind=sealed(np.array([row.kind for row in rows], np.uint8)),
        start=numbers([ZERO + row.start for row in rows]),
        end=numbers([ZERO + row.end for row in rows]),
        transit=sealed(np.array([row.transit for row in rows], np.float64)),
        wait=unknown,
        synchronization=unknown,
        idle=unknown,
        algorithm=none,
        data_type=none,
        count=numbers([-1] * len(rows)),
        connection=numbers([-1] * len(rows)),
    )


def packets_of(rows: Sequence[Packet]) -> Packets:
    intern = Interner()
    names, transports = (ids(intern, [getattr(row, key) for row in rows]) for key in ("name", "transport"))
    return Packets(
        strings=intern.strings(),
        rank=rank_of(rows),
        step=numbers([1] * len(rows)),
        name=names,
        group=sealed(np.full(len(rows), -1, np.int32)),
        transport=transports,
        size=floats([row.size for row in rows]),
        count=numbers([row.count for row in rows]),
        time=floats([row.time for row in rows]),
    )


def links_of(rows: Sequence[Link]) -> Links:
    intern = Interner()
    names = ids(intern, ["allreduce"] * len(rows))
    chosen, transports = (ids(intern, [getattr(row, key) for row in rows]) for key in ("selection", "transport"))
    return Links(
        strings=intern.strings(),
        rank=rank_of(rows),
        step=numbers([1] * len(rows)),
        name=names,
        selection=chosen,
        group=sealed(np.full(len(rows), -1, np.int32)),
        source=numbers([row.source for row in rows]),
        target=numbers([row.target for row in rows]),
        transport=transports,
        size=floats([row.size for row in rows]),
        time=floats([row.time for row in rows]),
        bandwidth=floats([row.size / row.time for row in rows]),
    )


def steps_of(rows: Sequence[Step]) -> TrainingSteps:
    unknown = floats([float("nan")] * len(rows))

    def moment(values: Sequence[int]) -> Any:
        return numbers([ZERO + value if value >= 0 else -1 for value in values])

    return TrainingSteps(
        rank=rank_of(rows),
        step=numbers([row.step for row in rows]),
        start=moment([row.start for row in rows]),
        end=moment([-1] * len(rows)),
        device_start=moment([row.device[0] for row in rows]),
        device_end=moment([row.device[1] for row in rows]),
        computing=floats([row.computing for row in rows]),
        exposed=floats([row.exposed for row in rows]),
        overlapped=unknown,
        communication=floats([row.communication for row in rows]),
        free=floats([row.free for row in rows]),
        stage=unknown,
        bubble=unknown,
        exposed_without_receive=unknown,
        preparing=unknown,
    )


def calls_of(rows: Sequence[tuple[str, str, int, float]], rank: int = 0) -> Calls:
    """Rows: (level, name, count, total in seconds)."""
    intern = Interner()
    levels = ids(intern, [row[0] for row in rows])
    names = ids(intern, [row[1] for row in rows])
    total = floats([row[3] for row in rows])
    return Calls(
        strings=intern.strings(),
        rank=sealed(np.full(len(rows), rank, np.int32)),
        level=levels,
        name=names,
        count=numbers([row[2] for row in rows]),
        total=total,
        shortest=total,
        longest=total,
    )


def memory_of(rows: Sequence[tuple[str, int, int, int, int]]) -> MemoryRecord:
    """Rows of rank 0: (component, time after ZERO, allocated, reserved, active)."""
    intern = Interner()
    component = ids(intern, [row[0] for row in rows])
    return MemoryRecord(
        strings=intern.strings(),
        rank=sealed(np.zeros(len(rows), np.int32)),
        component=component,
        time=numbers([ZERO + row[1] for row in rows]),
        allocated=numbers([row[2] for row in rows]),
        reserved=numbers([row[3] for row in rows]),
        active=numbers([row[4] for row in rows]),
    )


def holders_of(rows: Sequence[tuple[str, int, int, int]]) -> MemoryOperators:
    """Rows of rank 0: (name, size, allocated and released after ZERO, -1 none)."""
    intern = Interner()
    names = ids(intern, [row[0] for row in rows])
    released = numbers([ZERO + row[3] if row[3] >= 0 else -1 for row in rows])
    return MemoryOperators(
        strings=intern.strings(),
        rank=sealed(np.zeros(len(rows), np.int32)),
        name=names,
        size=numbers([row[1] for row in rows]),
        allocated_at=numbers([ZERO + row[2] if row[2] >= 0 else -1 for row in rows]),
        released_at=released,
        inactive_at=released,
    )


def framework_of(rows: Sequence[tuple[str, float]]) -> FrameworkOperators:
    """Rows of rank 0: (name, seconds on the host)."""
    intern = Interner()
    names = ids(intern, [row[0] for row in rows])
    host = floats([row[1] for row in rows])
    none = sealed(np.full(len(rows), -1, np.int32))
    unknown = floats([float("nan")] * len(rows))
    return FrameworkOperators(
        strings=intern.strings(),
        rank=sealed(np.zeros(len(rows), np.int32)),
        name=names,
        shapes=none,
        stack=none,
        host_self=host,
        host_total=host,
        device_self=unknown,
        device_total=unknown,
        aicore_self=unknown,
        aicore_total=unknown,
    )


def cluster(rows: Sequence[Step]) -> Profile:
    """What a cluster's files alone give."""
    ranks = sorted({row.rank for row in rows})
    return profile(ranks=ranks, mode=CLUSTER, training_steps=steps_of(rows))


def with_timeline(made: Profile, line: Timeline) -> Profile:
    return made.with_section(line)


def ids(intern: Interner, texts: Sequence[str]) -> Any:
    """int32: -1 for an empty text."""
    return sealed(np.array([intern(text) if text else -1 for text in texts], np.int32))


def rank_of(rows: Sequence[Any]) -> Any:
    return sealed(np.array([row.rank for row in rows], np.int32))


def numbers(values: Sequence[int]) -> Any:
    return sealed(np.array(values, np.int64))


def floats(values: Sequence[float]) -> Any:
    return sealed(np.array(values, np.float64))
