"""Variables as placed on tiles by the compiler."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import I32, I64, Bool
from app.profile.strings import Strings


class Variables(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar's lowered variables (vars.json, engine option debug.loweredVarDumpFile), in file order.

    ``number``: int64, the variable's id; ``name``, ``category``: int32 text ids; ``tile``, ``equivalence``: int32
    (variables of one equivalence class have the same layout); ``size``, ``offset``, ``alignment``: int64, bytes; each
    -1 if not stated. ``allocated``, ``constant``, ``always_live``, ``executable``, ``vertex_code``, ``interleaved``:
    bool. ``by_tile``: int64, the rows by ascending tile and, within a tile, descending size.
    """

    SECTION: ClassVar[str] = "variables"
    strings: Strings
    number: I64
    name: I32
    category: I32
    tile: I32
    equivalence: I32
    size: I64
    offset: I64
    alignment: I64
    allocated: Bool
    constant: Bool
    always_live: Bool
    executable: Bool
    vertex_code: Bool
    interleaved: Bool
    by_tile: I64

    def __len__(self) -> int:
        return len(self.number)
