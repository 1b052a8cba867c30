"""Mnemonics of Chinese texts: a letter that a key types."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.widgets.mnemonics import mark_mnemonics, marked, plain
from app.window.menus import menu_title


def test_a_chinese_entry_gets_a_latin_letter_in_brackets() -> None:
    texts = ["打开文件…", "关于 Bilder", "复制\tCtrl+C"]
    shown = marked(texts)
    assert shown == ["打开文件(&A)…", "关于 &Bilder", "复制(&C)\tCtrl+C"]
    assert marked(shown) == shown
    assert [plain(text) for text in marked(["Open", "Off"])] == ["Open", "Off"]


def test_a_chinese_entry_gets_a_letter_of_its_english_name() -> None:
    assert marked(["关闭", "复制…", "剪切"], ["Close", "Copy…", ""]) == ["关闭(&C)", "复制(&O)…", "剪切(&A)"]


def test_a_chinese_menu_opens_by_the_letter_of_the_english_one() -> None:
    assert [menu_title("File", "F"), menu_title("文件", "F")] == ["&File", "文件(&F)"]


def test_chinese_buttons_of_a_dialog_get_letters_that_a_key_types(qtbot: QtBot) -> None:
    buttons = [QPushButton(text) for text in ("比较…", "取消", "Apply")]
    for button in buttons:
        qtbot.addWidget(button)
    mark_mnemonics(buttons)
    assert [button.text() for button in buttons] == ["比较(&B)…", "取消(&C)", "&Apply"]
