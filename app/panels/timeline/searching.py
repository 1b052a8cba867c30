"""The search of the timeline panel: links the bar's field to the canvas."""

from __future__ import annotations

from app.panels.timeline.bar import Bar
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.canvas_search import CanvasSearch

SOURCE = "timeline"


class Searching(CanvasSearch):
    """Links the bar's search field to the canvas."""

    def __init__(self, bar: Bar, canvas: TimelineCanvas) -> None:
        super().__init__(bar, canvas, bar, with_share=False)
