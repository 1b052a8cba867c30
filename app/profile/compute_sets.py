"""Compute sets: vertices that run together, and their estimated cycles."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import Integers
from app.profile.ragged import Ragged
from app.profile.strings import Strings


class ComputeSets(Struct, frozen=True, eq=False, kw_only=True):
    """Poplar profiling data format, 7.1.5.

    ``count``: number of sets; ``names``: one per set (not unique; fewer if the file lacks them). ``vertex_counts`` and
    ``vertex_types``: row c has the number of vertices of each type in set c (types index VertexTypes; rows of both
    match). Estimates exist for the IPU model only, in cycles, as narrow integers: ``cycles`` and ``active_cycles``
    [sets, tiles], ``active_cycles_by_type`` [sets, vertex types].
    """

    SECTION: ClassVar[str] = "compute_sets"
    count: int
    names: Strings
    vertex_counts: Ragged | None = None
    vertex_types: Ragged | None = None
    cycles: Integers | None = None
    active_cycles: Integers | None = None
    active_cycles_by_type: Integers | None = None

    def __len__(self) -> int:
        return self.count
