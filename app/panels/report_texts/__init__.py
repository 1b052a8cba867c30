"""Text summaries stored beside a report, as they were printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.language import tr
from app.panels.spec import PanelSpec

if TYPE_CHECKING:
    from app.panels.report_texts.panel import ReportTextsPanel


def _load() -> type[ReportTextsPanel]:
    from app.panels.report_texts.panel import ReportTextsPanel

    return ReportTextsPanel


SPEC = PanelSpec(
    "texts",
    tr("Report text"),
    _load,
    ("texts",),
    tr("a text summary (graph.txt, execution.txt) in the folder of the report"),
    tr("The summaries that Poplar printed, line by line, to search and copy."),
    words=("graph.txt", "execution.txt"),
)
