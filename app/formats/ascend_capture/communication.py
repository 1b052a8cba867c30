"""communication.json and communication_matrix.json of a rank, and the same of a cluster (Ascend captures, sections 2
and 7)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np
from msgspec import Struct, field

from app.formats.ascend_capture.joining import Texts
from app.formats.ascend_capture.kernel_rows import KernelRows
from app.formats.ascend_capture.sheet import nanoseconds
from app.profile.arrays import F64, I64, sealed
from app.profile.ascend_capture import COLLECTIVE, POINT_TO_POINT, Collectives, Links, Packets

Tick = Callable[[], None]
KINDS: Final = {"p2p": POINT_TO_POINT, "collective": COLLECTIVE}
_STEP: Final = re.compile(r"step(\d{1,18})")
_LINK: Final = re.compile(r"(\d{1,18})-(\d{1,18})")
_TOTAL: Final = "Total Op Info"
MEGABYTE: Final = 1e6
"""Sizes in these files (section 5)."""


class Operation(Struct):
    """One operation of one rank. ``start``: nanoseconds; the rest in seconds, NaN for no data."""

    rank: int
    step: int
    kind: int
    name: str
    group: str
    start: int
    elapsed: float
    transit: float
    wait: float
    synchronization: float
    idle: float
    packets: list[tuple[str, float, int, float]]


class Matrix(Struct):
    """The links of one rank or cluster, column by column; times in seconds, sizes in bytes, NaN for no data."""

    rank: list[int] = field(default_factory=list)
    step: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    selection: list[str] = field(default_factory=list)
    group: list[str | None] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    transport: list[str | None] = field(default_factory=list)
    size: list[float] = field(default_factory=list)
    time: list[float] = field(default_factory=list)
    bandwidth: list[float] = field(default_factory=list)


def number(value: object) -> float:
    """A number of JSON, NaN for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e100:
        return np.nan
    return float(value)


def step_number(key: str) -> int:
    """The number in "step50"; -1 without one."""
    match = _STEP.fullmatch(key)
    return int(match[1]) if match else -1


def members(value: object) -> Mapping[str, Any]:
    """The members of an object; none of anything else."""
    return value if isinstance(value, dict) else {}


def of_rank(tree: object, tick: Tick) -> Iterator[Operation]:
    """The operations in communication.json."""
    for step, kinds in members(tree).items():
        for kind, operations in members(kinds).items():
            if kind not in KINDS:
                continue
            for name, facts in members(operations).items():
                tick()
                if name.startswith(_TOTAL) or not isinstance(facts, dict):
                    continue
                yield operation(0, step_number(step), KINDS[kind], name, facts)


def operation(rank: int, step: int, kind: int, name: str, facts: Mapping[str, Any]) -> Operation:
    """What is known of one operation, called ``name@group``."""
    short, _, group = name.partition("@")
    times = members(facts.get("Communication Time Info"))

    def seconds(key: str) -> float:
        return number(times.get(key)) * 1e-3

    return Operation(
        rank,
        step,
        kind,
        short,
        group,
        nanoseconds(times.get("Start Timestamp(us)")) or -1,
        seconds("Elapse Time(ms)"),
        seconds("Transit Time(ms)"),
        seconds("Wait Time(ms)"),
        seconds("Synchronization Time(ms)"),
        seconds("Idle Time(ms)"),
        list(_packets(members(facts.get("Communication Bandwidth Info")))),
    )


def _packets(transports: Mapping[str, Any]) -> Iterator[tuple[str, float, int, float]]:
    """(transport, bytes of a packet, how many, seconds)."""
    for transport, facts in transports.items():
        for size, counted in members(members(facts).get("Size Distribution")).items():
            values = counted if isinstance(counted, list) else []
            try:
                each = float(size) * MEGABYTE
            except ValueError:
                continue
            count = number(values[0]) if values else np.nan
            time = number(values[1]) * 1e-3 if len(values) > 1 else np.nan
            if 0 <= each < 1e30:
                yield transport, each, int(count) if 0 <= count < 1 << 53 else -1, time


def add_links(matrix: Matrix, rank: int, step: int, name: str, links: object) -> None:
    """Adds the links of ``allreduce-top1@group`` or of one operation, ``name@group``."""
    title, _, group = name.partition("@")
    kind, _, selection = title.rpartition("-")
    for key, facts in members(links).items():
        ends = _LINK.fullmatch(key)
        if ends is None or not isinstance(facts, dict):
            continue
        transport = facts.get("Transport Type")
        matrix.rank.append(rank)
        matrix.step.append(step)
        matrix.name.append(kind or title)
        matrix.selection.append(selection if kind else "")
        matrix.group.append(group or None)
        matrix.source.append(int(ends[1]))
        matrix.target.append(int(ends[2]))
        matrix.transport.append(transport if isinstance(transport, str) else None)
        matrix.size.append(number(facts.get("Transit Size(MB)")) * MEGABYTE)
        matrix.time.append(number(facts.get("Transit Time(ms)")) * 1e-3)
        matrix.bandwidth.append(number(facts.get("Bandwidth(GB/s)")) * 1e9)


