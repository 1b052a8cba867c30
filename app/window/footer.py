"""The status bar: ranges on the left, reading progress on the right."""

from __future__ import annotations

from PySide6.QtWidgets import QStatusBar, QWidget

from app.document.document import Document
from app.document.loader import Loader
from app.widgets.display import Display
from app.window.chips import Chips
from app.window.jobs_view import JobsView

GAP = 8
ROOM = 14
"""Extra pixels of height, so that panels do not move when a chip appears or disappears."""


class Footer(QStatusBar):
    def __init__(self, document: Document, loader: Loader, display: Display, window: QWidget) -> None:
        super().__init__(window)
        self.chips = Chips(document, display, self)
        self.jobs = JobsView(loader, display, window)
        self.setSizeGripEnabled(False)
        self.setMinimumHeight(self.fontMetrics().height() + ROOM)
        self.addWidget(self.chips)
        self.addPermanentWidget(self.jobs, 1)

    def settle(self) -> None:
        """Positions the list of jobs above the right end of the bar."""
        self.jobs.settle((self.geometry().right() - GAP, self.geometry().top() - GAP))
