"""The search in a row of its own."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.widgets.timeline.search_controls import SearchBar


def test_buttons_stay_beside_the_field_in_a_wide_row(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    bar = SearchBar("Find", parent)
    row = bar.layout()
    assert row is not None
    for width in (300, 2000):
        bar.resize(width, 30)
        row.activate()
        assert bar.search.case.x() - bar.search.field.geometry().right() < 10
        assert bar.search.word.x() - bar.search.case.geometry().right() < 10
