"""communication.json and communication_matrix.json of a rank, and the same of a cluster (Ascend captures, sections 2
and 7)."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from app.formats.ascend_capture.kernel_rows import KernelRows
from app.formats.ascend_capture.sheet import nanoseconds
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.source import Source
from app.formats.walk import Broken
from app.language import tr
from app.profile.arrays import F64, I32, I64, sealed
from app.profile.ascend_capture import COLLECTIVE, POINT_TO_POINT, Collectives, Links, Packets
from app.profile.strings import Interner

KINDS: Final = {"p2p": POINT_TO_POINT, "collective": COLLECTIVE}
MAX_VALUE: Final = 64 << 20
"""The largest object that is decoded at once: one operation on all ranks of a cluster."""
MEGABYTE: Final = 1e6
"""Sizes in these files (section 5)."""
_STEP: Final = re.compile(r"step(\d{1,18})")
_LINK: Final = re.compile(r"(\d{1,18})-(\d{1,18})")
_TOTAL: Final = "Total Op Info"
_POINT_TO_POINT: Final = ("hcom_send", "hcom_receive", "hcom_batchsendrecv")
_TIMES: Final = ("Elapse Time(ms)", "Transit Time(ms)", "Wait Time(ms)", "Synchronization Time(ms)", "Idle Time(ms)")


def leaves(
    source: Source, depth: int, problems: Problems, moved: Callable[[int], None]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """(keys, value) of the members at ``depth`` of the nested objects in ``source``, one at a time. What is damaged is
    reported, and the rest is read as far as possible. Raises FormatError where there is no object."""
    walk = JsonWalk(source, problems, moved)
    if walk.kind() != "object":
        raise FormatError(tr("this is not a JSON object"), offset=walk.offset)
    try:
        yield from _below(walk, depth, (), problems)
    except Broken as error:
        text = tr("{error}; what comes before it is shown", error=error.text)
        problems.add("error", tr("truncated files"), error.offset, text)


def _below(
    walk: JsonWalk, depth: int, keys: tuple[str, ...], problems: Problems
) -> Iterator[tuple[tuple[str, ...], Any]]:
    if walk.kind() != "object":
        return
    for key in walk.members():
        if depth > 1:
            yield from _below(walk, depth - 1, (*keys, key), problems)
            continue
        try:
            value = walk.value(MAX_VALUE)
        except Broken:
            raise
        except FormatError as error:
            problems.add("error", tr("values that cannot be read"), error.offset, error.text)
            continue
        yield (*keys, key), value


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


class Operations:
    """Operations of communication with their packets, column by column. Times in seconds, sizes in bytes, NaN for no
    data; ``start``: nanoseconds, -1 none; ``owner``: which operation sent the packets."""

    def __init__(self) -> None:
        self._texts = Interner()
        self._texts("")
        self.rank = array("i")
        self.step = array("q")
        self.kind = array("B")
        self.name = array("i")
        self.group = array("i")
        self.start = array("q")
        self.times = tuple(array("d") for _ in _TIMES)
        self.owner = array("q")
        self.transport = array("i")
        self.size = array("d")
        self.count = array("q")
        self.time = array("d")

    def __len__(self) -> int:
        return len(self.rank)

    def add(self, rank: int, step: int, kind: int, title: str, facts: object) -> None:
        """Adds the operation ``title`` ("name@group") of a rank."""
        if title.startswith(_TOTAL) or not isinstance(facts, dict):
            return
        name, _, group = title.partition("@")
        times = members(facts.get("Communication Time Info"))
        self._place(rank, step, kind, name, group)
        self.start.append(nanoseconds(times.get("Start Timestamp(us)")) or -1)
        for column, key in zip(self.times, _TIMES, strict=True):
            column.append(number(times.get(key)) / 1e3)
        for transport, about in members(facts.get("Communication Bandwidth Info")).items():
            for size, counted in members(members(about).get("Size Distribution")).items():
                self._add_packets(transport, size, counted if isinstance(counted, list) else [])

    def _place(self, rank: int, step: int, kind: int, name: str, group: str) -> None:
        self.rank.append(rank)
        self.step.append(step)
        self.kind.append(kind)
        self.name.append(self._texts(name))
        self.group.append(self._texts(group) if group else -1)

    def _add_packets(self, transport: str, size: str, counted: list[Any]) -> None:
        try:
            each = float(size) * MEGABYTE
        except ValueError:
            return
        count = number(counted[0]) if counted else np.nan
        if 0 <= each < 1e30:
            self.owner.append(len(self.rank) - 1)
            self.transport.append(self._texts(transport))
            self.size.append(each)
            self.count.append(int(count) if 0 <= count < 1 << 53 else -1)
            self.time.append(number(counted[1]) / 1e3 if len(counted) > 1 else np.nan)

    def packets(self) -> Packets:
        """The packets of all operations."""
        owner = np.array(self.owner, np.int64)
        return Packets(
            strings=self._texts.strings(),
            rank=sealed(_i32(self.rank)[owner]),
            step=sealed(_i64(self.step)[owner]),
            name=sealed(_i32(self.name)[owner]),
            group=sealed(_i32(self.group)[owner]),
            transport=_i32(self.transport),
            size=_f64(self.size),
            count=_i64(self.count),
            time=_f64(self.time),
        )

    def groups(self) -> list[str]:
        """The names of the groups, in the order of the file."""
        texts = list(self._texts.ids)
        return [texts[number] for number in dict.fromkeys(self.group.tolist()) if number >= 0]

    def collectives(self, rows: KernelRows | None = None) -> Collectives:
        """One row per operation. Those in ``rows`` (of kernel_details) have exact times; what only these files have
        starts within 0.25 µs of what they say (section 5)."""
        which = np.arange(len(self), dtype=np.int64)
        start = _i64(self.start)
        end = _ends(start, _f64(self.times[0]))
        step = _i64(self.step)
        if rows is not None:
            which, start, end, step = self._placed(rows, start, end)
        none = sealed(np.full(len(which), -1, np.int32))
        without = sealed(np.full(len(which), -1, np.int64))
        _, transit, wait, synchronization, idle = (sealed(_f64(column)[which]) for column in self.times)
        return Collectives(
            strings=self._texts.strings(),
            rank=sealed(_i32(self.rank)[which]),
            step=sealed(step),
            name=sealed(_i32(self.name)[which]),
            group=sealed(_i32(self.group)[which]),
            kind=sealed(np.array(self.kind, np.uint8)[which]),
            start=sealed(start),
            end=sealed(end),
            transit=transit,
            wait=wait,
            synchronization=synchronization,
            idle=idle,
            algorithm=none,
            data_type=none,
            count=without,
            connection=without,
        )

    def _placed(self, rows: KernelRows, start: I64, end: I64) -> tuple[I64, I64, I64, I64]:
        """(which operation, start, end, step) of all rows: first those of kernel_details, then the others. Operations
        that are only in kernel_details are added."""
        known: dict[tuple[int, int], int] = {}
        by_name: dict[int, int] = {}
        for place, (name, step) in enumerate(zip(self.name.tolist(), self.step.tolist(), strict=True)):
            known.setdefault((name, step), place)
            by_name.setdefault(name, place)
        which = array("q")
        used: set[int] = set()
        for text, step in zip(rows.names, rows.step.tolist(), strict=True):
            name = self._texts(text)
            place = known.get((name, step), by_name.get(name, -1))
            if place < 0 or place in used:
                place = len(self)
                kind = POINT_TO_POINT if text.lower().startswith(_POINT_TO_POINT) else COLLECTIVE
                self._place(0, step, kind, text, "")
                self.start.append(-1)
                for column in self.times:
                    column.append(np.nan)
            used.add(place)
            which.append(place)
        others = np.array([place for place in range(len(start)) if place not in used], np.int64)
        steps = _i64(self.step)
        own = np.where(rows.step >= 0, rows.step, steps[np.array(which, np.int64)])
        return (
            np.concatenate((np.array(which, np.int64), others)),
            np.concatenate((rows.start, start[others])),
            np.concatenate((rows.end, end[others])),
            np.concatenate((own, steps[others])),
        )


def _ends(start: I64, elapsed: F64) -> I64:
    """int64: when operations that take ``elapsed`` seconds end; -1 where that is not known."""
    usable = (start >= 0) & (elapsed >= 0) & (elapsed < 1e9)
    return np.where(usable, start + np.rint(np.where(usable, elapsed, 0) * 1e9).astype(np.int64), -1)


class Matrix:
    """Links of ranks, column by column; times in seconds, sizes in bytes, NaN for no data."""

    def __init__(self) -> None:
        self._texts = Interner()
        self.rank = array("i")
        self.step = array("q")
        self.name = array("i")
        self.selection = array("i")
        self.group = array("i")
        self.source = array("q")
        self.target = array("q")
        self.transport = array("i")
        self.size = array("d")
        self.time = array("d")
        self.bandwidth = array("d")

    def __len__(self) -> int:
        return len(self.rank)

    def add(self, step: int, title: str, links: object, rank_of: Callable[[int], int]) -> None:
        """Adds the links of ``title`` ("allreduce-top1@group", or an operation "name@group"). ``rank_of``: the row of
        Capture that a link from that rank belongs to, negative for none."""
        if title.startswith(_TOTAL):
            return
        name, _, group = title.partition("@")
        kind, _, selection = name.rpartition("-")
        for key, facts in members(links).items():
            ends = _LINK.fullmatch(key)
            rank = rank_of(int(ends[1])) if ends is not None else -1
            if ends is None or rank < 0 or not isinstance(facts, dict):
                continue
            transport = facts.get("Transport Type")
            self.rank.append(rank)
            self.step.append(step)
            self.name.append(self._texts(kind or name))
            self.selection.append(self._texts(selection if kind else ""))
            self.group.append(self._texts(group) if group else -1)
            self.source.append(int(ends[1]))
            self.target.append(int(ends[2]))
            self.transport.append(self._texts(transport) if isinstance(transport, str) else -1)
            self.size.append(number(facts.get("Transit Size(MB)")) * MEGABYTE)
            self.time.append(number(facts.get("Transit Time(ms)")) / 1e3)
            self.bandwidth.append(number(facts.get("Bandwidth(GB/s)")) * 1e9)

    def links(self) -> Links:
        """The links as a section."""
        return Links(
            strings=self._texts.strings(),
            rank=_i32(self.rank),
            step=_i64(self.step),
            name=_i32(self.name),
            selection=_i32(self.selection),
            group=_i32(self.group),
            source=_i64(self.source),
            target=_i64(self.target),
            transport=_i32(self.transport),
            size=_f64(self.size),
            time=_f64(self.time),
            bandwidth=_f64(self.bandwidth),
        )


def operations_of_rank(source: Source, problems: Problems, moved: Callable[[int], None]) -> Operations:
    """communication.json. Raises FormatError where it is no object."""
    made = Operations()
    for (step, kind, title), facts in leaves(source, 3, problems, moved):
        if kind in KINDS:
            made.add(0, step_number(step), KINDS[kind], title, facts)
    return made


def matrix_of_rank(source: Source, problems: Problems, moved: Callable[[int], None]) -> Matrix:
    """communication_matrix.json. Raises FormatError where it is no object."""
    made = Matrix()
    for (step, kind, title), links in leaves(source, 3, problems, moved):
        if kind in KINDS:
            made.add(step_number(step), title, links, lambda _: 0)
    return made


def _i32(values: array[int]) -> I32:
    return sealed(np.array(values, np.int32))


def _i64(values: array[int]) -> I64:
    return sealed(np.array(values, np.int64))


def _f64(values: array[float]) -> F64:
    return sealed(np.array(values, np.float64))
