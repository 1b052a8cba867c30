"""The execution of a program, measured or simulated."""

from __future__ import annotations

from typing import ClassVar, Final

from msgspec import Struct

from app.profile.arrays import I32, I64
from app.profile.strings import Strings

TILE_CYCLE_KINDS: Final = ("compute", "doExchange", "globalExchange", "streamCopy", "copySharedStructure", "sync")
"""The kinds that add up to cycles × tiles; activeCompute is a part of compute."""


class VertexCycles(Struct, frozen=True, eq=False):
    """Cycles of single vertices in their last execution. ``cycles``: int64[n]; ``compute_set``, ``type``: int32[n]
    indices, -1 if the file has none."""

    cycles: I64
    compute_set: I32
    type: I32


class Execution(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.2; None for what the file does not contain.

    ``mode``: profiling mode as spelled in the file ("" if it has none); ``cycles``: length of the run; ``tile_cycles``:
    cycles summed over all tiles by kind of activity, only for kinds that were measured; ``trace``: int32, indices of
    the programs in the order they ran; ``runs``: names of the runs it covers.
    """

    SECTION: ClassVar[str] = "execution"
    mode: str
    cycles: int | None = None
    tile_cycles: dict[str, int]
    trace: I32 | None = None
    runs: Strings | None = None
    vertices: VertexCycles | None = None
