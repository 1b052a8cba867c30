"""The files inside a report, read or not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from msgspec import Struct

from app.language import Text, tr
from app.profile.arrays import I32, I64, U8
from app.profile.strings import Strings

KIND_NAMES: Final[tuple[Text, ...]] = (
    tr("pack"),
    tr("operator file"),
    tr("trace"),
    tr("table (CSV)"),
    "JSON",
    tr("database (SQLite)"),
    tr("Protocol Buffers"),
    tr("text"),
    tr("other"),
)
"""Index is the number in ``Entries.kind``."""
SHOWN, TIMELINE, SAME, COVERED, PROFILE, NOT_READ = range(6)
USE_NAMES: Final[tuple[Text, ...]] = (
    tr("shown"),
    tr("shown in the timeline"),
    tr("same trace as the one shown"),
    tr("part of the trace shown"),
    tr("a separate profile"),
    tr("not read"),
)
"""Index is the number in ``Entries.use``."""


class Entries(Struct, frozen=True, eq=False):
    """The files of an Ascend operator report: entries of a pack, or files of a folder (Ascend operator reports, section
    1 or 4), in their order.

    ``container``: "cann-rep", "npu-rep 160", "npu-rep 164", or "" for a folder; ``name``: int32 text id; ``kind``,
    ``use``: uint8, indices of KIND_NAMES and USE_NAMES; ``type``: int64 as stored in the entry, -1 without one;
    ``file``: int32 index into the paths of the profile's origin; ``header``: int64, position of the entry in that file,
    -1 for a whole file; ``offset``, ``size``: int64, position and bytes of the content.
    """

    SECTION: ClassVar[str] = "entries"
    container: str
    strings: Strings
    name: I32
    kind: U8
    use: U8
    type: I64
    file: I32
    header: I64
    offset: I64
    size: I64

    def __len__(self) -> int:
        return len(self.name)

    def named(self, name: str) -> int:
        """The first row of that name, -1 without one."""
        ids = set(self.strings.find(name).tolist())
        return next((row for row, own in enumerate(self.name.tolist()) if own in ids), -1)

    def folder(self, paths: Sequence[Path]) -> Path | None:
        """The folder of a report of several files, whose ``paths`` are those of its profile; None for a pack."""
        if self.container or len(paths) < 2 or not len(self):
            return None
        name = self.strings.get(int(self.name[0]))
        parents = paths[int(self.file[0])].parents
        return parents[name.count("/")] if name.count("/") < len(parents) else None
