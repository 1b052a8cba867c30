"""What cannot be compared in a panel, and why: sentences above its content while there is a baseline."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QWidget

from app.views.look import Look
from app.widgets.display import Display
from app.widgets.frame import GAP, MARGIN
from app.widgets.labels import Label, paint_text


class Limits(Label):
    """Hidden while there is nothing to say."""

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__("", parent)
        self.setWordWrap(True)
        self.setContentsMargins(MARGIN, 0, MARGIN, GAP)
        self.hide()
        display.changed.connect(self._paint)
        self._paint(display.look)

    def say(self, reasons: Iterable[str]) -> None:
        """Shows one line for each reason; hides without any."""
        text = "\n".join(dict.fromkeys(reason for reason in reasons if reason))
        self.setText(text)
        self.setVisible(bool(text))

    def _paint(self, look: Look) -> None:
        paint_text(self, look.theme.warning)
