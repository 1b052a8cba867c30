"""Which PopEF files form one model, and whether reading them is expensive."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.popef.read import read
from app.formats.popef.walk import walk
from app.formats.source import Source
from app.profile.arrays import I32
from app.profile.popef import METADATA, Model

MOST_BLOBS = 2000
MOST_MESSAGE_BYTES = 1024 * 1024


class Names(Struct, frozen=True):
    """The contents of a file, the executables that it refers to without containing them, and tensor data that none of
    its anchors uses."""

    executables: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    lacking: frozenset[str] = frozenset()
    spare: frozenset[str] = frozenset()

    def completes(self, other: Names) -> bool:
        """Whether it has an executable that ``other`` lacks, or an anchor for unused data of ``other``."""
        return bool(self.executables & other.lacking or self.anchors & other.spare)


def group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Groups of files that complete each other: files of one folder where one refers to an executable, or has data for
    an anchor, that it lacks and the other has. All other files are separate, even if they use the same names: two
    complete models are two profiles."""
    sets: list[list[Path]] = []
    folders: dict[Path, list[Path]] = {}
    for path in paths:
        folders.setdefault(path.parent, []).append(path)
    for together in folders.values():
        sets += _linked(together)
    return [tuple(members) for members in sets]


def heavy(sources: Sequence[Source]) -> bool:
    """Whether the files have many blobs or long metadata; their size does not matter, since payloads are not read."""
    blobs = messages = 0
    for source in sources:
        try:
            for blob in islice(walk(source.read, source.size), MOST_BLOBS):
                blobs += 1
                messages += blob.header.size if blob.header.type == METADATA else 0
        except FormatError:
            continue  # the reader reports it
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
    """Names for linking; none for a file that would take long to read."""
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
