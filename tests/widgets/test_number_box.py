"""A field for numbers shows the decimals that a number has."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.widgets.fields import NumberBox


def test_zeros_after_the_point_are_not_shown(qtbot: QtBot) -> None:
    box = NumberBox()
    qtbot.addWidget(box)
    box.setDecimals(6)
    box.setRange(0, 1e12)
    shown = []
    for value in (0.0, 10.0, 2.5, 1330.000001, 100.0):
        box.setValue(value)
        shown.append(box.cleanText())
    assert shown == ["0", "10", "2.5", "1330.000001", "100"]
