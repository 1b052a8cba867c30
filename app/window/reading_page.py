"""What stands in the window while the first file is being read and nothing of it is there yet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.widgets.labels import Label
from app.widgets.texts import shown_line

SHOWN_NAMES = 6


class ReadingPage(Label):
    """Names only: how far it is and the way to cancel are in the status bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("reading")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def name(self, paths: Sequence[Path]) -> None:
        names = [shown_line(path.name or str(path)) for path in paths]
        more = [tr("and {count:,} more", count=len(names) - SHOWN_NAMES)] if len(names) > SHOWN_NAMES else []
        self.setText("\n".join([tr("Reading"), *names[:SHOWN_NAMES], *more]))
