"""Fields with invalid content are marked by more than a colour."""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.widgets.fields import PROPERTY, mark_invalid


def test_an_invalid_field_has_an_icon_that_says_why(qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    mark_invalid(field, "")
    assert field.actions() == []
    mark_invalid(field, "not a number")
    mark_invalid(field, "not a time")
    (shown,) = field.actions()
    assert (shown.isVisible(), shown.toolTip(), field.property(PROPERTY)) == (True, "not a time", True)
    mark_invalid(field, "")
    assert (shown.isVisible(), field.property(PROPERTY)) == (False, False)
