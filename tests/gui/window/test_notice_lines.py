"""Lines of notices wrap, and the bar beside them comes only where there are too many: bars that came as needed took
room from the lines, which brought the other bar, and the window stood still."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.document.loader import Failure
from app.window.notices import SHOWN_LINES, Notices

TEXT = "not a known profile format; Tilesight opens *.bin, *.json, memory_info*.json, *.cbor, *.popef, *.tfevents.*"


@pytest.mark.parametrize("width", [420, 900, 1436])
def test_all_lines_are_seen_or_a_bar_is(qtbot: QtBot, width: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    notices = Notices(window)
    layout.addWidget(notices)
    layout.addWidget(QTextEdit(window), 1)
    window.resize(width, 900)
    window.show()
    for length in range(1, 600, 5):
        notices.dismiss()
        QApplication.processEvents()
        notices.add_failure(Failure((Path("/" + "a/bc" * length),), TEXT))
        for _ in range(3):
            QApplication.processEvents()
        lines = round(notices.lines.document().size().height())
        shown = min(SHOWN_LINES, lines)
        assert not notices.lines.horizontalScrollBar().isVisible()
        assert notices.lines.verticalScrollBar().isVisible() == (lines > SHOWN_LINES)
        assert notices.lines.viewport().height() >= shown * notices.lines.fontMetrics().lineSpacing()
