"""A drop-down of very many entries neither measures nor changes them one by one."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from app.views import texts
from app.views.texts import LINE, shown_line, shown_lines
from app.widgets.fields import Chooser

MANY = 100_000


def test_entries_stand_for_values(qtbot: QtBot) -> None:
    box = Chooser("Block")
    qtbot.addWidget(box)
    told: list[int] = []
    box.currentIndexChanged.connect(told.append)
    box.offer(["All", "one", "two"], [None, 1, 2], 2)
    assert (box.currentText(), box.currentData(), box.findData(1), box.findData(7)) == ("two", 2, 1, -1)
    box.offer(["x"])
    assert (box.currentText(), box.currentData(), box.count()) == ("x", "x", 1)
    box.offer([])
    assert (box.currentIndex(), box.currentData()) == (-1, None)
    assert told == []


def test_very_many_entries_are_shown_without_looking_at_each(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    one_by_one = shown_line

    def counted(text: str, longest: int = LINE) -> str:
        looked.append(text)
        return one_by_one(text, longest)

    monkeypatch.setattr(texts, "shown_line", counted)
    box = Chooser("Source file")
    qtbot.addWidget(box)
    names = [f"/src/f{number}.cpp" for number in range(MANY)]
    names[7] = "two\nlines"
    box.offer(names, chosen=MANY - 1)
    assert len(looked) <= texts.TOGETHER
    assert box.itemText(7) == "two\\nlines"
    assert (box.count(), box.currentText()) == (MANY, names[-1])
    assert box.sizeAdjustPolicy() == QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    box.show()
    box.showPopup()
    assert box.view().isVisible()
    box.hidePopup()


@pytest.mark.parametrize("some", [[], ["a"], ["a", "x" * 500], ["\x1b[1m"], ["b"] * 300 + ["a\u202e"]])
def test_shown_lines_are_those_of_each(some: list[str]) -> None:
    assert shown_lines(some) == [shown_line(text) for text in some]
