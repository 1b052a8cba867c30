"""Text summaries that stand beside a report, as they were printed."""

from __future__ import annotations

from app.panels.panel import PanelSpec
from app.panels.report_texts.panel import ReportTextsPanel

SPEC = PanelSpec(
    "texts",
    "Report text",
    ReportTextsPanel,
    ("texts",),
    "a text summary (graph.txt, execution.txt) in the folder of the report",
    "The summaries that Poplar printed, line by line: to search, and to copy from.",
)
