"""Memory of tiles: its breakdown, and whether it fits."""

from app.analysis.memory.fit import Verdict, WorstTile, replicas, verdict
from app.analysis.memory.series import (
    BREAKDOWNS,
    NO_GAPS,
    WITH_GAPS,
    Breakdown,
    Part,
    TileSeries,
    series,
    used,
)

__all__ = [
    "BREAKDOWNS",
    "NO_GAPS",
    "WITH_GAPS",
    "Breakdown",
    "Part",
    "TileSeries",
    "Verdict",
    "WorstTile",
    "replicas",
    "series",
    "used",
    "verdict",
]
