"""The size of the compiled graph, and the compiler's optimisation figures."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class Graph(Struct, frozen=True, eq=False, kw_only=True):
    """Counts as stated in the file (Poplar profiling data format, 7.1.3), None if not stated; ``optimisation``:
    internal figures of the compilation by name (7.1.2), empty if there are none."""

    SECTION: ClassVar[str] = "graph"
    compute_sets: int | None = None
    edges: int | None = None
    variables: int | None = None
    vertices: int | None = None
    optimisation: dict[str, float]
