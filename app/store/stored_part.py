"""Reads what a profile left in files when the user asks for it: stored parts, and the sources that it names."""

from __future__ import annotations

import codecs
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from app.analysis.tables.ascend_report import file_name, kind_name
from app.formats.ascend_bin.blocks import HEADER, MARK
from app.formats.ascend_report.members import same_entry
from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr
from app.profile.ascend_report import KIND_NAMES, Entries
from app.profile.profile import Profile
from app.store.outputs import output_file
from app.store.token import Token

PIECE = 1 << 22
OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes done and the total."""


class StoredPart(Struct, frozen=True):
    """``size`` bytes of content from ``payload`` of a file; ``row``: its place in the section that lists it."""

    path: Path
    row: int
    payload: int
    size: int

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is, for people."""

    @property
    @abstractmethod
    def file_name(self) -> str:
        """The name for a file with its content."""

    @abstractmethod
    def unchanged(self, source: Source) -> bool:
        """Whether the file still has this part at its place. FormatError where it cannot be read."""


def read_bytes(part: StoredPart, first: int, count: int) -> bytes:
    """Up to ``count`` bytes of the content, from ``first`` on. FormatError if the file has changed."""
    with _opened(part) as source:
        start = min(max(first, 0), part.size)
        return source.read(part.payload + start, min(max(count, 0), part.size - start))


def save(part: StoredPart, path: Path, token: Token | None = None, report: OnProgress | None = None) -> None:
    """Write the content to ``path``, completely or not at all. FormatError if the file has changed, OSError if ``path``
    cannot be written, Cancelled between two pieces."""
    with output_file(path, [part.path]) as scratch, scratch.open("wb") as file, _opened(part) as source:
        for done in range(0, part.size, PIECE):
            if token is not None:
                token.check()
            file.write(source.read(part.payload + done, min(PIECE, part.size - done)))
            if report is not None:
                report(min(done + PIECE, part.size), part.size)


@contextmanager
def _opened(part: StoredPart) -> Iterator[Source]:
    with Source(part.path) as source:
        if part.payload + part.size > source.size or not part.unchanged(source):
            raise FormatError(tr("the file has changed since it was read; reload it"), path=str(part.path))
        yield source


class RawBlock(StoredPart, frozen=True):
    """The content of a block without the padding. ``kind`` and ``padding``: what the header at ``offset`` said, to
    detect that the file was rewritten; ``source``: the path of a source text, else ""."""

    kind: int
    offset: int
    padding: int
    source: str

    @property
    def title(self) -> str:
        return kind_name(self.kind)

    @property
    def file_name(self) -> str:
        return file_name(self.kind, self.row + 1, self.source)

    def unchanged(self, source: Source) -> bool:
        if self.offset + HEADER.size > source.size:
            return False
        size, kind, padding, _, mark = HEADER.unpack(source.read(self.offset, HEADER.size))
        cut = self.payload + size > source.size  # a truncated block claims more than there is
        return (kind, mark) == (self.kind, MARK) and (cut or max(size - padding, 0) == self.size)


def raw_block(profile: Profile, row: int) -> RawBlock | None:
    """Block ``row`` of the file's blocks; None if there is none."""
    blocks = profile.raw_blocks
    if blocks is None or not 0 <= row < len(blocks) or not profile.origin.paths:
        return None
    return RawBlock(
        profile.origin.paths[blocks.file],
        row,
        int(blocks.payload[row]),
        int(blocks.size[row]),
        int(blocks.type[row]),
        int(blocks.offset[row]),
        int(blocks.padding[row]),
        blocks.paths.get(int(blocks.path[row])),
    )


class StoredEntry(StoredPart, frozen=True):
    """A file of a report. ``header``: where its entry lies in the pack, -1 for a file of its own."""

    name: str
    kind: int
    header: int

    @property
    def title(self) -> str:
        return f"{self.name} ({KIND_NAMES[self.kind]})"

    @property
    def file_name(self) -> str:
        """Its own name; folders become a part of it."""
        return self.name.replace("/", "-").lstrip(".") or "entry"

    def unchanged(self, source: Source) -> bool:
        if self.header < 0:
            return source.size == self.size
        return same_entry(source, self.header, self.name, self.size)


def entry(profile: Profile, row: int) -> StoredEntry | None:
    """File ``row`` of a report; None if there is none."""
    own = profile.entries
    if own is None or not 0 <= row < len(own):
        return None
    return StoredEntry(
        profile.origin.paths[int(own.file[row])],
        row,
        int(own.offset[row]),
        int(own.size[row]),
        own.strings.get(int(own.name[row])),
        int(own.kind[row]),
        int(own.header[row]),
    )


def stored_part(profile: Profile, table: str, row: int) -> StoredPart | None:
    """What row ``row`` of the table of that id stands for; None for other tables and rows."""
    if table == "entries":
        return entry(profile, row)
    return raw_block(profile, row) if table == "raw-blocks" else None


def numbered_part(profile: Profile, wanted: str) -> StoredPart | None:
    """A file of a report by its name or its number from 1, or a block of an operator file by its number; FILE/BLOCK is
    a block of the operator file inside a report."""
    own = profile.entries
    if own is None:
        return raw_block(profile, _number(wanted) - 1)
    return _file(profile, own, wanted) or _block_inside(profile, own, wanted)


def _file(profile: Profile, own: Entries, wanted: str) -> StoredEntry | None:
    return entry(profile, own.named(wanted)) or entry(profile, _number(wanted) - 1)


def _block_inside(profile: Profile, own: Entries, wanted: str) -> StoredPart | None:
    file, _, block = wanted.rpartition("/")
    blocks = profile.raw_blocks
    if blocks is None or not file:
        return None
    chosen = _file(profile, own, file)
    named = blocks.inside if chosen is None and blocks.inside.endswith(f"/{file}") else chosen and chosen.name
    return raw_block(profile, _number(block) - 1) if named == blocks.inside else None


def _number(text: str) -> int:
    """A number from 1; 0 for any other text."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else 0


def count_parts(profile: Profile) -> int:
    """How many parts can be saved by their number."""
    own = profile.entries if profile.entries is not None else profile.raw_blocks
    return 0 if own is None else len(own)


LARGEST: Final = 10 << 20
"""Bytes; about what the writers of operator files include."""
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_source_text(path: Path) -> str:
    """The text of a file: UTF-8, or as its byte order mark says. Raises FormatError where it is no readable regular
    file, too large, or no text."""
    with Source(path) as source:
        if source.size > LARGEST:
            text = tr("larger than {most} MB, the limit for showing it", most=f"{LARGEST / 1e6:.1f}")
            raise FormatError(text, path=str(path))
        content = source.read(0, source.size)
    encoding = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "")
    if not encoding and b"\0" in content:
        raise FormatError(tr("this is not a text file"), path=str(path))
    return content.decode(encoding or "utf-8", "replace")
