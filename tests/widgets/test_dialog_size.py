"""Dialogs grow with the texts, up to the size of the screen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from app.widgets import dialogs


@pytest.mark.parametrize(("scale", "wanted"), [(1.0, (300, 200)), (2.0, (600, 400))])
def test_a_dialog_grows_with_the_texts(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, scale: float, wanted: tuple[int, int]
) -> None:
    monkeypatch.setattr(dialogs, "text_scale", lambda: scale)
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialogs.resize_dialog(dialog, 300, 200)
    assert (dialog.width(), dialog.height()) == wanted
    dialogs.resize_dialog(dialog, 99_999, 200)
    assert dialog.width() <= dialog.screen().availableSize().width()
