"""The line of the source panel about the differences between two profiles."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.language import tr
from app.widgets.display import Display
from app.widgets.frame import bar_of, check_of
from app.widgets.texts import Readout
from app.widgets.tips import set_tip


class DifferencesBar(QWidget):
    """Buttons to go through the differences, the order of rows, and a summary. Signals: ``stepped`` (direction),
    ``turned`` when the order changes. Hidden without a baseline."""

    stepped = Signal(int)
    turned = Signal()

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__(parent)
        self.previous = QPushButton(tr("Previous difference"), self)
        self.next = QPushButton(tr("Next difference"), self)
        set_tip(self.previous, tr("Go to previous line or instruction that differs (Shift+F7)"))
        set_tip(self.next, tr("Go to next line or instruction that differs (F7)"))
        about = tr("Show only lines and instructions whose cost differs, largest difference first")
        self.by_size = check_of(tr("Largest first"), about)
        self.summary = Readout(display, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(bar_of(self.previous, self.next, self.by_size, (self.summary, 1)))
        self.previous.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        self.by_size.toggled.connect(self.turned)
        self.hide()

    @property
    def largest_first(self) -> bool:
        return self.by_size.isChecked()

    def say(self, text: str, *, steps: bool) -> None:
        """Shows a summary; ``steps``: whether there are differences to go through."""
        self.summary.say(text, muted=True)
        for button in (self.previous, self.next):
            button.setEnabled(steps)
        self.show()
