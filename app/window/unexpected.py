"""An error nobody foresaw: one dialog with a report to copy, and the window lives on."""

from __future__ import annotations

import platform
import sys
import traceback
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app import __version__

KEPT = 20
"""Reports beyond are counted only: an error in a paint would come sixty times a second."""


class Report(QDialog):
    """Shows the reports so far; more of them are added to it while it is open."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Unexpected error")
        note = QLabel(
            "Something went wrong inside Tilesight. What was open stays open; the report below helps to mend it. "
            "It holds no data of the profiles, but it may hold names of files.",
            self,
        )
        note.setWordWrap(True)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        copy = buttons.addButton("Copy report", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addWidget(self.text)
        layout.addWidget(buttons)
        self.resize(720, 420)


class UnexpectedErrors(QObject):
    """Takes the place of sys.excepthook while the window lives; what was there before is called too."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._before = sys.excepthook
        self._reports: list[str] = []
        self._count = 0
        self.dialog: Report | None = None
        sys.excepthook = self.handle

    def release(self) -> None:
        sys.excepthook = self._before

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Adds a report to the dialog; Ctrl+C still ends the program."""
        self._before(kind, error, trace)
        if issubclass(kind, (KeyboardInterrupt, SystemExit)):
            return
        self._count += 1
        if self._count <= KEPT:
            self._reports.append("".join(traceback.format_exception(kind, error, trace)))
        self._show()

    def report(self) -> str:
        head = (
            f"Tilesight {__version__}, Python {platform.python_version()}, PySide6 {PySide6.__version__}, "
            f"{platform.platform()}\n{self._count} error{'s' if self._count != 1 else ''}\n\n"
        )
        return head + "\n".join(self._reports)

    def _show(self) -> None:
        if self.dialog is None:
            self.dialog = Report(self._window)
            self.dialog.finished.connect(self._closed)
            self.dialog.show()
        if self._count <= KEPT:
            self.dialog.text.setPlainText(self.report())

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
        self.dialog, self._reports, self._count = None, [], 0
