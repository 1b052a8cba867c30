"""What can be selected, and the values that all panels share."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal[
    "program",  # index into programs
    "slice",  # index into timeline.slices
    "step",  # index into execution steps
    "compute_set",
    "vertex_type",
    "exchange",  # internal ones, then external, then host, counted in one row
    "liveness",  # node of the liveness tree
    "live_variable",  # row of live_variables
    "tile",
    "category",  # of tile_memory.categories.names
    "variable",  # row of variables
    "lane",  # index into timeline.lanes
    "line",  # index into source lines
    "instruction",
    "block",  # Ascend block number
    "core",  # Ascend core number
    "memory_path",  # row of memory_paths
    "roof",  # row of roofline
    "cache_line",  # row of cache.lines
    "cache_hit",  # the hits of a row of cache.lines
    "cache_miss",
    "cache_set",
    "access",  # row of memory_accesses
    "onchip_block",  # index into onchip.blocks
    "blob",  # PopEF blob
    "anchor",
    "tensor",
    "host_event",  # row of host_events
    "report",  # row of host_events.attached
    "mapped_tensor",  # row of tensor_map.tensors
    "kernel",  # row of kernels
    "collective",  # row of collectives
    "worker_core",  # row of worker_cores
    "operation",  # row of operations
    "memory_operation",  # row of core_memory.operations
]


class Selection(Struct, frozen=True):
    """Items of one kind, by index into their columns; ``source`` says which panel set it."""

    kind: Kind
    indices: tuple[int, ...]
    source: str = ""

    @property
    def first(self) -> int:
        """The first index; a selection is never empty (no selection is None)."""
        return self.indices[0]


def selected_item(kind: Kind, number: int) -> Selection | None:
    """The selection of one item; None for a negative number, which means that there is none, or that the file does not
    say which."""
    return Selection(kind, (number,)) if number >= 0 else None


class TimeRange(Struct, frozen=True):
    """A range of the timeline, in its unit."""

    start: float
    end: float


class TileRange(Struct, frozen=True):
    """The tiles that the statistics of every panel are restricted to, ascending."""

    tiles: tuple[int, ...]


class Ranges(Struct, frozen=True):
    """What the figures are restricted to; None means everything."""

    time: TimeRange | None = None
    tiles: TileRange | None = None
