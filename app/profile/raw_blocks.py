"""The blocks of a file as stored."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import I32, I64, U8
from app.profile.strings import Strings


class RawBlocks(Struct, frozen=True, eq=False):
    """All blocks of an Ascend operator file (section 1.1), known or not, in file order.

    ``type``, ``padding``, ``version``, ``reserved``: uint8 as stored; ``offset``: int64, position of the header;
    ``payload``: int64, position of the payload; ``size``: int64, payload bytes without padding; ``path``: int32 id into
    ``paths`` (source blocks), -1 none. ``inside``: the name of the operator file in a report that the blocks are those
    of, "" for a file of its own; ``file``: its number in the paths of the profile's origin. Positions count from the
    beginning of that file, of a pack from its own.
    """

    SECTION: ClassVar[str] = "raw_blocks"
    type: U8
    offset: I64
    payload: I64
    size: I64
    padding: U8
    version: U8
    reserved: U8
    path: I32
    paths: Strings
    inside: str = ""
    file: int = 0

    def __len__(self) -> int:
        return len(self.type)
