"""The search of the timeline panel: links the bar's field to the canvas."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from app.analysis.matching import BadPattern
from app.document.document import Document
from app.language import tr
from app.panels.timeline.bar import Bar
from app.profile.selection import Selection
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.find import Hits

SOURCE = "timeline"
SLOW_SLICES = 300_000
PAUSE_MS = 200
"""Delay of the search while typing in a timeline with more than SLOW_SLICES slices; others are searched with each
key."""


class Searching(QObject):
    """Links the bar's search field to the canvas and the selection. Signal ``searched`` (int64 slices in stepping
    order, or None when a search ends)."""

    searched = Signal(object)

    def __init__(self, bar: Bar, canvas: TimelineCanvas, document: Document) -> None:
        super().__init__(bar)
        self._bar, self._canvas, self._document = bar, canvas, document
        self._hits: Hits | None = None
        self._later = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._later.timeout.connect(self.now)
        bar.query.connect(self._typed)
        bar.step.connect(self.step)

    @property
    def active(self) -> bool:
        """Whether slices are searched for; not while the expression is wrong."""
        return self._hits is not None

    def step(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) hit and reveals it."""
        if self._later.isActive():
            self.now()
        index = self._hits.step(self._here, direction) if self._hits is not None else None
        if index is not None:
            self._document.selection.set(Selection("slice", (index,), SOURCE))
            self._canvas.reveal(index)
            self.say()

    def now(self) -> None:
        """Searches for the typed text, or ends the search if there is none."""
        self._later.stop()
        self._hits = None
        shown, query = self._canvas.shown, self._bar.wanted()
        if shown is None or not query.text:
            if shown is not None and shown.contents.hits is not None:
                self._canvas.set_search(None)
            self._bar.set_count("")
            self.searched.emit(None)
            return
        try:
            matched = query.matches(shown.model.timeline)
        except BadPattern as error:
            self._bar.set_count(str(error), wrong=True)
            self.searched.emit(None)
            return
        hits = self._canvas.set_search(matched)
        self._hits = Hits.of(shown.model, np.empty(0, np.int64) if hits is None else hits)
        self.searched.emit(self._hits.index)
        self.say()

    def say(self) -> None:
        """Shows which hit is selected, and the number of hits."""
        if self._hits is None:
            return
        count, here = len(self._hits.index), self._hits.place(self._here)
        text = (
            tr("none")
            if not count
            else tr("{count:,} found", count=count)
            if here is None
            else tr("{here:,} of {count:,}", here=here + 1, count=count)
        )
        self._bar.set_count(text, hits=count > 0)

    @property
    def _here(self) -> int | None:
        selected = self._document.selection.value
        return selected.first if selected is not None and selected.kind == "slice" else None

    def _typed(self) -> None:
        shown = self._canvas.shown
        if shown is not None and len(shown.model.rows.start) > SLOW_SLICES:
            self._later.start()
        else:
            self.now()
