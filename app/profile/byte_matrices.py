"""Bytes per tile of each compute set and of each vertex type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from app.profile.arrays import Integers

BYTE_KINDS: Final = (
    "codeBytes",
    "copyPtrBytes",
    "descriptorBytes",
    "edgePtrBytes",
    "paddingBytes",
    "vertexDataBytes",
)
"""The kinds that ``totalBytes`` is the sum of (Poplar profiling data format, 7.1.8)."""
TOTAL_BYTES: Final = "totalBytes"
SHARED_KINDS: Final = ("codeBytes", TOTAL_BYTES)
"""Kinds that may not be added over sets or types, because code that several share is counted in each."""


@dataclass(frozen=True, slots=True, eq=False)
class ComputeSetBytes:
    """``matrices``: kind of bytes -> narrow whole numbers [compute sets, tiles], in the file's words and order."""

    SECTION: ClassVar[str] = "compute_set_bytes"
    matrices: dict[str, Integers]


@dataclass(frozen=True, slots=True, eq=False)
class VertexTypeBytes:
    """``matrices``: kind of bytes -> narrow whole numbers [vertex types, tiles], in the file's words and order."""

    SECTION: ClassVar[str] = "vertex_type_bytes"
    matrices: dict[str, Integers]
