"""A collapsible area below a picture, with its bar."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QToolButton, QVBoxLayout, QWidget

from app.widgets.frame import split_of
from app.widgets.icons import icon
from app.widgets.tips import set_tip


class Drawer(QWidget):
    """``line`` is the bar, which begins with the button ``toggle``; the content is added on first use. Signal
    ``opened`` (bool)."""

    opened = Signal(bool)

    def __init__(self, title: str, about: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share, self._least = 0.0, 0
        self.toggle = QToolButton(self)
        self.toggle.setText(title)
        self.toggle.setCheckable(True)
        self.toggle.setAutoRaise(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setIcon(icon("chevron-right"))
        set_tip(self.toggle, about)
        self.line = QHBoxLayout()
        self.line.setContentsMargins(4, 0, 0, 0)
        self.line.setSpacing(0)
        self.line.addWidget(self.toggle)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addLayout(self.line)
        self.toggle.toggled.connect(self._open)

    @property
    def is_open(self) -> bool:
        return self.toggle.isChecked()

    def put(self, content: QWidget) -> None:
        """Adds the content, hidden until the button opens it."""
        content.hide()
        self._column.addWidget(content, 1)

    def under(self, upper: QWidget, *, share: float, least: int) -> QSplitter:
        """A splitter with ``upper`` above this drawer. When open, the drawer gets ``share`` of the height, at least
        ``least`` pixels below its bar; when closed, only the bar remains."""
        self._share, self._least = share, least
        splitter = split_of((upper, 1), (self, 0), below=True)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 0)
        return splitter

    def _open(self, wanted: bool) -> None:
        self.toggle.setIcon(icon("chevron-down" if wanted else "chevron-right"))
        self.opened.emit(wanted)
        splitter = self.parentWidget()
        if isinstance(splitter, QSplitter):
            height, line = splitter.height(), self.line.sizeHint().height()
            lower = max(round(self._share * height), self._least + line) if wanted else line
            splitter.setSizes([height - lower, lower])
