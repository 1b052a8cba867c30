"""The central widget: header, notices, and the start page, the reading page or the docks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.widgets.labels import Label
from app.window.dock_area import DockArea
from app.window.header import Header
from app.window.notices import Notices
from app.window.start_page import StartPage

SHOWN_NAMES = 6


class ReadingPage(Label):
    """Names the files that are being read; progress and cancelling are in the status bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("reading")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def name(self, paths: Sequence[Path]) -> None:
        names = [shown_line(path.name or str(path)) for path in paths]
        more = [tr("and {count:,} more", count=len(names) - SHOWN_NAMES)] if len(names) > SHOWN_NAMES else []
        self.setText("\n".join([tr("Reading"), *names[:SHOWN_NAMES], *more]))


class CentralWidget(QWidget):
    """The central widget; docks are added when they are first shown."""

    def __init__(self, header: Header, start: StartPage, window: QWidget) -> None:
        super().__init__(window)
        self.header = header
        self.notices = Notices(self)
        self.start = start
        self._stack = QStackedWidget(self)
        self._reading = ReadingPage(self)
        self._stack.addWidget(start)
        self._stack.addWidget(self._reading)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self.notices)
        column.addWidget(self._stack, 1)

    @property
    def start_shown(self) -> bool:
        return self._stack.currentWidget() is self.start

    @property
    def reading_shown(self) -> bool:
        return self._stack.currentWidget() is self._reading

    def show_reading(self, paths: Sequence[Path]) -> None:
        """Shows the names of the files that are being read, while nothing is open yet."""
        self._reading.name(paths)
        self._stack.setCurrentWidget(self._reading)

    def show_start(self) -> None:
        self._stack.setCurrentWidget(self.start)

    def show_docks(self, docks: DockArea) -> None:
        if self._stack.indexOf(docks) < 0:
            self._stack.addWidget(docks)
        self._stack.setCurrentWidget(docks)

    def shown(self) -> QWidget:
        """Returns the page that is shown: the start page, the reading page or the docks."""
        docks = self._stack.currentWidget()
        return self.start if docks is None else docks