def links_of_rank(tree: object, tick: Tick) -> Matrix:
    """The links in communication_matrix.json."""
    matrix = Matrix()
    for step, kinds in members(tree).items():
        for kind, operations in members(kinds).items():
            if kind not in KINDS:
                continue
            for name, links in members(operations).items():
                tick()
                if not name.startswith(_TOTAL):
                    add_links(matrix, 0, step_number(step), name, links)
    return matrix


def links(matrix: Matrix) -> Links:
    """The collected columns as a section."""
    texts = Texts()
    for values in (matrix.name, matrix.selection, matrix.group, matrix.transport):
        texts.add_list(values)
    strings, (name, selection, group, transport) = texts.finish()
    return Links(
        strings=strings,
        rank=sealed(np.array(matrix.rank, np.int32)),
        step=_i64(matrix.step),
        name=name,
        selection=selection,
        group=group,
        source=_i64(matrix.source),
        target=_i64(matrix.target),
        transport=transport,
        size=_f64(matrix.size),
        time=_f64(matrix.time),
        bandwidth=_f64(matrix.bandwidth),
    )


def packets(operations: list[Operation]) -> Packets:
    """The packets of ``operations``."""
    rows = [(each, *packet) for each in operations for packet in each.packets]
    texts = Texts()
    texts.add_list([each.name for each, *_ in rows])
    texts.add_list([each.group or None for each, *_ in rows])
    texts.add_list([transport for _, transport, *_ in rows])
    strings, (name, group, transports) = texts.finish()
    return Packets(
        strings=strings,
        rank=sealed(np.array([each.rank for each, *_ in rows], np.int32)),
        step=_i64([each.step for each, *_ in rows]),
        name=name,
        group=group,
        transport=transports,
        size=_f64([size for *_, size, _count, _time in rows]),
        count=_i64([count for *_, count, _time in rows]),
        time=_f64([time for *_, time in rows]),
    )


def collectives(rows: KernelRows | None, operations: list[Operation]) -> Collectives:
    """One row per operation. Those of kernel_details have exact times; what only communication.json has starts within
    0.25 µs of what it says (section 5)."""
    known: dict[tuple[str, int], Operation] = {}
    by_name: dict[str, Operation] = {}
    for each in operations:
        known.setdefault((each.name, each.step), each)
        by_name.setdefault(each.name, each)
    made: list[tuple[Operation, int, int]] = []
    used: set[int] = set()
    if rows is not None:
        times = zip(rows.names, rows.step.tolist(), rows.start.tolist(), rows.end.tolist(), strict=True)
        for name, step, start, end in times:
            found = known.get((name, step)) or by_name.get(name)
            if found is None or id(found) in used:
                found = _unknown(name, step)
            used.add(id(found))
            found.step = step if step >= 0 else found.step
            made.append((found, start, end))
    made += [(each, each.start, _end(each)) for each in operations if id(each) not in used]
    return _section(made)


def _end(each: Operation) -> int:
    if each.start < 0 or not 0 <= each.elapsed < 1e9:
        return -1
    return each.start + round(each.elapsed * 1e9)


def _unknown(name: str, step: int) -> Operation:
    """An operation of which only its row in kernel_details is known."""
    none = np.nan
    kind = (
        POINT_TO_POINT if name.lower().startswith(("hcom_send", "hcom_receive", "hcom_batchsendrecv")) else COLLECTIVE
    )
    return Operation(0, step, kind, name, "", -1, none, none, none, none, none, [])


def _section(made: list[tuple[Operation, int, int]]) -> Collectives:
    texts = Texts()
    texts.add_list([each.name for each, _, _ in made])
    texts.add_list([each.group or None for each, _, _ in made])
    strings, (name, group) = texts.finish()
    none = sealed(np.full(len(made), -1, np.int32))
    without = sealed(np.full(len(made), -1, np.int64))
    return Collectives(
        strings=strings,
        rank=sealed(np.array([each.rank for each, _, _ in made], np.int32)),
        step=_i64([each.step for each, _, _ in made]),
        name=name,
        group=group,
        kind=sealed(np.array([each.kind for each, _, _ in made], np.uint8)),
        start=_i64([start for _, start, _ in made]),
        end=_i64([end for _, _, end in made]),
        transit=_f64([each.transit for each, _, _ in made]),
        wait=_f64([each.wait for each, _, _ in made]),
        synchronization=_f64([each.synchronization for each, _, _ in made]),
        idle=_f64([each.idle for each, _, _ in made]),
        algorithm=none,
        data_type=none,
        count=without,
        connection=without,
    )


def _i64(values: list[int]) -> I64:
    return sealed(np.array(values, np.int64))


def _f64(values: list[float]) -> F64:
    return sealed(np.array(values, np.float64))
