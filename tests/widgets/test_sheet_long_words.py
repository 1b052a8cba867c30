"""A page is as narrow as its panel, whatever the words of the file."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.widgets.display import Display
from app.widgets.sheet import Sheet

PATH = "computeSets.cycleEstimates.activeCyclesByVertexType[0]:"
ROOM = 200


def test_a_long_word_breaks_and_cuts_no_other_sentence(qtbot: QtBot) -> None:
    sheet = Sheet(Display())
    qtbot.addWidget(sheet)
    sheet.say("Fullest tile: 14.7 KiB of 624 KiB, 2.4 %; 609 KiB left", depth=1)
    sheet.say(f"graph.json: {PATH} the active cycles of all vertex types do not add up to those of all tiles", depth=1)
    sheet.end()
    assert sheet.minimumSizeHint().width() <= ROOM
    assert sheet.heightForWidth(ROOM) > sheet.heightForWidth(2 * ROOM)
    assert PATH in sheet.text
