"""A page that is still being filled keeps its texts together, and follows the theme at once."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.views.look import CONTRAST, DARK
from app.views.pages.document import Line
from app.widgets.display import Display
from app.widgets.sheet import Sheet
from app.widgets.texts import Label


def test_what_is_added_after_the_end_comes_before_the_empty_height(qtbot: QtBot) -> None:
    sheet = Sheet(Display())
    qtbot.addWidget(sheet)
    sheet.end()
    sheet.title("name")
    sheet.space(8)
    sheet.facts([Line("cycles", "12")])
    sheet.link("tile 4", lambda: None)
    sheet.resize(300, 900)
    sheet.show()
    QApplication.processEvents()
    assert sheet.childrenRect().bottom() < 200


def test_texts_follow_the_theme_before_the_page_is_made_again(qtbot: QtBot) -> None:
    display = Display()
    display.set(theme=CONTRAST)  # borders, too, have the colour of texts
    sheet = Sheet(display)
    qtbot.addWidget(sheet)
    sheet.heading("Findings")
    sheet.say("a note", "muted")
    display.set(theme=DARK)
    colours = {label.text(): label.palette().windowText().color().name() for label in sheet.findChildren(Label)}
    assert colours == {"Findings": DARK.text.lower(), "a note": DARK.muted.lower()}
