"""The files inside a report as they are stored."""

from __future__ import annotations

from app.formats.ascend_report.container import same_entry
from app.formats.source import Source
from app.profile.ascend_report import KIND_NAMES, Entries
from app.profile.profile import Profile
from app.store.raw_block import raw_block
from app.store.stored_part import StoredPart


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
