"""A progress bar that runs to and fro while the total is unknown, and stands still where nothing may move."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QStyle, QWidget

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
