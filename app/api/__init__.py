"""Tilesight for scripts: profiles, tables and findings in Python, with the figures of the window and the command line.

    import tilesight

    with tilesight.open("OPPROF_20260821101500") as profile:
        print(profile.figures["operator.duration_s"])
        busy = profile.table("lanes")["busy"]

What is documented here stays compatible within a minor version; other modules of the package do not.
"""

from __future__ import annotations

from app.analysis.compare.cause import Cause, Causes, Part
from app.analysis.figures import Figure
from app.analysis.time.answers import CriticalPath, NameWork, PathParts, PathPiece
from app.analysis.time.memory import PeakWithout, TileWithout, Without
from app.analysis.time.path import RegisterTrust
from app.analysis.time.what_if import Estimate, WhatIf
from app.api.comparison import Baseline, ComparedFigure, Comparison, compare, open_baseline
from app.api.findings import Evidence, Finding, Findings, Saving
from app.api.opening import open, open_all  # noqa: A004 - tilesight.open, as gzip.open
from app.api.plot import Plot
from app.api.profile import Issue, Profile
from app.api.table import Table
from app.formats.errors import FormatError
from app.query.errors import QueryError
from app.views.verdict import Verdict

__all__ = [
    "Baseline",
    "Cause",
    "Causes",
    "ComparedFigure",
    "Comparison",
    "CriticalPath",
    "Estimate",
    "Evidence",
    "Figure",
    "Finding",
    "Findings",
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
    "RegisterTrust",
    "Saving",
    "Table",
    "TileWithout",
    "Verdict",
    "WhatIf",
    "Without",
    "compare",
    "open",
    "open_all",
    "open_baseline",
]
