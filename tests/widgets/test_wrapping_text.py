"""Editors of text that wraps have no bar below their lines, wherever they are made."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.texts import wrapping_text


def test_no_bar_comes_below_lines_that_wrap(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    text = wrapping_text(window)
    text.setPlainText("x" * 2_000)
    window.show()
    for height in range(10, 80, 5):
        text.resize(200, height)
        QApplication.processEvents()
        assert not text.horizontalScrollBar().isVisible()


def test_no_other_editor_wraps(root: Path) -> None:
    made = [path for path in (root / "app").rglob("*.py") if "QPlainTextEdit(" in path.read_text(encoding="utf-8")]
    assert root / "app" / "widgets" / "texts.py" in made
    wrapping = [path.name for path in made if "LineWrapMode.NoWrap" not in path.read_text(encoding="utf-8")]
    assert wrapping == ["texts.py"]
