"""Which ranks are of one run: their numbers differ, their times overlap, and an operation of communication has the
same name on them (Ascend captures, section 1). Read from the beginnings and ends of files, before these are opened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct, field

from app.formats.ascend_capture.identity import collected, load, rank_in, whole
from app.formats.ascend_capture.kinds import Kind
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.language import Text, tr

GLANCE_BYTES: Final = 1 << 20
_NAME: Final = re.compile(rb"\b(hcom_[A-Za-z]{1,40}__\w{1,120})")
_TIME: Final = re.compile(rb"\b(\d{16})\.\d")
"""A time in microseconds since 1970 has 16 digits from 2001 to 2286."""
_MOST_NAMES: Final = 10_000
_OPERATION_NAME: Final = re.compile(r"hcom_[A-Za-z]+__\w+(@.*)?", re.ASCII)
"""A name with the group and the number of the operation, which only the ranks of one run share."""


class Folder(Protocol):
    """A rank's folder, with the kinds of its files."""

    @property
    def root(self) -> Path: ...
    @property
    def kinds(self) -> Mapping[Path, Kind | None]: ...
    @property
    def is_cluster(self) -> bool: ...


class Glance(Struct):
    """What tells runs apart. ``rank``, ``device``: -1 where nothing states it; ``times``: nanoseconds since 1970 at
    which something happened, earliest and latest among them; ``names``: of some operations of communication."""

    rank: int = -1
    device: int = -1
    times: list[int] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    @property
    def begin(self) -> int:
        return min(self.times, default=0)

    @property
    def end(self) -> int:
        return max(self.times, default=0)


def glance(unit: Folder) -> Glance:
    """A look at the files of a rank. Files that cannot be read say nothing."""
    values = {path: load(path) if kind in ("info", "metadata") else None for path, kind in unit.kinds.items()}
    seen = Glance(rank_in(unit.root, values))
    seen.times += collected(values)
    for path, kind in unit.kinds.items():
        if kind in ("kernels", "communication"):
            for place, text in enumerate(_ends(path)):
                seen.times += [int(time) * 1000 for time in _TIME.findall(text)]
                seen.names.update(name.decode() for name in _NAME.findall(text)[:_MOST_NAMES])
                if kind == "kernels" and place == 0:
                    seen.device = max(seen.device, _device(text))
        elif kind == "database":
            _look_into(path, seen)
    return seen


def _look_into(path: Path, seen: Glance) -> None:
    """Adds what a database says."""
    from app.formats.ascend_capture.database_safe import Database

    try:
        with Database(path, Problems(lambda _: None, path.name)) as database:
            ranks = database.read("RANK_DEVICE_MAP", {"rankId": "int", "deviceId": "int"})
            for rank, device in zip(ranks.known("rankId").tolist(), ranks.known("deviceId").tolist(), strict=True):
                if seen.rank < 0:
                    seen.rank = whole(rank)
                seen.device = max(seen.device, whole(device))
            for table, begin, end in (
                ("SESSION_TIME_INFO", "startTimeNs", "endTimeNs"),
                ("COMMUNICATION_OP", "startNs", "endNs"),
            ):
                times = database.read(table, {begin: "int", end: "int"})
                known = [int(time) for name in (begin, end) for time in times.known(name).tolist() if time > 0]
                seen.times += [min(known), max(known)] if known else []
            names = database.beginning("STRING_IDS", "value", "hcom_", _MOST_NAMES)
            names += database.beginning("COMMANALYZERTIME", "hccl_op_name", "hcom_", _MOST_NAMES)
            seen.names.update(name.partition("@")[0] for name in names if _OPERATION_NAME.fullmatch(name))
    except FormatError:
        return


def _ends(path: Path) -> Iterator[bytes]:
    """The first and the last bytes of a file."""
    try:
        with Source(path) as source:
            yield source.head(GLANCE_BYTES)
            if source.size > GLANCE_BYTES:
                yield source.read(
                    max(source.size - GLANCE_BYTES, GLANCE_BYTES), min(GLANCE_BYTES, source.size - GLANCE_BYTES)
                )
    except FormatError:
        return


def _device(text: bytes) -> int:
    """The device in the first row of a table of kernels, -1 without one."""
    title, _, rest = text.partition(b"\n")
    titles = [each.strip().lower() for each in title.split(b",")]
    row = rest.partition(b"\n")[0].split(b",")
    place = titles.index(b"device_id") if b"device_id" in titles else len(row)
    return whole(row[place].strip().decode("ascii", "replace")) if place < len(row) else -1


def difference(one: Glance, other: Glance) -> Text:
    """Why two ranks are not of one run, as a phrase; "" if they are."""
    if one.times and other.times and (one.begin > other.end or other.begin > one.end):
        return tr("their times do not overlap")
    known = min(one.rank, other.rank) >= 0
    if not known and min(one.device, other.device) < 0:
        return tr("nothing states the number of a rank")
    if known and one.rank == other.rank:
        return tr("both are rank {rank}", rank=one.rank)
    if not known and one.device == other.device:
        return tr("both ran on device {device}", device=one.device)
    if not one.names or not other.names:
        return tr("no communication is known that both took part in")
    if not one.times or not other.times:
        return tr("their times are unknown")
    return "" if one.names & other.names else tr("no operation of communication has the same name on both")


def _differ(one: Glance, other: Glance) -> bool:
    """Whether these are two ranks, by their numbers or else by their devices."""
    if min(one.rank, other.rank) >= 0:
        return one.rank != other.rank
    return min(one.device, other.device) >= 0 and one.device != other.device


def runs(units: Sequence[Folder]) -> list[list[Folder]]:
    """``units`` by runs, in their order. A cluster's output is a run of its own unless it lies beside the ranks that it
    is about."""
    ranks = [unit for unit in units if not unit.is_cluster]
    parents: dict[Path, list[tuple[Folder, Glance]]] = {}
    for unit in ranks:
        parents.setdefault(unit.root.parent, []).append((unit, glance(unit)))
    made: list[list[Folder]] = []
    for together in parents.values():
        own: list[list[tuple[Folder, Glance]]] = []
        for unit, seen in together:
            for run in own:
                if all(_differ(seen, other) for _, other in run) and any(
                    not difference(seen, other) for _, other in run
                ):
                    run.append((unit, seen))
                    break
            else:
                own.append([(unit, seen)])
        made += [[unit for unit, _ in run] for run in own]
    clusters = [unit for unit in units if unit.is_cluster]
    for unit in clusters:
        fitting = next((run for run in made if run[0].root.parent == unit.root.parent and _fits(unit, run)), None)
        if fitting is None:
            made.append([unit])
        else:
            fitting.append(unit)
    return made


def _fits(cluster: Folder, run: Sequence[Folder]) -> bool:
    """Whether a cluster's output names an operation of communication, with its group, that the ranks have."""
    return bool(_operations(cluster, "cluster_communication") & _operations(run[0], "communication"))


_OPERATION: Final = re.compile(rb'"(hcom_[A-Za-z0-9_]{1,120}@[0-9A-Za-z_]{1,120})"')


def _operations(unit: Folder, wanted: Kind) -> set[bytes]:
    names: set[bytes] = set()
    for path, kind in unit.kinds.items():
        if kind == wanted:
            for text in _ends(path):
                names.update(_OPERATION.findall(text))
    return names
