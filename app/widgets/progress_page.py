"""How far long work of a panel is, with a button to cancel it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QStyle, QVBoxLayout, QWidget

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


PARTS = 1000
"""Of more, such as bytes, these are shown: the range of a bar is an int32."""


class BusyBar(QProgressBar):
    """A bar without a text: words beside it say what is being done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)

    def show_share(self, done: int, total: int) -> None:
        """Shows that ``done`` of ``total`` is done; total 0: it is not known how much there is."""
        unknown = total <= 0
        parts = PARTS if unknown else min(total, PARTS)
        self.setRange(0, 0 if unknown and self._may_move() else parts)
        self.setValue(0 if unknown else min(parts, done * parts // total))

    def _may_move(self) -> bool:
        return self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) > 0
