"""How far long work of a panel is, with a button to cancel it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.widgets.busy_bar import BusyBar
from app.widgets.labels import Label

WIDE = 320


class ProgressPage(QWidget):
    """Signal ``cancelled``: the user does not want to wait."""

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = Label(parent=self)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar = BusyBar(self)
        self.bar.setMaximumWidth(WIDE)
        self.bar.setAccessibleName(tr("Progress"))
        self.button = QPushButton(tr("Cancel"), self)
        self.button.clicked.connect(self.cancelled)
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        layout.addWidget(self._label)
        layout.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(2)

    def begin(self, text: str) -> None:
        """Shows what is being done, and that nothing of it is done yet."""
        self._label.setText(text)
        self.bar.show_share(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        """Shows that ``done`` of ``total`` parts are done."""
        self.bar.show_share(done, total)
