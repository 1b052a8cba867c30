"""How many bytes are live at each node of the program tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.profile.arrays import I32, I64
from app.profile.strings import Strings


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Liveness:
    """Nodes in preorder (each before its children, in the file's order).

    ``bytes``: int64, live at that node besides what is always live (-1 where the file does not say); whether a
    parent includes its children is not documented, so take maxima, never sums. ``depth``: int32, 0 for roots;
    ``parent``: int32, -1 for roots; ``end``: int32, one past the last node below (the first child of node n is
    n + 1 if end[n] > n + 1, the next child is at the end of the one before). ``name``: int32 text ids and
    ``program``: int32, each -1 where the node does not say.
    """

    SECTION: ClassVar[str] = "liveness"
    strings: Strings
    bytes: I64
    depth: I32
    parent: I32
    end: I32
    name: I32
    program: I32

    def __len__(self) -> int:
        return len(self.bytes)
