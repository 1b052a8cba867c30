"""Which ranks are of one run: their numbers differ, their times overlap, and an operation of communication has the
same name on them (Ascend captures, section 1). Read from the beginnings and ends of files, before these are opened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct

from app.formats.ascend_capture.identity import facts_of, load
from app.formats.ascend_capture.kinds import Kind
from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import Text, tr

GLANCE_BYTES: Final = 1 << 20
_NAME: Final = re.compile(rb"\b(hcom_[A-Za-z0-9_]{1,120})")
_TIME: Final = re.compile(rb"\b(\d{16})\.\d")
"""A time in microseconds since 1970 has 16 digits from 2001 to 2286."""
_MOST_NAMES: Final = 10_000


class Folder(Protocol):
    """A rank's folder, with the kinds of its files."""

    @property
    def root(self) -> Path: ...
    @property
    def kinds(self) -> Mapping[Path, Kind | None]: ...
    @property
    def is_cluster(self) -> bool: ...


class Glance(Struct):
    """What tells runs apart. ``rank``: -1 where nothing states it; ``begin``, ``end``: microseconds since 1970, 0
    where no time was seen; ``names``: of some operations of communication."""

    rank: int
    begin: int
    end: int
    names: frozenset[bytes]


def glance(unit: Folder) -> Glance:
    """A look at the files of a rank. Files that cannot be read say nothing."""
    facts = facts_of(unit.root, {path: load(path) for path, kind in unit.kinds.items() if kind in ("info", "metadata")})
    times: list[int] = []
    names: set[bytes] = set()
    for path, kind in unit.kinds.items():
        if kind in ("kernels", "communication"):
            for text in _ends(path):
                times += map(int, _TIME.findall(text))
                names.update(_NAME.findall(text)[:_MOST_NAMES])
    return Glance(facts.rank, min(times, default=0), max(times, default=0), frozenset(names))


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


def difference(one: Glance, other: Glance) -> Text:
    """Why two ranks are not of one run, as a phrase; "" if they are."""
    if one.rank < 0 or other.rank < 0:
        return tr("the number of a rank is not known")
    if one.rank == other.rank:
        return tr("both are rank {rank}", rank=one.rank)
    if not one.names or not other.names:
        return tr("no communication is known that both took part in")
    if one.begin > other.end or other.begin > one.end:
        return tr("their times do not overlap")
    return "" if one.names & other.names else tr("no operation of communication has the same name on both")


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
                if all(other.rank != seen.rank for _, other in run) and any(
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
