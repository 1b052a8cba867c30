"""Tilesight: a profile viewer for accelerators made of many small cores. For scripts, see the package ``api``, whose
names are also those of this one: ``tilesight.open(path)``."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from app.api import (
        Baseline,
        Cause,
        Causes,
        ComparedFigure,
        Comparison,
        CriticalPath,
        Estimate,
        Evidence,
        Finding,
        FormatError,
        Issue,
        NameWork,
        Part,
        PathParts,
        PathPiece,
        PeakWithout,
        Plot,
        Profile,
        QueryError,
        Saving,
        Table,
        TileWithout,
        Verdict,
        WhatIf,
        Without,
        compare,
        open,  # noqa: A004
        open_all,
        open_baseline,
    )

__all__ = [
    "Baseline",
    "Cause",
    "Causes",
    "ComparedFigure",
    "Comparison",
    "CriticalPath",
    "Estimate",
    "Evidence",
    "Finding",
    "FormatError",
    "Issue",
    "NameWork",
    "Part",
    "PathParts",
    "PathPiece",
    "PeakWithout",
    "Plot",
    "Profile",
    "QueryError",
    "Saving",
    "Table",
    "TileWithout",
    "Verdict",
    "WhatIf",
    "Without",
    "__version__",
    "compare",
    "open",
    "open_all",
    "open_baseline",
]


def __dir__() -> list[str]:
    return sorted(__all__)


if not TYPE_CHECKING:  # which would take every name for one of Any

    def __getattr__(name: str) -> Any:
        """The names of ``api``, imported when they are used: every process of the program imports this package."""
        if name in __all__:
            return getattr(importlib.import_module(f"{__name__}.api"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
