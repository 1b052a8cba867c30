"""The field of a search and the switches inside of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.controls import Controls
from app.widgets.fields import SearchField


def test_switches_are_there_while_the_field_is_used_and_in_the_menu_where_it_is_narrow(qtbot: QtBot) -> None:
    owner = QWidget()
    qtbot.addWidget(owner)
    field, other = SearchField("Find", owner), QLineEdit(owner)
    case, regex = field.toggle("case-sensitive", "Match case"), field.toggle("regex", "Regular expression")
    bar = Controls(owner, (field, 1))
    for widget, x in ((bar, 0), (other, 400)):
        widget.setGeometry(x, 0, 300, 32)
    with qtbot.waitExposed(owner):
        owner.show()
    other.setFocus()
    assert [case.isVisible(), regex.isVisible(), *bar.folded()] == [False, False]
    field.setFocus()
    assert case.isVisible()
    assert regex.geometry().right() < field.width() - field.height()  # the button that clears has room
    assert field.textMargins().right() > regex.width()
    case.setFocus(Qt.FocusReason.TabFocusReason)
    assert case.isVisible()
    other.setFocus()
    assert not case.isVisible()
    field.setText("a")
    assert case.isVisible()
    field.clear()
    case.setChecked(True)
    assert case.isVisible()
    case.setChecked(False)
    field.setFocus()
    bar.resize(90, 32)
    qtbot.waitUntil(lambda: field.width() <= 90)
    assert not case.isVisible()
    assert list(bar.folded()) == [case, regex]
