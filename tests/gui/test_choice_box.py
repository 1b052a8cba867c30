"""Combo boxes are known by their names."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QStyleOptionComboBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.fields import ChoiceBox


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


def test_it_asks_for_the_room_that_its_entry_is_drawn_in(qtbot: QtBot) -> None:
    for text in ("Share (%)", "Bandwidth (GB/s)", "Block 0"):
        box = ChoiceBox()  # by default, Qt measures the entries once
        qtbot.addWidget(box)
        box.setStyleSheet("QComboBox { padding: 3px 8px; }")
        box.addItem(text)
        box.resize(box.sizeHint())
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        assert option.currentText == text
