"""The cost of each instruction of an operator on each core."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import I32, I64
from app.profile.strings import Strings
from app.profile.typed import TypedColumn


class Instructions(Struct, frozen=True, eq=False):
    """Block type 0x04 (Ascend operator files, section 2.5), by ascending address if the file declares its columns, else
    in file order.

    ``address``: int64, -1 unknown; ``by_address``: int64, the rows by ascending address; ``pipe``, ``text`` (the
    disassembly): int32 ids into ``strings``, -1 none; ``file`` (int32 id into ``strings``) and ``line`` (int32) are the
    innermost source location ("AscendC Inner Code"), -1 none. ``by_inner_code``: whether instructions are assigned to
    lines by that location (version byte 0) rather than by the lines' address ranges.
    """

    SECTION: ClassVar[str] = "instructions"
    cores: tuple[str, ...]
    strings: Strings
    address: I64
    by_address: I64
    pipe: I32
    text: I32
    file: I32
    line: I32
    by_inner_code: bool
    columns: tuple[TypedColumn, ...] = ()
