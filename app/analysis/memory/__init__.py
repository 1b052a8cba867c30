"""Memory of tiles: what it is made of, how it is spread, and whether it fits."""

from app.analysis.memory.fit import Spread, Verdict, WorstTile, by_ipu, histogram, replicas, spread, verdict
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
    "Spread",
    "TileSeries",
    "Verdict",
    "WorstTile",
    "by_ipu",
    "histogram",
    "replicas",
    "series",
    "spread",
    "used",
    "verdict",
]
