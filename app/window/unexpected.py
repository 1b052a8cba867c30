"""Unexpected errors: one dialog with a report to copy, while the window keeps running."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from types import TracebackType

import PySide6
from msgspec import Struct
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app import __version__
from app.document.background import ThreadErrors
from app.language import tr
from app.views.texts import page
from app.widgets.dialogs import resize_dialog
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.texts import Label, number_font, wrapping_text

KEPT = 20
"""Distinct errors whose reports are stored; further ones are only counted."""
QUIET = 5.0
"""Seconds without an error before it is shown again after its dialog was closed; doubled each time. An error in a
paint event occurs sixty times a second and must not open a dialog each time."""

NEAR = 3
"""Innermost stack frames that identify an error."""


class ErrorRecord(Struct):
    """One error, identified by its type and innermost lines. ``text``: report of its first occurrence, "" beyond KEPT
    errors; ``count``: occurrences since its dialog was closed; ``closed``: how often that was; ``last``: time of the
    last occurrence."""

    text: str
    count: int = 0
    closed: int = 0
    last: float = 0.0


class ErrorDialog(QDialog):
    """Shows the reports so far and is updated while it is open. ``report``: returns the text to copy."""

    def __init__(self, parent: QWidget | None, report: Callable[[], str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Unexpected error"))
        note = Label(
            tr(
                "An error occurred inside Tilesight. Open profiles stay open. Include this report when "
                "filing a bug; it contains program lines and error messages, which can contain names of "
                "files or from files."
            ),
            self,
        )
        note.setWordWrap(True)
        self.text = wrapping_text(self)
        self.text.setReadOnly(True)
        self.text.setFont(number_font(QApplication.font()))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        copy = buttons.addButton(tr("Copy report"), QDialogButtonBox.ButtonRole.ActionRole)
        mark_mnemonics(buttons.buttons())
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(report()))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addWidget(self.text)
        layout.addWidget(buttons)
        resize_dialog(self, 720, 420)


class UnexpectedErrors(QObject):
    """Replaces sys.excepthook (and that of threads) while the window exists; the previous hook is called too. PySide6
    calls the hook for errors in slots, timers, events and event filters."""

    def __init__(self, window: QWidget, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(window)
        self._window = window
        self._clock = clock
        self._before = sys.excepthook
        self._known: dict[tuple[str, ...], ErrorRecord] = {}
        self._shown: set[tuple[str, ...]] = set()
        self._count = 0
        self._making = False
        self.dialog: ErrorDialog | None = None
        self._threads = ThreadErrors(self)
        self._threads.failed.connect(self.handle)
        sys.excepthook = self.handle

    def release(self) -> None:
        sys.excepthook = self._before
        self._threads.release()

    def handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Adds an error to the dialog; KeyboardInterrupt and SystemExit are only passed to the previous hook."""
        self._before(kind, error, trace)
        if issubclass(kind, (KeyboardInterrupt, SystemExit)):
            return
        key, now = _key(kind, trace), self._clock()
        record = self._known.get(key)
        if record is None:
            record = self._known[key] = ErrorRecord(_text(kind, error, trace) if len(self._known) < KEPT else "")
        quiet = not record.closed or now - record.last >= QUIET * 2 ** (record.closed - 1)
        record.count, record.last = record.count + 1, now
        if self.dialog is not None or quiet:
            self._count += 1
            self._show(key)

    def report(self) -> str:
        """Returns the report: versions and platform, then each shown error once, with how often it occurred."""
        import platform  # compiles patterns, which the start of the window need not wait for

        head = (
            f"Tilesight {__version__}, Python {platform.python_version()}, PySide6 {PySide6.__version__}, "
            f"{platform.platform()}\n{self._count} error{'s' if self._count != 1 else ''}\n\n"
        )
        records = [record for key, record in self._known.items() if key in self._shown and record.text]
        return head + "\n".join(
            f"{record.text}({record.count:,} times)\n" if record.count > 1 else record.text for record in records
        )

    def _show(self, key: tuple[str, ...]) -> None:
        """Shows the error in the dialog. An error while the dialog is created must not open another."""
        if self._making:
            return
        self._making = True
        try:
            if self.dialog is None:
                self.dialog = ErrorDialog(self._window, self.report)
                self.dialog.finished.connect(self._closed)
                self.dialog.show()
            if key not in self._shown:
                self._shown.add(key)
                self.dialog.text.setPlainText(page(self.report()))
        finally:
            self._making = False

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()
        now = self._clock()
        for key in self._shown:
            self._known[key].closed += 1
            self._known[key].count = 0
            self._known[key].last = now
        self.dialog, self._shown, self._count = None, set(), 0


def _key(kind: type[BaseException], trace: TracebackType | None) -> tuple[str, ...]:
    places = traceback.extract_tb(trace)
    return kind.__name__, *(f"{place.filename}:{place.lineno}" for place in places[-NEAR:])


def _text(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> str:
    return "".join(traceback.format_exception(kind, error, trace))
