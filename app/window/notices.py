"""A bar under the header for what went wrong: each file with its line, to copy and to put away."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.document.jobs import Failure
from app.widgets.labels import Label

SHOWN_LINES = 5
KEPT = 200


@dataclass(frozen=True, slots=True)
class Notice:
    severity: Literal["error", "info"]
    text: str


class Notices(QFrame):
    """Hidden while empty. Nothing waits for it: work goes on beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notices")
        self._notices: list[Notice] = []
        self.heading = Label(parent=self)
        self.lines = QPlainTextEdit(self)
        self.lines.setReadOnly(True)
        self.lines.setFrameShape(QFrame.Shape.NoFrame)
        self.lines.setAccessibleName("What could not be read in full")
        self.lines.setTabChangesFocus(True)
        self.lines.document().setDocumentMargin(0)
        self.lines.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.copy_button = QPushButton("Copy", self)
        self.copy_button.clicked.connect(self.copy)
        self.dismiss_button = QPushButton("Dismiss", self)
        self.dismiss_button.clicked.connect(self.dismiss)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.hide()

    @property
    def text(self) -> str:
        """All lines."""
        return "\n".join(notice.text for notice in self._notices)

    def add_failure(self, failure: Failure) -> None:
        for path in failure.paths:
            self.add(Notice("error", f"{path}: {failure.text}"))

    def add(self, notice: Notice) -> None:
        """A line more; the same line twice is one. Very many are cut from the front."""
        if notice in self._notices:
            self._notices.remove(notice)
        self._notices = [*self._notices, notice][-KEPT:]
        self._show()

    def withdraw(self, notices: Collection[Notice]) -> None:
        """What they said no longer holds."""
        left = [notice for notice in self._notices if notice not in notices]
        if len(left) < len(self._notices):
            self._notices = left
            self._show() if left else self.dismiss()

    def dismiss(self) -> None:
        self._notices.clear()
        self.hide()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)

    def _show(self) -> None:
        errors = sum(notice.severity == "error" for notice in self._notices)
        self.heading.setObjectName("error" if errors else "info")
        files = "1 file" if errors == 1 else f"{errors:,} files"
        self.heading.setText(f"{files} could not be read in full" if errors else "Note")
        self.heading.style().polish(self.heading)
        self.lines.setPlainText(self.text)
        self.show()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As high as the wrapped lines, up to SHOWN_LINES; beyond, they scroll."""
        wrapped = round(self.lines.document().size().height())  # this document counts in lines
        lines = max(1, min(SHOWN_LINES, wrapped))
        self.lines.setFixedHeight(self.lines.fontMetrics().lineSpacing() * lines + 4)

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self.heading)
        column.addWidget(self.lines)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        row.addLayout(column, 1)
        for button in (self.copy_button, self.dismiss_button):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
