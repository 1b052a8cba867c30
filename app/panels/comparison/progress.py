"""How far a comparison is, with a button to cancel it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.widgets.labels import Label

WIDE = 320


class ProgressPage(QWidget):
    """Signal ``cancelled``: the user does not want to wait."""

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = Label(parent=self)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        self.bar.setMaximumWidth(WIDE)
        self.bar.setAccessibleName(tr("Progress of the comparison"))
        self.button = QPushButton(tr("Cancel"), self)
        self.button.clicked.connect(self.cancelled)
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        layout.addWidget(self._label)
        layout.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(2)

    def begin(self, after: str, before: str) -> None:
        """Show that nothing has been compared yet."""
        self._label.setText(tr("Comparing {after} with {before}…", after=after, before=before))
        self.bar.setRange(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` kinds of tables have been compared."""
        self.bar.setRange(0, total)
        self.bar.setValue(done)
