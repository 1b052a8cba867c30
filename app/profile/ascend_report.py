"""Sections of Ascend operator reports: the files inside, their tables, and the on-chip memory plan of a kernel."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar, Final

from msgspec import Struct, field

from app.language import Text, tr
from app.profile.arrays import I32, I64, U8, Bool
from app.profile.ascend import TypedColumn
from app.profile.bounds import Index, Rows
from app.profile.empty import no_rows
from app.profile.strings import OptionalTextIds, Strings, TextIds


class ReportTable(Struct, frozen=True, eq=False):
    """One table. ``name``: of the file without its ending, or of its part; ``file``: the file in the report;
    ``columns``: one value wide, with the titles of the file, known or not: numbers as float64 with NaN for no data (NA,
    N/A, empty), other cells as text ids with -1."""

    name: str
    file: str
    columns: Annotated[tuple[TypedColumn, ...], Rows("rows")]

    @property
    def rows(self) -> int:
        return len(self.columns[0].values) if self.columns else 0


class ReportTables(Struct, frozen=True, eq=False):
    """The tables of an Ascend operator report (Ascend operator reports, sections 2.2, 2.3 and 3), unchanged. Other
    sections are made from them."""

    SECTION: ClassVar[str] = "report_tables"
    tables: tuple[ReportTable, ...]

    def named_like(self, name: str) -> ReportTable | None:
        """The first table of that name, or of that name and a time stamp (section 4); None without one."""
        lowered = name.lower()
        stamped = re.compile(rf"{re.escape(lowered)}(_\d{{17}})?")
        return next((table for table in self.tables if stamped.fullmatch(table.name.lower())), None)


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
    name: TextIds
    kind: Annotated[U8, Index(len(KIND_NAMES))]
    use: Annotated[U8, Index(len(USE_NAMES))]
    type: I64
    file: Annotated[I32, Index("files")]
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


class OnchipScopes(Struct, frozen=True, eq=False):
    """Memories (ub, cbuf, cc, ...). ``name``, ``status``, ``error``: int32[scopes] text ids, -1 none."""

    name: OptionalTextIds
    status: OptionalTextIds
    error: OptionalTextIds


class OnchipBlocks(Struct, frozen=True, eq=False):
    """One row per block; a buffer with several offsets (double buffering) has a block for each.

    ``scope``: int32 index into the scopes; ``buffer``, ``source``: int32 text ids, -1 none; ``part``: int32, which
    offset of its buffer; ``address`` and ``size``: int64 bytes; ``allocated``, ``start``, ``end``: int64, steps of the
    kernel's intermediate code, inclusive; all -1 if the file gives none. ``temporary``: bool.
    """

    scope: Annotated[I32, Index("scopes.name")]
    buffer: OptionalTextIds
    source: OptionalTextIds
    part: I32
    address: I64
    size: I64
    allocated: I64
    start: I64
    end: I64
    temporary: Bool

    def __len__(self) -> int:
        return len(self.scope)


class Onchip(Struct, frozen=True, eq=False):
    """The on-chip memory plan of a Triton kernel: memory_info.json (Ascend operator files, section 2.14)."""

    SECTION: ClassVar[str] = "onchip"
    kernel: str
    strings: Strings
    scopes: OnchipScopes = field(default_factory=partial(no_rows, OnchipScopes))
    blocks: OnchipBlocks = field(default_factory=partial(no_rows, OnchipBlocks))
