"""Which PopEF files are one model, and whether reading them is heavy work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.popef.read import read
from app.formats.popef.walk import walk
from app.formats.source import Source
from app.profile.arrays import I32
from app.profile.blobs import METADATA
from app.profile.model import Model

MOST_BLOBS = 2000
MOST_MESSAGE_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Names:
    """What a file holds, and what it lacks or has to spare: executables that it names without holding them,
    and tensor data that no anchor of its own takes."""

    executables: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()
    spare: frozenset[str] = frozenset()

    def completes(self, other: Names) -> bool:
        """Holds an executable that ``other`` lacks, or an anchor for data that ``other`` has to spare."""
        return bool(self.executables & other.lacking or self.anchors & other.spare)


def group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Sets of files that complete one another: files of one folder where one names an executable, or holds data for
    an anchor, that it does not have itself and the other has. All other files stand alone, also where
    they use the same names: two whole models are two profiles."""
    sets: list[list[Path]] = []
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        folders.setdefault(path.parent, []).append(path)
    for together in folders.values():
        sets += _linked(together)
    return [tuple(members) for members in sets]


def heavy(sources: Sequence[Source]) -> bool:
    """Many blobs or long metadata; the size of the file says nothing, since payloads are not read."""
    blobs = messages = 0
    for source in sources:
        try:
            for blob in islice(walk(source.read, source.size), MOST_BLOBS):
                blobs += 1
                messages += blob.header.size if blob.header.type == METADATA else 0
        except FormatError:
            continue  # the reader will say it
    return blobs >= MOST_BLOBS or messages > MOST_MESSAGE_BYTES


def _linked(paths: list[Path]) -> list[list[Path]]:
    if len(paths) == 1:
        return [paths]
    names = {path: _names(path) for path in paths}
    sets: list[list[Path]] = []
    for path in paths:
        own = names[path]
        touching = [s for s in sets if any(own.completes(names[p]) or names[p].completes(own) for p in s)]
        sets = [s for s in sets if s not in touching]
        sets.append([*(member for s in touching for member in s), path])
    return [sorted(members) for members in sets]


def _names(path: Path) -> Names:
    """Names for linking; none for a file that would have to be read at length first."""
    try:
        with Source(path) as source:
            if heavy((source,)):
                return Names()
            sink = Collector("popef")
            read((source,), sink)
    except FormatError:
        return Names()
    model = sink.profiles[-1].model
    return _of(model) if model else Names()


def _of(model: Model) -> Names:
    def texts(ids: I32) -> frozenset[str]:
        return frozenset(model.strings.get(index) for index in set(ids.tolist()))

    executables, anchors = texts(model.executables.name), texts(model.anchors.name)
    wanted = texts(model.metadata.executable) | texts(model.opaques.executable)
    return Names(executables, anchors, wanted - executables - {""}, texts(model.tensors.name) - anchors)
