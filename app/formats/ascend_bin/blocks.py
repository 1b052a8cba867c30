"""The container of Ascend operator files: consecutive blocks with nothing before, between or after them. Files are
recognised by the chain of these blocks."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.language import plural, tr
from app.profile.arrays import sealed
from app.profile.ascend import RawBlocks
from app.profile.strings import Interner

HEADER = struct.Struct("<QBBBB")
PATH_BYTES = 4096
MARK = 0x5A
MAX_BLOCKS = 1 << 18

SOURCE, TRACE, LINES, INSTRUCTIONS, OPERATOR = 0x01, 0x02, 0x03, 0x04, 0x05
WORKLOAD_GRAPH, WORKLOAD_TABLE, MEMORY_PATHS, MEMORY_TABLES = 0x06, 0x07, 0x08, 0x09
ACCESSES, CACHE_SETS, CORE_LOAD, ROOFLINE, CACHE_LINES, STALLS = 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F
LAST_KNOWN = STALLS


class Block(Struct, frozen=True):
    """One block (Ascend operator files, section 1.1). ``payload`` and ``size``: offset and bytes of its content,
    without the padding; ``whole``: False where the file ends inside the block (``size`` is then what is present)."""

    type: int
    offset: int
    payload: int
    size: int
    padding: int
    version: int
    reserved: int
    path: str = ""
    whole: bool = True

    @property
    def end(self) -> int:
        return self.payload + self.size

    @property
    def label(self) -> str:
        return tr("block 0x{type}", type=f"{self.type:02X}")


def plausible(header: bytes) -> bool:
    """Whether 12 bytes can be the header of a block: nonzero size, type in the known range, and the mark."""
    size, kind, padding, _, reserved = HEADER.unpack(header)
    return bool(size > 0 and 0 < kind <= 0x1F and padding <= 3 and reserved == MARK)


def walk(source: Source, problems: Problems) -> tuple[list[Block], FormatError | None]:
    """(the blocks of ``source``, the error that ended the walk early or None)."""
    blocks: list[Block] = []
    at = 0
    while at + HEADER.size <= source.size:
        if len(blocks) == MAX_BLOCKS:
            return blocks, FormatError(
                tr("more than {max_blocks:,} blocks; the rest is not read", max_blocks=MAX_BLOCKS), offset=at
            )
        size, kind, padding, version, reserved = HEADER.unpack(source.read(at, HEADER.size))
        if reserved != MARK:
            rest = source.size - at
            return blocks, FormatError(
                plural(
                    "no block starts here; the last {count:,} byte is not read",
                    "no block starts here; the last {count:,} bytes are not read",
                    count=rest,
                ),
                offset=at,
            )
        payload = at + HEADER.size + (PATH_BYTES if kind == SOURCE else 0)
        block = Block(kind, at, payload, size, padding, version, reserved)
        if payload + size > source.size:
            there = max(source.size - payload, 0)
            text = plural(
                "{block} declares {count:,} byte, but the file ends after {there:,} of them",
                "{block} declares {count:,} bytes, but the file ends after {there:,} of them",
                count=size,
                block=block.label,
                there=there,
            )
            clipped = [replace(block, size=there, path=_path(source, block), whole=False)] if there else []
            return blocks + clipped, FormatError(text, offset=at)
        if size <= padding:
            text = tr(
                "{block} is empty ({size} bytes, {padding} of them padding)",
                block=block.label,
                size=size,
                padding=padding,
            )
            problems.add("warning", tr("empty blocks"), at, text)
        elif padding > 3:
            problems.add(
                "warning",
                tr("invalid paddings"),
                at,
                plural(
                    "{block} has {count:,} byte of padding",
                    "{block} has {count:,} bytes of padding",
                    count=padding,
                    block=block.label,
                ),
            )
        blocks.append(replace(block, size=max(size - padding, 0), path=_path(source, block)))
        at = payload + size
    if at < source.size:
        text = plural(
            "{count:,} byte after the last block is not read",
            "{count:,} bytes after the last block are not read",
            count=source.size - at,
        )
        problems.add("warning", tr("unread bytes"), at, text)
    return blocks, None


def table(blocks: Sequence[Block]) -> RawBlocks:
    """The blocks as a section."""
    paths = Interner()
    ids = [paths(block.path) if block.path else -1 for block in blocks]

    def column(name: str, dtype: type[np.generic]) -> Any:
        return sealed(np.array([getattr(block, name) for block in blocks], dtype))

    return RawBlocks(
        type=column("type", np.uint8),
        offset=column("offset", np.int64),
        payload=column("payload", np.int64),
        size=column("size", np.int64),
        padding=column("padding", np.uint8),
        version=column("version", np.uint8),
        reserved=column("reserved", np.uint8),
        path=sealed(np.array(ids, np.int32)),
        paths=paths.strings(),
    )


def _path(source: Source, block: Block) -> str:
    """The NUL-terminated path before a source text; "" for other blocks."""
    if block.type != SOURCE:
        return ""
    area = source.read(block.offset + HEADER.size, PATH_BYTES)
    return area.split(b"\0", 1)[0].decode("utf-8", "replace")


_TEXT_TYPES = frozenset(range(2, LAST_KNOWN + 1)) - {ACCESSES, CACHE_SETS}
_CHECKED = 8


def sniff(head: bytes, path: Path) -> int:
    """3 where the headers in ``head`` form a chain and the first content looks right, 2 where only the first header is
    plausible, else 0.

    The file has no magic bytes (Ascend operator files, section 1.1), and its name is no evidence: any firmware is
    called .bin.
    """
    del path
    if len(head) < HEADER.size or not plausible(head[: HEADER.size]):
        return 0
    return 3 if _chains(head) and _opens(head) else 2


def _chains(head: bytes) -> bool:
    """Whether the first headers inside ``head``, at most _CHECKED, are all plausible."""
    at = 0
    for _ in range(_CHECKED):
        if at + HEADER.size > len(head):
            return True
        if not plausible(head[at : at + HEADER.size]):
            return False
        size, kind = HEADER.unpack_from(head, at)[:2]
        at += HEADER.size + size + (PATH_BYTES if kind == SOURCE else 0)
    return True


def _opens(head: bytes) -> bool:
    """Whether the content of the first block begins as its type requires."""
    kind = head[8]
    return kind not in _TEXT_TYPES or head[HEADER.size : HEADER.size + 64].lstrip()[:1] in (b"{", b"[")
