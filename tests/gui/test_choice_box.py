"""Combo boxes are known by their names."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.choice_box import ChoiceBox


def labels(parent: QWidget) -> list[str]:
    """What the hidden labels below say."""
    return [label.text() for label in parent.findChildren(QLabel) if label.buddy() is not None]


def test_its_label_stands_beside_it_wherever_it_goes(qtbot: QtBot) -> None:
    first, second = QWidget(), QWidget()
    qtbot.addWidget(first)
    qtbot.addWidget(second)
    box = ChoiceBox()
    box.setAccessibleName("Reads & writes")
    QVBoxLayout(first).addWidget(box)
    assert labels(first) == ["Reads && writes"]
    first.show()
    assert not first.findChildren(QLabel)[0].isVisible()
    QVBoxLayout(second).addWidget(box)
    assert (labels(first), labels(second)) == ([], ["Reads && writes"])
    box.setAccessibleName("Reads")
    assert labels(second) == ["Reads"]
