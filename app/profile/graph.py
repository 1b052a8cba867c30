"""How large the compiled graph is, and what the compiler says of its work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Graph:
    """Counts as the file states them (Poplar profiling data format, 7.1.3), None where it does not;
    ``optimisation``: internal figures of the compilation by name (7.1.2), empty where there are none."""

    SECTION: ClassVar[str] = "graph"
    compute_sets: int | None = None
    edges: int | None = None
    variables: int | None = None
    vertices: int | None = None
    optimisation: dict[str, float]
