"""Source files, and the cost of their lines."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import I32, I64
from app.profile.strings import Strings
from app.profile.typed import TypedColumn


class Sources(Struct, frozen=True, eq=False):
    """Block type 0x01 (Ascend operator files, section 2.2): each path once, with its last text."""

    SECTION: ClassVar[str] = "sources"
    paths: Strings
    texts: Strings


class Lines(Struct, frozen=True, eq=False):
    """Block type 0x03 (Ascend operator files, section 2.4), in file order.

    ``cores``: names, may be empty; ``file``: int32[lines], ids into ``paths``; ``line``: int32[lines], numbered from 1,
    -1 unknown. Line l was compiled to the instructions at addresses range_start[r] .. range_end[r] (int64, inclusive)
    for r in first_range[l] .. first_range[l + 1] - 1 (int64[lines + 1]).
    """

    SECTION: ClassVar[str] = "lines"
    cores: tuple[str, ...]
    paths: Strings
    file: I32
    line: I32
    first_range: I64
    range_start: I64
    range_end: I64
    columns: tuple[TypedColumn, ...] = ()
