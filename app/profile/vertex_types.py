"""Types of vertices (codelets) that a graph uses."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import Integers
from app.profile.strings import Strings


class VertexTypes(Struct, frozen=True, eq=False):
    """Poplar profiling data format, 7.1.4. ``names``: one per type; ``sizes``: integers [types], bytes of the vertex
    state, None if the file has none (or a different number of them)."""

    SECTION: ClassVar[str] = "vertex_types"
    names: Strings
    sizes: Integers | None = None

    def __len__(self) -> int:
        return len(self.names)
