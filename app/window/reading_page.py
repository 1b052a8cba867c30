"""What stands in the window while the first file is being read and nothing of it is there yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

SHOWN_NAMES = 6


class ReadingPage(QLabel):
    """Names only: how far it is and the way to cancel are in the status bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reading")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def name(self, paths: Sequence[Path]) -> None:
        names = [path.name or str(path) for path in paths]
        more = [f"and {len(names) - SHOWN_NAMES:,} more"] if len(names) > SHOWN_NAMES else []
        self.setText("\n".join(["Reading", *names[:SHOWN_NAMES], *more]))
