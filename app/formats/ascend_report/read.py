"""Reads a folder or a pack: one profile for it, and one for each pack inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from app.formats.ascend_report.container import Pack, is_pack, read_pack
from app.formats.ascend_report.files import folder_name, members_of, stem
from app.formats.ascend_report.members import Member
from app.formats.ascend_report.report import Report
from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.pool import ALONE, Pool
from app.formats.source import Source
from app.language import tr

DEEPEST: Final = 8
MOST_PACKS: Final = 1024
"""Limits on packs inside packs; a report has some dozens of kernels."""


def read(sources: Sequence[Source], sink: Sink, pool: Pool = ALONE) -> None:
    """Sends one profile for all ``sources`` together, or for a pack one for it and for each pack inside. Raises
    FormatError where the only file is a pack whose head cannot be used."""
    if len(sources) == 1 and is_pack(sources[0].head(8)):
        packs = _Packs(sources[0], sink, pool)
        packs.open(0, sources[0].size, stem(sources[0].path.name), 0)
        for each in packs.opened:
            each.report.read(each.pack.members)
        return
    report = Report(sink, folder_name(sources), tuple(source.path for source in sources), pool)
    report.read(members_of(sources, report.problems))


class _Opened(Struct, frozen=True, eq=False):
    """A pack whose table of entries was read, and the report that its profile becomes."""

    pack: Pack
    report: Report


class _Packs:
    """The packs of a file. ``opened``: in the order of their profiles; a pack that holds only packs comes after
    those."""

    def __init__(self, source: Source, sink: Sink, pool: Pool) -> None:
        self.opened: list[_Opened] = []
        self._source = source
        self._sink = sink
        self._pool = pool
        self._count = 0

    def open(self, offset: int, size: int, name: str, depth: int) -> None:
        """Reads the tables of entries of a pack and of those inside it. FormatError if its head cannot be used."""
        self._count += 1
        report = Report(self._sink, name, (self._source.path,), self._pool, fixed=depth > 0)
        pack = read_pack(self._source, 0, offset, size, report.problems)
        report.container = pack.head.variant
        nested = [member for member in pack.members if member.kind == "pack"]
        last = bool(nested) and len(nested) == len(pack.members)
        if not last:
            self.opened.append(_Opened(pack, report))
        for member in nested:
            self._inside(member, report, depth)
        if last:
            self.opened.append(_Opened(pack, report))

    def _inside(self, member: Member, report: Report, depth: int) -> None:
        if depth == DEEPEST or self._count >= MOST_PACKS:
            text = tr("{name} is not opened: packs are nested too deeply, or there are too many", name=member.name)
            report.problems.add("warning", tr("packs that are not opened"), member.offset, text)
            return
        try:
            self.open(member.offset, member.size, stem(member.name), depth + 1)
            report.packs.add(member.name)
        except FormatError as error:
            text = tr("{name} cannot be opened: {error}", name=member.name, error=error.text)
            report.problems.add("error", tr("packs that cannot be opened"), member.offset, text)
