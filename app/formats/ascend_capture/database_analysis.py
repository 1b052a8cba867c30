"""analysis.db, and the same tables of cluster_analysis.db: steps, communication and links as the producer computed them
(Ascend captures, sections 3 and 7). Times there are milliseconds and steps microseconds, sizes 10^6 bytes; those of a
cluster's database were not seen in a real file: columns by the code that writes them, units as those of the ranks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_capture.database_columns import Kind
from app.formats.ascend_capture.database_safe import Database, Fetched
from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.formats.numbering import distinct_texts
from app.language import tr
from app.profile.arrays import I32, I64, U8, Bool, among, sealed
from app.profile.ascend_capture import COLLECTIVE, POINT_TO_POINT, Collectives, Links, Packets, TrainingSteps
from app.profile.profile import Section
from app.profile.strings import Strings, all_of, taken

_STEP: Final = re.compile(r"(?:step)?(\d{1,18})")
_NUMBER: Final = re.compile(r"\d{1,18}")
_P2P: Final = re.compile(r"hcom_(send|receive|batchSendRecv)", re.IGNORECASE)
_TOTAL: Final = "Total Op Info"
_US: Final = 1e-6
_MS: Final = 1e-3
_MEGA: Final = 1e6
_GIGA: Final = 1e9
_NS_PER_US: Final = 1000.0
_LATEST: Final = 4e15
"""Microseconds: a century after 1970."""
STEP_FIELDS: Final = (
    ("computing", "computing"),
    ("exposed", "communication_not_overlapped"),
    ("overlapped", "overlapped"),
    ("communication", "communication"),
    ("free", "free"),
    ("stage", "stage"),
    ("bubble", "bubble"),
    ("exposed_without_receive", "communication_not_overlapped_and_exclude_receive"),
    ("preparing", "preparing"),
)
"""(field of TrainingSteps, column of StepTraceTime)."""
_TIMES: Final[dict[str, Kind]] = dict.fromkeys(
    ("transit_time", "wait_time", "synchronization_time", "idle_time"), "float"
)
RANK_TABLES: Final = ("STEPTRACETIME", "COMMANALYZERTIME", "COMMANALYZERBANDWIDTH", "COMMANALYZERMATRIX")
CLUSTER_TABLES: Final = (
    "CLUSTERSTEPTRACETIME",
    "CLUSTERCOMMUNICATIONTIME",
    "CLUSTERCOMMUNICATIONBANDWIDTH",
    "CLUSTERCOMMUNICATIONMATRIX",
)


class ClusterRows(Struct, frozen=True, eq=False):
    """What a cluster's database holds. The column ``rank`` of ``sections`` holds numbers of ranks; ``groups``: (role,
    ranks) by the name of the group; ``devices``, ``hosts``: by the number of the rank, as far as known."""

    sections: tuple[Section, ...]
    groups: dict[str, tuple[str, str]]
    devices: dict[int, int]
    hosts: dict[int, str]


def read_cluster(path: Path, sink: Sink, tell: Callable[[int], None] = lambda _: None) -> ClusterRows:
    """cluster_analysis.db. ``sink`` gets the issues, ``tell`` the bytes that are done. Raises FormatError where the
    file is no such database."""
    problems = Problems(sink, path.name)
    try:
        with Database(path, problems, tell) as database:
            wanted = [*CLUSTER_TABLES, "COMMUNICATIONGROUPMAPPING", "CLUSTERBASEINFO", "HOSTINFO", "RANKDEVICEMAP"]
            if not database.has(*wanted):
                raise FormatError(tr("this is not the database of a cluster"), path=str(path))
            database.expect()
            sections = [
                cluster_steps(database),
                communication_times(database, "CLUSTERCOMMUNICATIONTIME"),
                packets(database, "CLUSTERCOMMUNICATIONBANDWIDTH"),
                links(database, "CLUSTERCOMMUNICATIONMATRIX"),
            ]
            devices, hosts = _machines(database)
            rows = tuple(section for section in sections if section is not None and len(section))
            return ClusterRows(rows, _groups(database), devices, hosts)
    finally:
        problems.finish()


def steps_of_rank(database: Database) -> TrainingSteps | None:
    """StepTraceTime; None without it."""
    if not database.has("STEPTRACETIME"):
        return None
    wanted: dict[str, Kind] = {"step": "text", **{column: "float" for _, column in STEP_FIELDS}}
    fetched = database.read("STEPTRACETIME", wanted)
    return _steps(fetched, np.zeros(fetched.count, np.int32), np.ones(fetched.count, np.bool_))


def cluster_steps(database: Database) -> TrainingSteps | None:
    """Rows of ranks; those of stages are maxima of ranks."""
    if not database.has("CLUSTERSTEPTRACETIME") or database.lacks("CLUSTERSTEPTRACETIME", "type", "index"):
        return None
    wanted: dict[str, Kind] = {"step": "text", "type": "text", "index": "text"}
    wanted |= {column: "float" for _, column in STEP_FIELDS}
    fetched = database.read("CLUSTERSTEPTRACETIME", wanted)
    rank = _numbers(fetched.texts("index"), _NUMBER)
    of_rank = _by_text(fetched.texts("type"), lambda text: int(text.lower() == "rank"), np.int64) == 1
    good = of_rank & (rank >= 0) & (rank < 1 << 31)
    return _steps(fetched, rank.astype(np.int32), good)


def _steps(fetched: Fetched, rank: I32, good: Bool) -> TrainingSteps:
    none = sealed(np.full(int(np.count_nonzero(good)), -1, np.int64))
    return TrainingSteps(
        rank=sealed(rank[good].astype(np.int32)),
        step=sealed(_numbers(fetched.texts("step"), _STEP)[good]),
        start=none,
        end=none,
        device_start=none,
        device_end=none,
        **{field: sealed(fetched.floats(column)[good] * _US) for field, column in STEP_FIELDS},
    )


def communication_times(database: Database, table: str) -> Collectives | None:
    """CommAnalyzerTime: its starts are within 0.25 µs of the time, and an end is a start and what elapsed."""
    if not database.has(table) or database.lacks(table, "hccl_op_name"):
        return None
    wanted: dict[str, Kind] = dict.fromkeys(("start_timestamp", "elapse_time", "elapsed_time"), "float")
    fetched = database.read(table, {**_NAMES, "type": "text", **wanted, **_TIMES})
    which = np.flatnonzero(_operations(fetched))
    stamp = fetched.floats("start_timestamp")[which]
    timed = (stamp >= 0) & (stamp < _LATEST)
    whole = np.floor(np.where(timed, stamp, 0))  # a product of the whole number has no room for its last digits
    fraction = np.rint((np.where(timed, stamp, 0) - whole) * _NS_PER_US)
    start = np.where(timed, whole.astype(np.int64) * int(_NS_PER_US) + fraction.astype(np.int64), -1)
    spans = [fetched.floats(name)[which] for name in ("elapse_time", "elapsed_time")]
    span = np.where(np.isnan(spans[0]), spans[1], spans[0]) * _MS
    known = timed & (span >= 0) & (span < 1e9)
    end = np.where(known, start + np.rint(np.where(known, span, 0) * _GIGA).astype(np.int64), -1)
    strings, (name, group) = _texts(fetched, ("hccl_op_name", "group_name"), which)
    return Collectives(
        strings=strings,
        rank=_ranks(fetched)[which],
        step=_numbers(fetched.texts("step"), _STEP)[which],
        name=name,
        group=_optional(strings, group),
        kind=_kinds(fetched)[which],
        start=sealed(start),
        end=sealed(end),
        **{field: sealed(fetched.floats(f"{field}_time")[which] * _MS) for field in _SPENT},
        algorithm=sealed(np.full(len(which), -1, np.int32)),
        data_type=sealed(np.full(len(which), -1, np.int32)),
        count=sealed(np.full(len(which), -1, np.int64)),
        connection=sealed(np.full(len(which), -1, np.int64)),
    )


_SPENT: Final = ("transit", "wait", "synchronization", "idle")
_NAMES: Final[dict[str, Kind]] = {"hccl_op_name": "text", "group_name": "text", "step": "text", "rank_id": "int"}


def packets(database: Database, table: str) -> Packets | None:
    """CommAnalyzerBandwidth: one row per size of packets; rows without packets only repeat a total."""
    if not database.has(table) or database.lacks(table, "hccl_op_name", "package_size", "count"):
        return None
    wanted: dict[str, Kind] = dict.fromkeys(("package_size", "count", "total_duration"), "float")
    fetched = database.read(table, {**_NAMES, "transport_type": "text", "band_type": "text", **wanted})
    size, count = fetched.floats("package_size") * _MEGA, fetched.floats("count")
    which = np.flatnonzero(_operations(fetched) & (size > 0) & (size < 1e30) & (count > 0) & (count < 2.0**53))
    transport = "band_type" if "band_type" in fetched.present else "transport_type"
    strings, (name, group, over) = _texts(fetched, ("hccl_op_name", "group_name", transport), which)
    return Packets(
        strings=strings,
        rank=_ranks(fetched)[which],
        step=_numbers(fetched.texts("step"), _STEP)[which],
        name=name,
        group=_optional(strings, group),
        transport=over,
        size=sealed(size[which]),
        count=sealed(count[which].astype(np.int64)),
        time=sealed(fetched.floats("total_duration")[which] * _MS),
    )


def links(database: Database, table: str) -> Links | None:
    """CommAnalyzerMatrix."""
    if not database.has(table) or database.lacks(table, "hccl_op_name", "src_rank", "dst_rank"):
        return None
    wanted: dict[str, Kind] = dict.fromkeys(("transit_size", "transit_time", "bandwidth"), "float")
    ends: dict[str, Kind] = dict.fromkeys(("src_rank", "dst_rank"), "text")
    fetched = database.read(table, {**_NAMES, "transport_type": "text", **ends, **wanted})
    source, target = (_numbers(fetched.texts(column), _NUMBER) for column in ends)
    which = np.flatnonzero(_operations(fetched) & (source >= 0) & (target >= 0))
    strings, (title, group, transport) = _texts(fetched, ("hccl_op_name", "group_name", "transport_type"), which)
    kinds, selections = zip(*map(_selection, strings.tolist()), strict=True) if len(strings) else ((), ())
    more = Strings.of([*kinds, *selections])
    count = len(strings)
    strings, ids = distinct_texts(all_of([strings, more]))
    rank = _ranks(fetched)[which]
    if "rank_id" not in fetched.present and table != "COMMANALYZERMATRIX":  # of a cluster: a link is of its source
        rank = np.where(source[which] < 1 << 31, source[which], 0).astype(np.int32)
    group, transport = ids[group], ids[transport]
    return Links(
        strings=strings,
        rank=sealed(rank),
        step=_numbers(fetched.texts("step"), _STEP)[which],
        name=sealed(ids[count + title]),
        selection=sealed(ids[2 * count + title]),
        group=_optional(strings, group),
        source=sealed(source[which]),
        target=sealed(target[which]),
        transport=_optional(strings, transport),
        size=sealed(fetched.floats("transit_size")[which] * _MEGA),
        time=sealed(fetched.floats("transit_time")[which] * _MS),
        bandwidth=sealed(fetched.floats("bandwidth")[which] * _GIGA),
    )


def _selection(title: str) -> tuple[str, str]:
    """("allreduce", "top1") of "allreduce-top1"; a name without selection stays whole."""
    name, _, selection = title.rpartition("-")
    return (name, selection) if name else (title, "")


def _operations(fetched: Fetched) -> Bool:
    """bool: rows of operations, with a rank where these have one."""
    names = _by_text(
        fetched.texts("hccl_op_name"), lambda text: int(bool(text) and not text.startswith(_TOTAL)), np.int64
    )
    good: Bool = names == 1
    if "rank_id" in fetched.present:
        rank = fetched.ints("rank_id")
        good &= (rank >= 0) & (rank < 1 << 31)
    return good


def _ranks(fetched: Fetched) -> I32:
    if "rank_id" not in fetched.present:
        return sealed(np.zeros(fetched.count, np.int32))
    rank = fetched.ints("rank_id")
    return sealed(np.where((rank >= 0) & (rank < 1 << 31), rank, -1).astype(np.int32))


def _kinds(fetched: Fetched) -> U8:
    """uint8: by the type that the table states, else by the name."""
    named = _by_text(fetched.texts("hccl_op_name"), lambda text: int(_P2P.match(text) is not None), np.int64) == 1
    stated = _by_text(
        fetched.texts("type"),
        lambda text: ("", "collective", "p2p").index(text) if text in ("collective", "p2p") else 0,
        np.int64,
    )
    p2p = np.where(stated == 0, named, stated == 2)
    return np.where(p2p, POINT_TO_POINT, COLLECTIVE).astype(np.uint8)


def _by_text(strings: Strings, make: Callable[[str], int], kind: type[np.integer]) -> I64:
    """What ``make`` says about each text, which is asked once about each distinct one."""
    different, ids = distinct_texts(strings)
    made = np.array([make(text) for text in different.tolist()], kind)
    return made[ids] if len(made) else np.empty(0, kind)


def _numbers(strings: Strings, pattern: re.Pattern[str]) -> I64:
    """int64: the number in each text, -1 in one that has none."""

    def number(text: str) -> int:
        match = pattern.fullmatch(text.strip())
        return int(match[match.re.groups]) if match else -1

    return sealed(_by_text(strings, number, np.int64))


def _texts(fetched: Fetched, names: Sequence[str], which: I64) -> tuple[Strings, list[I32]]:
    """The distinct texts of some rows of several columns, and the number of each text."""
    tables = [taken(fetched.texts(name), which) for name in names]
    strings, ids = distinct_texts(all_of(tables))
    count = len(which)
    return strings, [sealed(ids[at * count : (at + 1) * count]) for at in range(len(names))]


def _optional(strings: Strings, ids: I32) -> I32:
    """``ids`` with -1 for empty texts."""
    empty = strings.find("")
    return sealed(np.where(among(ids, empty), -1, ids).astype(np.int32)) if len(empty) else sealed(ids)


def _groups(database: Database) -> dict[str, tuple[str, str]]:
    wanted: dict[str, Kind] = dict.fromkeys(("rank_set", "group_name", "pg_name"), "text")
    fetched = database.read("COMMUNICATIONGROUPMAPPING", wanted)
    columns = [fetched.texts(name).tolist() for name in wanted]
    found = {}
    for ranks, name, role in zip(*columns, strict=True):
        numbers = sorted({int(one) for one in re.findall(r"\d{1,9}", ranks)})
        if name:
            found[name] = (role, ", ".join(map(str, numbers)))
    return found


def _machines(database: Database) -> tuple[dict[int, int], dict[int, str]]:
    """(devices, hosts) by rank."""
    wanted: dict[str, Kind] = {"rankId": "int", "deviceId": "int", "hostUid": "text"}
    fetched = database.read("RANKDEVICEMAP", wanted)
    devices, hosts = {}, {}
    rows = zip(
        fetched.known("rankId").tolist(), fetched.known("deviceId").tolist(), fetched.texts("hostUid"), strict=True
    )
    for rank, device, host in rows:
        if rank >= 0:
            devices[rank] = device
            if host:
                hosts[rank] = host
    return devices, hosts
