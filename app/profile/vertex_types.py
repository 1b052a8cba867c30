"""Kinds of vertices (codelets) that a graph uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.profile.arrays import Integers
from app.profile.strings import Strings


@dataclass(frozen=True, slots=True, eq=False)
class VertexTypes:
    """Poplar profiling data format, 7.1.4. ``names``: one per type; ``sizes``: whole numbers [types], bytes of
    the vertex state, None where the file has none (or another number of them)."""

    SECTION: ClassVar[str] = "vertex_types"
    names: Strings
    sizes: Integers | None

    def __len__(self) -> int:
        return len(self.names)
