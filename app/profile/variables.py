"""Variables as the compiler laid them out on tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.profile.arrays import I32, I64, Bool
from app.profile.strings import Strings


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Variables:
    """Poplar's lowered variables (vars.json, engine option debug.loweredVarDumpFile), in the file's order.

    ``number``: int64, the variable's own; ``name``, ``category``: int32 text ids; ``tile``, ``equivalence``: int32
    (variables of one class of equivalence are laid out alike); ``size``, ``offset``, ``alignment``: int64, bytes;
    each -1 where the file does not say. ``allocated``, ``constant``, ``always_live``, ``executable``,
    ``vertex_code``, ``interleaved``: bool. ``by_tile``: int64, the rows by rising tile and, on one tile, falling size.
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
