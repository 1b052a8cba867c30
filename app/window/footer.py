"""The status bar: ranges on the left, reading progress and issues on the right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QStatusBar, QWidget

from app.document.document import Document
from app.document.loader import Loader
from app.language import tr
from app.views.texts import shown_line
from app.widgets.display import Display
from app.window.chips import Chips
from app.window.issues_badge import IssuesBadge
from app.window.jobs_view import JobsView, ProgressRow, short

ROOM = 14
"""Extra pixels of height, so that panels do not move when a chip appears or disappears."""

SLOW_MS = 400
"""Progress of writing appears if it takes longer."""


class Footer(QStatusBar):
    def __init__(self, document: Document, loader: Loader, display: Display, window: QWidget) -> None:
        super().__init__(window)
        self.chips = Chips(document, display, self)
        self.jobs = JobsView(loader, display, self, window)
        self.setSizeGripEnabled(False)
        self.setMinimumHeight(self.fontMetrics().height() + ROOM)
        self.addWidget(self.chips)
        self.issues = IssuesBadge(document, self)
        self.addPermanentWidget(self.jobs)  # without a stretch, which would leave no room for messages
        self.addPermanentWidget(self.issues)
        self.issues.follow()  # the status bar has shown both
        self.jobs.follow()

    def begin(self, title: str, cancel: Callable[[], object]) -> ProgressRow:
        """A new row for something that is written, shown if it takes long; delete it at the end."""
        row = ProgressRow(self)
        row.setObjectName("writing")
        row.title.setText(short(title))
        row.cancel.setAccessibleName(shown_line(tr("Cancel: {what}", what=title)))
        row.cancel.clicked.connect(cancel)
        row.hide()
        self.insertPermanentWidget(1, row)  # after the ranges
        QTimer.singleShot(SLOW_MS, row, row.show)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.jobs.settle()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.jobs.settle()
