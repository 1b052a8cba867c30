"""Reads single blocks of an Ascend operator file as stored: to display, or to save for another tool."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from app.formats.ascend_bin.blocks import HEADER, MARK
from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr
from app.profile.profile import Profile
from app.store.outputs import output_file
from app.store.token import Token

PIECE = 1 << 22
OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes done and the total."""


class RawBlock(Struct, frozen=True):
    """``row`` of the section; ``size`` bytes of content from ``payload``, without the padding; ``kind`` and
    ``padding``: what the header at ``offset`` said, to detect that the file was rewritten."""

    path: Path
    row: int
    kind: int
    offset: int
    payload: int
    size: int
    padding: int
    source: str


def raw_block(profile: Profile, row: int) -> RawBlock | None:
    """Block ``row`` of the file's blocks; None if there is none."""
    blocks = profile.raw_blocks
    if blocks is None or not 0 <= row < len(blocks) or not profile.origin.paths:
        return None
    return RawBlock(
        profile.origin.paths[0],
        row,
        int(blocks.type[row]),
        int(blocks.offset[row]),
        int(blocks.payload[row]),
        int(blocks.size[row]),
        int(blocks.padding[row]),
        blocks.paths.get(int(blocks.path[row])),
    )


def read_bytes(block: RawBlock, first: int, count: int) -> bytes:
    """Up to ``count`` bytes of the content, from ``first`` on. FormatError if the file has changed."""
    with _opened(block) as source:
        start = min(max(first, 0), block.size)
        return source.read(block.payload + start, min(max(count, 0), block.size - start))


def save(block: RawBlock, path: Path, token: Token | None = None, report: OnProgress | None = None) -> None:
    """Write the content to ``path``, completely or not at all. FormatError if the file has changed, OSError if ``path``
    cannot be written, Cancelled between two pieces."""
    with output_file(path, [block.path]) as part, part.open("wb") as file, _opened(block) as source:
        for done in range(0, block.size, PIECE):
            if token is not None:
                token.check()
            file.write(source.read(block.payload + done, min(PIECE, block.size - done)))
            if report is not None:
                report(min(done + PIECE, block.size), block.size)


@contextmanager
def _opened(block: RawBlock) -> Iterator[Source]:
    with Source(block.path) as source:
        same = block.offset + HEADER.size <= source.size and block.payload + block.size <= source.size
        if same:
            size, kind, padding, _, mark = HEADER.unpack(source.read(block.offset, HEADER.size))
            cut = block.payload + size > source.size  # a truncated block claims more than there is
            same = (kind, mark) == (block.kind, MARK) and (cut or max(size - padding, 0) == block.size)
        if not same:
            raise FormatError(tr("the file has changed since it was read; reload it"), path=str(block.path))
        yield source
