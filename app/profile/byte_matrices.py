"""Bytes per tile of each compute set and of each vertex type."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

from app.profile.arrays import Integers

BYTE_KINDS: Final = (
    "codeBytes",
    "copyPtrBytes",
    "descriptorBytes",
    "edgePtrBytes",
    "paddingBytes",
    "vertexDataBytes",
)
"""The kinds that add up to ``totalBytes`` (Poplar profiling data format, 7.1.8)."""
TOTAL_BYTES: Final = "totalBytes"
SHARED_KINDS: Final = ("codeBytes", TOTAL_BYTES)
"""Kinds that must not be summed over sets or types, because shared code is counted in each of them."""


class ComputeSetBytes(Struct, frozen=True, eq=False):
    """``matrices``: kind of bytes -> narrow integers [compute sets, tiles], with the names and in the order of the
    file."""

    SECTION: ClassVar[str] = "compute_set_bytes"
    matrices: dict[str, Integers]


class VertexTypeBytes(Struct, frozen=True, eq=False):
    """``matrices``: kind of bytes -> narrow integers [vertex types, tiles], with the names and in the order of the
    file."""

    SECTION: ClassVar[str] = "vertex_type_bytes"
    matrices: dict[str, Integers]
