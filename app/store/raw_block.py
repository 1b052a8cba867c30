"""The blocks of an Ascend operator file as they are stored."""

from __future__ import annotations

from app.analysis.ascend.block_preview import file_name, kind_name
from app.formats.ascend_bin.blocks import HEADER, MARK
from app.formats.source import Source
from app.profile.profile import Profile
from app.store.stored_part import StoredPart


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
